"""The end of the game: who powers most (R14)."""

from core.game.course import Course
from core.game.events import GameEnded, LastIncome, Standing
from core.game.phases import mines
from core.game.phases.bureaucracy import power_choices
from core.game.state import GameState
from core.game.types import Seat


def end_reached(state: GameState) -> bool:
    """Return True if somebody has the cities that end the game (R14.1)."""
    return state.leader_cities >= state.numbers.end_cities


def end_game(course: Course) -> None:
    """Rank the players; before, mines sell, and after an outage everybody is paid once more."""
    mines.sell(course)
    state = course.state
    if state.outage:
        best = (power_choices(state, seat)[0] for seat in state.seats)
        course.add(LastIncome(tuple(choice.income for choice in best)))
    course.add(GameEnded(standings(course.state), course.chance.seed))


def standings(state: GameState) -> tuple[Standing, ...]:
    """Best first: cities powered with the fuel in stock, then the tie-breaks (R14.2, B28)."""
    results = [_result(state, seat) for seat in state.seats]
    measures = [m for m in state.ruleset.tie_breaks if m != "shared"]

    def score(result: Standing) -> tuple[int, ...]:
        values = {"powered": result.powered, "money": result.elektro, "cities": result.cities}
        return tuple(-values[m] for m in measures)

    results.sort(key=score)
    scores = [score(r) for r in results]
    return tuple(
        Standing(r.seat, scores.index(s) + 1, r.powered, r.elektro, r.cities)
        for r, s in zip(results, scores, strict=True)
    )


def _result(state: GameState, seat: Seat) -> Standing:
    player = state.players[seat]
    powered = power_choices(state, seat)[0].powered
    return Standing(seat, 0, powered, player.elektro, len(player.cities))
