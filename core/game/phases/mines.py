"""Mines: they sell uranium in phase 5, and once more at the end (R10.2)."""

from core.game.course import Course
from core.game.events import MinesSold, MineTokensRemoved
from core.game.types import Elektro


def sell(course: Course) -> None:
    """Let each owner sell, in reverse turn order: one price for all mines, a token for each."""
    mines = course.state.ruleset.mines
    if mines is None:
        return
    for seat in reversed(course.state.order):
        own = course.state.mines_of(seat)
        lying = course.state.local.mine_tokens
        price = mines.pays(lying)
        if own and price is not None:
            income = Elektro(price * sum(mine.cities for mine in own))
            tokens = min(len(mines.prices), lying + len(own))
            course.add(MinesSold(seat, price, income, tokens))


def remove(course: Course) -> None:
    """Take the tokens of this Step from the cheapest slots of the track."""
    state, mines = course.state, course.state.ruleset.mines
    if mines is not None:
        row = mines.removal[len(state.players) - 2]
        if gone := min(state.local.mine_tokens, row[state.step - 1]):
            course.add(MineTokensRemoved(gone))
