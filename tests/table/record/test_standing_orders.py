"""Standing orders at the table: given, kept to their owner, executed, stopped, revealed."""

import pytest

from core.game.events import AuctionOpened, MoveOrdered, OrdersRevealed, PlantBought
from core.game.narrate import report
from core.game.phases.auction import resolve
from core.game.types import Elektro, Phase, Seat
from core.orders.notation import parse
from core.store.tables import StandingOrder, Turn, User
from core.table.acts import absence, proposals, replace
from core.table.drive.due_work import sweep
from core.table.record import gamelog, standing_orders
from core.table.record.errors import TableError
from core.table.views.table_view import table_view
from tests.support.table import House

PEOPLE = ("Anna", "Ben", "Clara")


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    """SQLite will do: what differs is tested by test_races.py."""
    return sqlite_url


@pytest.fixture
def game(house: House) -> int:
    """Three people in an open auction."""
    return house.played(*PEOPLE, auction="open", moves=0)


def order(house: House, game: int, seat: int, line: str) -> StandingOrder | None:
    with house.write() as s:
        row = gamelog.lock(s, game)
        state = gamelog.load(s, game)
        return standing_orders.give(
            s, row, state, Seat(seat), parse(line, state.ruleset), house.now
        )


def in_force(house: House, game: int, seat: int) -> list[str]:
    with house.read() as s:
        return [standing_orders.line(row) for row in standing_orders.rows(s, game, Seat(seat))]


def view(house: House, game: int, seat: int | None):
    with house.read() as s:
        return table_view(s, game, seat, now=house.now)


@pytest.mark.parametrize(
    "limits", [(9, 7, 8), (7, 7, 7), (5, 6, 6), (4, 4, 20), (20, 19, 4), (8, 20, 20), (5, 4, 4)]
)
def test_m65_limits_bid_as_their_owners_would(house: House, game: int, limits: tuple[int, ...]):
    """Limits in real rows end an auction as the maxima of a sealed one do, and ask nobody."""
    opener = house.asked(game)[0].seat
    for seat, most in enumerate(limits):
        order(house, game, seat, f"limit 5 to {most}")
    house.move(game, opener, "auction 5 for 5")
    events = house.events(game)
    opened = next(e for e in events if isinstance(e, AuctionOpened))
    circle = (opener, *(seat for seat in opened.bidders if seat != opener))
    expected = resolve(
        Elektro(5), circle, {Seat(s): Elektro(most) for s, most in enumerate(limits)}
    )
    bought = next(e for e in events if isinstance(e, PlantBought))
    assert (bought.seat, bought.price) == expected
    assert {e.kind for e in events if isinstance(e, MoveOrdered)} == {"limit"}
    asked = [t for t in house.all(Turn, game_id=game) if t.turn >= opened_at(house, game)]
    assert [t.seat for t in asked] == [t.seat for t in house.asked(game)]
    house.log_is_whole(game)


def opened_at(house: House, game: int) -> int:
    """Log position of the first auction's opening."""
    return house.kinds(game).index("AuctionOpened") + 1


def test_m65_a_limit_leaves_the_auction_to_those_who_bid_in_person(house: House, game: int):
    opener = house.asked(game)[0].seat
    house.move(game, opener, "auction 5 for 5")
    asked = house.asked(game)[0].seat
    order(house, game, asked, "limit 5 to 6")
    house.adjudicate(game)
    auction = house.state(game).auction
    assert auction is not None
    assert (auction.leader, auction.bid) == (asked, 6)
    assert house.asked(game)[0].seat not in (asked,)


def test_m67_an_order_whose_condition_fails_does_nothing_but_say_so(house: House, game: int):
    house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    seat = house.asked(game)[0].seat
    buyer = house.state(game).waiting[1]
    plant = next(p for p in house.state(game).ruleset.plants if p.fuels).number
    other = next(n for n in house.state(game).market.cards if n != plant)
    order(house, game, buyer, f"order fuel {other}")
    house.move(game, seat, "buy nothing")
    assert house.asked(game)[0].seat == buyer
    seen = view(house, game, buyer)
    assert seen.orders == ()
    assert [(o.status, str(other) in o.reason) for o in seen.ordered] == [("failed", True)]
    assert not any(isinstance(e, MoveOrdered) for e in house.events(game))


def test_m67_an_order_that_is_passed_over_by_a_move_without_a_choice_is_not_dropped_silently(
    house: House, game: int
):
    opener, state = house.asked(game)[0].seat, house.state(game)
    city = next(c.name for c in state.ruleset.map.cities if c.region in state.regions)
    order(house, game, opener, f"order build {city}")
    house.move(game, opener, "auction 5 for 45")  # no money is left to build with
    house.play(game, until=lambda state: state.phase is Phase.BUREAUCRACY)
    (told,) = view(house, game, opener).ordered
    assert (told.line, told.reason) == (
        f"order build {city}",
        "Your move was made without it.",
    )
    assert view(house, game, opener).orders == ()


def test_m68_what_was_there_before_an_order_does_not_end_it(house: House, game: int):
    opener = house.asked(game)[0].seat
    house.move(game, opener, "auction 5 for 5")
    order(house, game, opener, "limit 6 to 9")
    house.play(game, moves=2)
    bought = [e.plant for e in house.events(game) if isinstance(e, PlantBought)]
    still = in_force(house, game, opener)
    assert still == ([] if 6 in bought else ["limit 6 to 9"])


def test_m69_the_list_is_made_from_the_rows_that_are_executed(house: House, game: int):
    seat = house.asked(game)[0].seat
    order(house, game, seat, "limit 7 to 9")
    order(house, game, seat, "order power all every round")
    seen = view(house, game, seat).orders
    assert [(o.number, o.line) for o in seen] == [
        (1, "limit 7 to 9"),
        (2, "order power all every round"),
    ]
    with house.write() as s:
        standing_orders.cancel(s, gamelog.lock(s, game), Seat(seat), 1, house.now)
    assert [o.number for o in view(house, game, seat).orders] == [2]
    for reader in (None, *(s for s in range(3) if s != seat)):
        assert view(house, game, reader).orders == ()
        assert view(house, game, reader).ordered == ()


def test_m69_what_is_on_the_list_no_more_is_executed_no_more(house: House, game: int):
    opener = house.asked(game)[0].seat
    for seat in {0, 1, 2} - {opener}:
        order(house, game, seat, "limit 5 to 9")
        with house.write() as s:
            standing_orders.cancel(s, gamelog.lock(s, game), Seat(seat), 1, house.now)
    house.move(game, opener, "auction 5 for 5")
    assert house.asked(game)[0].seat != opener
    assert "MoveOrdered" not in house.kinds(game)


def test_a_newer_order_on_the_same_thing_takes_the_place_of_the_older(house: House, game: int):
    order(house, game, 0, "limit 7 to 9")
    order(house, game, 0, "limit 8 to 9")
    order(house, game, 0, "limit 7 to 12")
    order(house, game, 0, "order fuel all")
    order(house, game, 0, "order fuel nothing every round")
    order(house, game, 0, "order fuel all twice")
    assert in_force(house, game, 0) == [
        "limit 8 to 9", "limit 7 to 12", "order fuel nothing every round", "order fuel all twice",
    ]  # fmt: skip
    order(house, game, 0, "limit 7 off")
    assert "limit 7 to 12" not in in_force(house, game, 0)


def test_an_order_is_for_the_round_that_it_can_still_serve(house: House, game: int):
    house.play(game, until=lambda state: state.phase is Phase.BUILDING)
    state = house.state(game)
    built, waiting = state.order[0], state.waiting[0]
    house.play(game, moves=1)
    auction = order(house, game, built, "order auction nothing")
    fuel = order(house, game, built, "order fuel all")
    power = order(house, game, built, "order power all")
    late = order(house, game, waiting, "order build nothing")
    assert (auction.round, fuel.round, power.round, late.round) == (2, 2, 1, 2)


def test_a_limit_on_a_sold_plant_is_refused(house: House, game: int):
    house.play(game, until=lambda state: any(p.plants for p in state.players))
    sold = next(p.plants[0] for p in house.state(game).players if p.plants)
    with pytest.raises(TableError, match=f"Plant {sold} is sold"):
        order(house, game, 0, f"limit {sold} to 99")


def test_a_round_is_played_as_far_as_orders_carry_it(house: House, game: int):
    """Fuel, building and powering of all by order: the next question is in the next round."""
    house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    for seat in range(3):
        for line in ("order fuel all", "order build nothing", "order power all every round"):
            order(house, game, seat, line)
    house.adjudicate(game)
    assert (house.state(game).round, house.state(game).phase) == (2, Phase.AUCTION)
    for seat in range(3):
        assert in_force(house, game, seat) == ["order power all every round"]
        told = [o.reason for o in view(house, game, seat).ordered if o.status == "done"]
        assert any(reason.startswith("buy") for reason in told)
    house.log_is_whole(game)
    spectator = view(house, game, None)
    told = next(r for r in report(spectator.log, spectator.names) if r.number == 1)
    assert [phase.phase for phase in told.phases[1:]] == [*Phase][2:5]
    for phase in told.phases[1:]:
        (line,) = (line for line in phase.lines if line.text.startswith("By standing order: "))
        assert {*line.seats} == {0, 1, 2}, "one line a phase says whose moves came from orders"


def test_all_orders_are_revealed_when_the_game_is_over(house: House, game: int):
    order(house, game, 0, "limit 50 to 1")
    order(house, game, 1, "limit 46 to 2")
    with house.write() as s:
        standing_orders.cancel(s, gamelog.lock(s, game), Seat(1), 1, house.now)
    house.play(game)
    assert house.game(game).status == "finished"
    last = house.events(game)[-1]
    assert isinstance(last, OrdersRevealed)
    told = {(o.seat, o.text): o.status for o in last.orders}
    assert told[1, "limit 46 to 2"] == "cancelled"
    assert told[0, "limit 50 to 1"] in ("done", "ended", "lapsed"), "whether 50 came up, or never"
    house.log_is_whole(game)


def test_an_absent_owner_s_orders_still_count(house: House, game: int):
    """The caretaker plays only what they leave open."""
    house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    seat = house.state(game).waiting[-1]
    order(house, game, seat, "order fuel nothing")
    order(house, game, seat, "order build nothing")
    house.play(game, until=lambda state: state.phase is Phase.BUREAUCRACY)
    player = house.state(game).players[seat]
    assert player.cities == ()
    assert sum(player.fuel.counts()) == 0


def test_m68_a_bid_without_steps_leaves_out_an_order_that_is_older_than_the_question(
    house: House, game: int
):
    """A seat that is asked again answers for itself: what it ordered before does not bid for it."""
    opener = house.asked(game)[0].seat
    house.move(game, opener, "auction 5 for 5")
    second = house.asked(game)[0].seat
    house.move(game, second, "bid 6")
    third = house.asked(game)[0].seat
    for seat in (opener, second):
        order(house, game, seat, "limit 5 to 20")
    with house.write() as s:
        assert proposals.ask_to_undo(s, game, second, None, house.now) is None
    order(house, game, third, "limit 5 to 20")
    order(house, game, second, "order fuel nothing")
    house.adjudicate(game)
    assert [turn.seat for turn in house.asked(game)] == [second]
    order(house, game, second, "limit 5 to 30")
    house.adjudicate(game)
    bought = next(e for e in house.events(game) if isinstance(e, PlantBought))
    assert (bought.seat, bought.price) == (second, 21)


def test_the_sweep_finds_an_order_that_answers_an_open_question_when_nobody_rings(
    house: House, game: int
):
    """A doorbell may be lost: the turn must not be missed for that."""
    opener = house.asked(game)[0].seat
    house.move(game, opener, "auction 5 for 5")
    second = house.asked(game)[0]
    order(house, game, second.seat, "limit 5 to 9")
    with house.read() as s:
        assert sweep(s, house.now) == [game]
    house.adjudicate(game)
    assert house.get(Turn, second.id).closed_by == "order"


def test_m69_who_takes_a_seat_is_not_told_what_its_former_owner_had_ordered(house: House):
    game = house.played(*PEOPLE, auction="open", until=lambda state: state.phase is Phase.RESOURCES)
    first, seat = house.state(game).waiting[:2]
    order(house, game, seat, "order fuel all at most 7 each keep 3")
    order(house, game, seat, "limit 50 to 77")
    house.move(game, first, house.line(game, first))
    (done,) = view(house, game, seat).ordered
    assert done.line == "order fuel all at most 7 each keep 3"
    with house.write() as s:
        absence.resign(s, game, seat, "", house.now)
    user = house.user("Emil")
    with house.write() as s:
        replace.take(s, game, seat, s.get_one(User, user.id), house.now)
    order(house, game, seat, "limit 46 to 60")
    seen = view(house, game, seat)
    assert seen.ordered == ()
    assert [one.line for one in seen.orders] == ["limit 46 to 60"]


def test_a_seat_gives_no_more_orders_than_can_be_told_in_the_end(
    house: House, game: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(standing_orders, "EVER", 3)
    for most in (11, 12, 13):
        order(house, game, 0, f"limit 50 to {most}")
    with pytest.raises(TableError, match="given 3 orders"):
        order(house, game, 0, "limit 50 to 14")
    assert in_force(house, game, 0) == ["limit 50 to 13"]
    assert order(house, game, 1, "limit 50 to 14")
