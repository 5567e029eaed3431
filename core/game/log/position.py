"""A position as plain data, to be kept beside the log and compared with what a later fold makes."""

import json
from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from typing import Any, Final

from pydantic_core import to_jsonable_python

from core.game.state import PLAIN, GameState

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
