"""What a seat may see becomes a scene."""

from core.bots import CARETAKER, bot
from core.drawing.board import board
from core.drawing.scene import city_rows, describe, scene
from core.game import engine
from core.game.observe import PlayerView, observe
from core.game.offers import BuildOffer
from core.game.rules.load import load
from core.game.types import Seat
from core.tableview import SeatSeen
from webapp.instruments.selfplay import Match

SEATS = tuple(
    SeatSeen(Seat(i), name, name[0], colour, False, False, None)
    for i, (name, colour) in enumerate([("Anna", "navy"), ("Bob", "yellow"), ("Clara", "teal")])
)


def building(least_round: int = 3) -> PlayerView:
    """Give a position in which a seat may build and all have built before."""
    match = Match(load("germany"), 3, "from view")
    player = bot(CARETAKER)
    while True:
        seat = engine.to_act(match.state)[0]
        view = observe(match.state, seat)
        may_build = isinstance(view.offer, BuildOffer) and view.offer.targets
        if may_build and match.state.round >= least_round:
            return view
        match.play(seat, player.move(view))


def test_a_scene_shows_the_position() -> None:
    view = building()
    shown = scene(view, SEATS)
    assert shown.regions == frozenset(view.regions)
    assert shown.step == view.step
    for player in view.players:
        built = {city for city, seats in shown.houses.items() if player.seat in seats}
        assert built == set(player.cities) != set()
    assert shown.marks[Seat(1)].letter == "B"
    assert 'class="house yellow"' in board(shown)


def test_what_may_be_built_is_priced() -> None:
    view = building()
    assert isinstance(view.offer, BuildOffer)
    assert scene(view, SEATS).targets == {t.city: t.total for t in view.offer.targets}


def test_what_is_planned_is_dashed_and_no_longer_offered() -> None:
    view = building()
    assert isinstance(view.offer, BuildOffer)
    target = view.offer.targets[0]
    shown = scene(view, SEATS, planned=[target.city], paths=[target.path], ringed=[target.city])
    assert shown.planned == {target.city: view.seat}
    assert target.city not in shown.targets
    assert shown.paths == (target.path,)
    assert shown.ringed == {target.city}


def test_others_are_offered_nothing() -> None:
    view = building()
    for seat in (None, *(s for s in range(3) if s != view.seat)):
        match_view = PlayerView(**{**_fields(view), "seat": seat, "offer": None})
        assert scene(match_view, SEATS).targets == {}


def _fields(view: PlayerView) -> dict[str, object]:
    return {name: getattr(view, name) for name in PlayerView.__slots__}


def test_while_regions_are_chosen_those_chosen_are_in_play_and_no_others() -> None:
    match = Match(load("germany", options={"region_choice": "draft"}), 3, "draft")
    view = observe(match.state, Seat(0))
    before = scene(view, SEATS)
    assert (view.regions, before.regions, city_rows(before)) == ((), frozenset(), ())
    assert describe(before).startswith("No region is in play yet.\n")
    seat = engine.to_act(match.state)[0]
    match.play(seat, bot(CARETAKER).move(observe(match.state, seat)))
    (chosen,) = observe(match.state, Seat(0)).regions
    after = scene(observe(match.state, Seat(0)), SEATS)
    assert after.regions == {chosen}
    assert describe(after).startswith(f"Regions in play: {view.ruleset.region[chosen].name}.\n")
