"""A typed line read for a question: what is wrong with it, and what would do now."""

from core import questions
from core.game import notation
from core.game.errors import InvalidMove
from core.game.moves import Move
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Seat
from core.lists import either
from core.text import _

_HINTS = 3


def read(line: str, state: GameState, seat: Seat) -> Move:
    """Return the move that a line says.

    Raises:
        InvalidMove: it says none; a line that was meant is told, of those that can be played now.
    """
    try:
        return notation.parse(line, state.ruleset)
    except notation.Unread as why:
        question = questions.of(observe(state, seat))
        if question is None:
            raise
        lines = [command.text for command in question.commands()]
        verbs = list(dict.fromkeys(text.split()[0] for text in lines))
        if why.verb in verbs:
            raise
        hints = _meant(line, verbs, state) or lines[-1 : -1 - _HINTS : -1][::-1]
        text = _("{reason}; now you can write: {lines}")
        text = text.format(reason=why.reason, lines=either(hints))
        raise InvalidMove(text) from why


def _meant(line: str, verbs: list[str], state: GameState) -> list[str]:
    """Return the line with a verb of now before it, if that makes it a move."""
    for verb in verbs:
        try:
            move = notation.parse(f"{verb} {line}", state.ruleset)
        except InvalidMove:
            continue
        return [notation.text(move, state.ruleset)]
    return []
