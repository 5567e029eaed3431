"""Events and positions as plain data: ``{"type": "BidPlaced", "v": 1, "seat": 1, "amount": 16}``.

`v` is the version of the event's shape. A position is kept beside the log and compared with what a
later fold makes.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from core.game.errors import LogError
from core.game.events import EVENTS, Event
from core.game.rules.old_keys import completed
from core.game.state import PLAIN, GameState
from core.game.types import FUEL_NAMES

Body = dict[str, Any]
Upcasts = Mapping[tuple[str, int], Callable[[Body], Body]]

_NO_FUEL: Final = MappingProxyType(dict.fromkeys(FUEL_NAMES, 0))

UPCASTS: Final[Upcasts] = MappingProxyType({
    ("GameStarted", 1): lambda body: {
        **body, "edition": 0, "ruleset": completed(body["ruleset"]),
    },
    ("SealedBidsOpened", 1): lambda body: {
        **body, "bids": [{**bid, "hidden": False} for bid in body["bids"]],
    },
    ("PlantBought", 1): lambda body: {**body, "again": False},
    ("FuelBought", 1): lambda body: {**body, "market": "", "done": True, "from_storage": 0},
    ("FuelRefilled", 1): lambda body: {**body, "others": [], "cheap_slots": dict(_NO_FUEL)},
    ("CityConnected", 1): lambda body: {**body, "jump": False},
    ("DeadlineExtended", 1): lambda body: {**body, "by": "host"},
    ("MoveOrdered", 1): lambda body: {**body, "made": 0},
    ("SeatOpened", 1): lambda body: {**body, "by": "service", "reason": ""},
    ("SeatOpened", 2): lambda body: body,  # nobody left by themselves
    ("DeadlineExtended", 2): lambda body: {**body, "turns": []},
    ("GameAbandoned", 1): lambda body: {**body, "because": "host"},
})  # fmt: skip
"""By type and version, the function that lifts a body to the next version."""


def upcast(body: Body, version: int, upcasts: Upcasts = UPCASTS) -> tuple[Body, int]:
    """Lift a stored event as far as there are functions; the body, and the version it has now.

    >>> upcast({"type": "X"}, 1, {("X", 1): lambda body: {**body, "new": None}})
    ({'type': 'X', 'new': None}, 2)
    """
    while step := upcasts.get((str(body.get("type")), version)):
        body, version = step(body), version + 1
    return body, version


_SHAPES: Final = {name: TypeAdapter(kind) for name, kind in EVENTS.items()}


def encode(event: Event) -> Body:
    """Write an event as a JSON object, its type and version first."""
    body = _SHAPES[event.type].dump_python(event, mode="json")
    return {"type": event.type, "v": event.VERSION, **body}


def decode(body: Body, upcasts: Upcasts = UPCASTS) -> Event:
    """Read an event of any version.

    Raises:
        LogError: no event of this type, of a version that is not known, or of another shape.
    """
    name, version = body.get("type"), body.get("v")
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise LogError(f"There is no event {name!r}.")
    if not isinstance(version, int):
        raise LogError(f"{name} does not say its version.")
    try:
        lifted, reached = upcast(body, version, upcasts)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise LogError(f"{name} is not of version {version}.") from error
    if reached != kind.VERSION:
        raise LogError(f"{name} has version {version}; known are 1 to {kind.VERSION}.")
    try:
        return _SHAPES[kind.type].validate_python(lifted)
    except ValidationError as error:
        raise LogError(f"{name}: {_first_reason(error)}.") from error


def decode_strictly(body: Body, upcasts: Upcasts = UPCASTS) -> Event:
    """Read an event from an unknown hand: no key unknown, missing or of another kind.

    Raises:
        LogError: as in `decode`, or writing the event again would give another object.
    """
    event = decode(body, upcasts)
    again = encode(event)
    lifted, _version = upcast(body, body["v"], upcasts)
    for key in sorted({*lifted, *again} - {"v"}):
        if key not in again:
            raise LogError(f"{event.type}: {key} is not known.")
        if key not in lifted or lifted[key] != again[key]:
            raise LogError(f"{event.type}: {key} is missing or badly written.")
    return event


def _first_reason(error: ValidationError) -> str:
    first: Any = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


Facts = dict[str, Any]
_LEFT_OUT: Final = ("ruleset",)  # the first event holds it, and it never changes


def facts(state: GameState) -> Facts:
    """Return all of a position but its rules, as JSON writes it; secrets included."""
    left_out = _LEFT_OUT if state.local != PLAIN else (*_LEFT_OUT, "local")
    names = (field.name for field in fields(state) if field.name not in left_out)
    plain: Facts = to_jsonable_python({name: getattr(state, name) for name in names})
    return plain


def digest(known: Facts) -> str:
    """SHA-256 over the facts, whatever the order of their keys."""
    return sha256(json.dumps(known, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def differences(kept: Any, folded: Any, path: str = "") -> Iterator[str]:
    """Yield where a position differs from the one kept: ``players.1.elektro: 52, now 50``.

    What a position did not know yet when it was kept is no difference.
    """
    if isinstance(kept, dict) and isinstance(folded, dict):
        for key, old in kept.items():
            yield from differences(old, folded.get(key), f"{path}.{key}" if path else key)
    elif isinstance(kept, list) and isinstance(folded, list) and len(kept) == len(folded):
        for n, (old, new) in enumerate(zip(kept, folded, strict=True)):
            yield from differences(old, new, f"{path}.{n}")
    elif kept != folded:
        yield f"{path}: {kept}, now {folded}"
