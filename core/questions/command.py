"""One line that may be sent, and what it means."""

from dataclasses import dataclass

from core.game.moves import Move
from core.game.notation import text
from core.game.observe import PlayerSeen, PlayerView


@dataclass(frozen=True, slots=True)
class Command:
    """A line of text that is a legal move now, and a `note` on its price and effect."""

    text: str
    note: str


def command(view: PlayerView, move: Move, note: str) -> Command:
    """Write a move as its line."""
    return Command(text(move, view.ruleset), note)


def viewer(view: PlayerView) -> PlayerSeen:
    """The seat that is asked."""
    if view.me is None:
        raise ValueError("a spectator is not asked")
    return view.me
