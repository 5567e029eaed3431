"""Moves as text: the one notation of forms, mails, tests and logs. docs/notation.md lists it."""

from core.game.notation.reading import EXAMPLES, parse
from core.game.notation.writing import fuel_text, text

__all__ = ["EXAMPLES", "fuel_text", "parse", "text"]
