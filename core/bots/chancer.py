"""A bot that plays any legal move."""

from core.game.chance import Chance
from core.game.commands import commands
from core.game.moves import Move
from core.game.notation import parse
from core.game.observe import PlayerView


class Chancer:
    """Picks one of the lines that a mail would offer, each as likely as the others."""

    def __init__(self, seed: str = "") -> None:
        """`seed`: another one makes another player of the same habits."""
        self._seed = seed

    def move(self, view: PlayerView) -> Move:
        """The same for the same seed, seat and position."""
        chance = Chance(f"{self._seed}:{view.seat}:{view.seq}")
        line = chance.pick(commands(view), "move")
        return parse(line.text, view.ruleset)
