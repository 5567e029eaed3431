"""Old shapes of events are read, never rewritten: dict -> dict, one version at a time.

When an event changes its shape, its `VERSION` grows and a function goes into `UPCASTS` under its
type and old version, with a sample line of that old version in tests/game/log/samples.jsonl.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

Body = dict[str, Any]
Upcasts = Mapping[tuple[str, int], Callable[[Body], Body]]

UPCASTS: Final[Upcasts] = MappingProxyType({
    ("DeadlineExtended", 1): lambda body: {**body, "by": "host"},
    ("SeatOpened", 1): lambda body: {**body, "by": "service", "reason": ""},
    ("SeatOpened", 2): lambda body: body,  # nobody left by himself
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
