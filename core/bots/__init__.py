"""Players that see a PlayerView and nothing else; they fill seats and stand in for the absent."""

from collections.abc import Callable
from typing import Final, Protocol

from core.bots.engineer import Engineer
from core.bots.random_bot import RandomBot
from core.game.moves import Move
from core.game.observe import PlayerView


class Bot(Protocol):
    """A player without memory: the same view is always answered with the same move."""

    def move(self, view: PlayerView) -> Move:
        """Return a legal move; the view must hold an offer."""


BOTS: Final[dict[str, Callable[[str], Bot]]] = {
    "engineer": lambda _seed: Engineer(),
    "random": RandomBot,
}
"""Bots by name, the one that plays best first; each is made from a seed for what it draws."""
CARETAKER: Final = "engineer"
"""The bot that plays for an absent owner."""


def bot(name: str, seed: str = "") -> Bot:
    """Return the bot of this name; KeyError if there is none."""
    return BOTS[name](seed)
