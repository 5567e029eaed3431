"""Moves as text: the one notation of forms, mails, tests and logs. docs/notation.md lists it."""

from core.game.notation.reading import EXAMPLES, line_words, parse, quoted
from core.game.notation.writing import fuel_text, text

__all__ = ["EXAMPLES", "fuel_text", "line_words", "parse", "quoted", "text"]
