"""Games judged again: an honest log fits the rules, each forged number is refused at its event."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.bots import bot
from core.game import engine
from core.game import events as ev
from core.game.chance import Chance
from core.game.errors import LogError
from core.game.events import Event
from core.game.evolve import Fold
from core.game.judge import OPEN_FACTS, judge
from core.game.log.jsonl import load as read_log
from core.game.log.redact import redact
from core.game.moves import BuyResources
from core.game.observe import observe
from core.game.rules import catalog
from core.game.rules.choices import region_choices
from core.game.rules.load import load
from core.game.types import Elektro, Fuel, Seat
from tests.game.properties.random_play import MAPS, PRESETS, Setting, envelopes, turns
from webapp.instruments.selfplay import play_game

GOLDEN = Path(__file__).parents[1] / "golden"
Log = tuple[Event, ...]
SEED = "5eed"


@cache
def game(variant: str = "standard", players: int = 3, map: str = "germany", **options: str) -> Log:
    rules = load(map, variant, options)
    some = region_choices(rules, rules.numbers(players).regions)[0]
    host = tuple(some) if rules.region_choice == "host" else None
    bots = [bot("random", str(seat)) for seat in range(players)]
    return tuple(play_game(rules, bots, SEED, host))


def random_game(setting: Setting) -> Log:
    chance = Chance(f"{setting.seed:064x}")
    events = list(engine.start(setting.ruleset, setting.players, chance))
    for turn in turns(setting):
        events += turn.events
    return tuple(events)


@pytest.mark.parametrize("variant", [info.key for info in catalog.variants()])
@pytest.mark.parametrize("auction", ["open", "sealed"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_an_honest_game_is_by_the_rules(variant: str, auction: str, players: int) -> None:
    found = judge(game(variant, players, auction=auction))
    assert (found.difference, found.judged) == (None, True)
    assert found.moves > 20


@pytest.mark.parametrize("n", range(3 * 8))
def test_every_way_to_choose_regions_is_judged(n: int) -> None:
    choice, map = ("random", "host", "draft")[n % 3], MAPS[n % len(MAPS)]
    assert judge(game(map=map, players=5, region_choice=choice)).sound


@pytest.mark.parametrize("n", range(200))
def test_200_random_games_are_judged(n: int) -> None:
    setting = Setting(
        MAPS[n % len(MAPS)], PRESETS[n % 6], ("open", "sealed")[n // 6 % 2], n % 5 + 2, n,
        ("random", "draft")[n // 12 % 2],
    )  # fmt: skip
    found = judge(random_game(setting))
    assert found.difference is None, (setting, str(found.difference))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_games_on_file_are_judged(path: Path) -> None:
    """Among them games of version 0.1, whose logs have edition 0."""
    events = read_log(path.read_text("utf-8").splitlines()).events
    found = judge(events)
    assert found.difference is None, str(found.difference)
    assert found.edition == 0


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_a_running_game_is_judged_as_far_as_it_is_open(auction: str) -> None:
    """Cards that nobody has seen, and no seed: what was not checked is said."""
    log = game(players=4, auction=auction)
    for end in (log.index(next(e for e in log if isinstance(e, ev.PlantsRun))), len(log) - 1):
        running = redact(log[:end])
        found = judge(_up_to_a_decision(running))
        assert found.difference is None, str(found.difference)
        assert any("seed" in open_ for open_ in found.unchecked)


@pytest.mark.parametrize("map", [info.key for info in catalog.maps()])
def test_a_running_game_of_every_map_is_judged_as_it_is_told(map: str) -> None:
    """Some shuffle more than once, or draw before anybody moves."""
    for variant, players in (("standard", 3), ("recharged", 4)):
        log = game(variant, players, map)
        for end in range(len(log) // 4, len(log) - 1, len(log) // 5):
            found = judge(redact(_up_to_a_decision(log[:end], SEED)))
            assert found.difference is None, str(found.difference)


def _up_to_a_decision(log: Log, seed: str = "") -> Log:
    """Without the events of a move that is not complete."""
    for end in range(len(log), 0, -1):
        if judge(log[:end], seed).sound:
            return log[:end]
    raise AssertionError


# --- forgeries ---------------------------------------------------------------------------------


def raised(value: Any) -> Iterator[tuple[str, Any]]:
    """The value with one number in it raised by one, for each number; with the path to it."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield "", value + 1
    elif isinstance(value, tuple):
        for i, part in enumerate(value):
            for path, new in raised(part):
                yield f".{i}{path}", (*value[:i], new, *value[i + 1 :])
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            if one.name != "ruleset":
                for path, new in raised(getattr(value, one.name)):
                    yield f".{one.name}{path}", replace(value, **{one.name: new})


PEOPLE = (
    ev.TurnMissed, ev.MoveOrdered, ev.DraftPlayed, ev.CaretakerAppointed, ev.OwnerReturned,
    ev.DeadlineExtended, ev.GraceGiven, ev.VacationBegan, ev.MadeBySitter, ev.SeatOpened,
    ev.SeatTaken, ev.TurnSkipped, ev.MoveCorrected, ev.Rewound,
)  # fmt: skip


def first_of_each(log: Log) -> dict[type, int]:
    places: dict[type, int] = {}
    for i, event in enumerate(log):
        if i > len(log) // 3 or isinstance(event, (ev.GameStarted, ev.RegionChosen, *PEOPLE)):
            places.setdefault(type(event), i)
    return places


def check_forgeries(log: Log) -> int:
    """Every number of one event of each type: refused at its event, or a fact left open."""
    refused = 0
    for kind, i in first_of_each(log).items():
        for path, forged in raised(log[i]):
            found = judge((*log[:i], forged, *log[i + 1 :]))
            what = f"event {i + 1}, {kind.__name__}{path}"
            field = path.split(".")[1]
            if field in OPEN_FACTS.get(kind, ()):
                told = f"{kind.__name__} ("
                assert found.difference or any(told in fact for fact in found.unchecked), what
                continue
            assert found.difference is not None, what
            assert found.difference.seq == i + 1, (what, str(found.difference))
            assert str(i + 1) in str(found.difference)
            assert found.difference.logged, what
            assert found.difference.ruled, what
            refused += 1
    return refused


@pytest.mark.parametrize(
    ("variant", "auction", "players"),
    [
        ("standard", "open", 3), ("standard", "sealed", 4), ("recharged", "open", 2),
        ("recharged", "sealed", 6), ("thai_000", "open", 5), ("swahili_001", "sealed", 3),
        ("ptt_v1_3", "open", 4), ("simplified_004", "sealed", 2),
    ],
)  # fmt: skip
def test_a_number_raised_by_one_is_refused_at_its_event(
    variant: str, auction: str, players: int
) -> None:
    assert check_forgeries(game(variant, players, auction=auction)) > 60


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"cost": Elektro(1)}, "FuelBought: cost: the log says 1, the rules"),
        ({"house_cost": Elektro(0)}, "CityConnected: house_cost: the log says 0, the rules 1"),
        ({"income": Elektro(500)}, "PlantsRun: income: the log says 500, the rules"),
    ],
)
def test_both_values_are_told(change: dict[str, Any], what: str) -> None:
    log = game()
    key = next(iter(change))
    i = max(
        n for n, e in enumerate(log) if hasattr(e, key) and getattr(e, key) not in (0, change[key])
    )
    found = judge((*log[:i], replace(log[i], **change), *log[i + 1 :])).difference
    assert str(found).startswith(f"event {i + 1}: {what}")


def test_reversed_standings_are_refused() -> None:
    log = game()
    end = log[-1]
    assert isinstance(end, ev.GameEnded)
    found = judge((*log[:-1], replace(end, standings=end.standings[::-1]))).difference
    assert found is not None
    assert (found.seq, found.what) == (len(log), "GameEnded: standings")


def test_an_event_too_many_or_too_few_is_refused() -> None:
    log = game()
    for i in range(2, len(log) - 1, 31):
        assert judge((*log[:i], *log[i + 1 :])).difference is not None, i
        assert judge((*log[: i + 1], log[i], *log[i + 1 :])).difference is not None, i


def test_a_log_of_a_newer_edition_is_refused() -> None:
    log = game()
    first = log[0]
    assert isinstance(first, ev.GameStarted)
    found = judge((replace(first, edition=first.edition + 1), *log[1:]))
    assert (found.judged, found.difference is None) == (False, False)
    assert found.difference is not None
    assert found.difference.seq == 1


def test_what_is_no_log_is_no_log() -> None:
    for events in ((), game()[1:3]):
        with pytest.raises(LogError):
            judge(events)


# --- what happens to people --------------------------------------------------------------------


class Told:
    """A game in which things happen to people, told event by event."""

    def __init__(self, auction: str = "open", seats: int = 3) -> None:
        self.chance, self.fold = Chance(SEED), Fold()
        self.log: list[Event] = []
        self.sealed: dict[Seat, Elektro | None] = {}
        rules = load("germany", options={"auction": auction})
        self.tell(*engine.start(rules, seats, self.chance))
        self.bots = [bot("random", str(seat)) for seat in range(seats)]

    def tell(self, *events: Event) -> None:
        for event in events:
            self.fold.add(event)
            self.log.append(event)

    @property
    def state(self) -> Any:
        return self.fold.state

    @property
    def next(self) -> Seat:
        return engine.to_act(self.state)[0]

    def plays(self, move: Any = None, moves: int = 1) -> None:
        for _n in range(moves):
            seat = self.next
            made = move or self.bots[seat].move(observe(self.state, seat))
            new = engine.play(self.state, seat, made, self.chance, self.sealed)
            self.sealed = envelopes(self.sealed, seat, made)
            self.tell(*new)

    def ends(self) -> Log:
        while engine.to_act(self.state):
            self.plays()
        return tuple(self.log)


def by_default(told: Told, event: Event) -> None:
    told.tell(event)
    told.plays(engine.default_move(told.state, told.next))


def everything_happens(auction: str) -> Log:
    """Missed turns, caretakers, orders, sitters, undoing, pauses, seats that change hands."""
    told = Told(auction)
    told.plays(moves=12)
    by_default(told, ev.TurnMissed(told.next))
    seat = told.next
    by_default(told, ev.TurnMissed(seat))
    told.tell(ev.CaretakerAppointed(seat), ev.SeatOpened(seat))
    told.plays(moves=3)
    told.tell(ev.OwnerReturned(seat), ev.GraceGiven(seat, 12))
    told.tell(ev.GamePaused("host", "snow"), ev.GameResumed("host", "thaw"))
    told.tell(ev.VacationBegan(seat, 5), ev.DeadlineExtended(24, "ill"))
    by_default(told, ev.TurnSkipped(told.next, "host", "gone"))
    told.tell(ev.SeatTaken(seat, "Dora", "Ben"))
    while told.state.phase is not told.state.phase.RESOURCES:
        told.plays()
    told.tell(ev.MoveOrdered(told.next, "fuel"))
    told.plays()
    before = told.state.seq
    asked = told.next
    told.plays()
    told.tell(ev.Rewound(before, asked, "player"))
    told.tell(ev.MoveCorrected(asked, "host", "typo"))
    told.plays(engine.default_move(told.state, asked))
    told.tell(ev.DraftPlayed(told.next))
    told.plays()
    told.tell(ev.MadeBySitter(told.next, "Eva"))
    told.plays()
    return told.ends()


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_what_happens_to_people_is_judged(auction: str) -> None:
    log = everything_happens(auction)
    found = judge(log)
    assert found.difference is None, str(found.difference)
    assert any(fact.startswith("GraceGiven") for fact in found.unchecked)


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_numbers_of_what_happens_to_people_are_refused_at_their_event(auction: str) -> None:
    assert check_forgeries(everything_happens(auction)) > 60


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_another_seat_where_people_are_told_of(auction: str) -> None:
    log = everything_happens(auction)
    for i, event in enumerate(log):
        if isinstance(event, ev.MoveOrdered | ev.TurnMissed | ev.MoveCorrected | ev.MadeBySitter):
            forged = replace(event, seat=Seat((event.seat + 1) % 3))
            found = judge((*log[:i], forged, *log[i + 1 :])).difference
            assert found is not None, event
            assert found.seq in (i + 1, i + 2)


def test_a_sealed_bid_that_was_taken_back_is_judged() -> None:
    told = Told("sealed")
    told.plays()
    seat, before = told.next, told.state.seq
    told.plays()
    told.tell(ev.Rewound(before, seat, "player"))
    told.sealed = {s: told.sealed[s] for s in told.state.auction.given}
    assert judge(told.ends()).sound


def test_nobody_goes_back_beyond_a_reveal() -> None:
    told = Told()
    while not any(isinstance(e, ev.PlantDrawn) for e in told.log):
        before = told.state.seq
        told.plays()
    told.tell(ev.Rewound(before, Seat(0), "consent"))
    found = judge(tuple(told.log)).difference
    assert found is not None
    assert "beyond event" in str(found)


def test_going_back_into_the_middle_of_a_move_is_refused() -> None:
    told = Told("sealed")
    told.plays()
    told.tell(ev.Rewound(told.state.seq - 1, Seat(0), "player"))
    found = judge(tuple(told.log)).difference
    assert found is not None
    assert found.seq == len(told.log)


@pytest.mark.parametrize("moves", [3, 30])
def test_a_game_stopped_early_is_judged(moves: int) -> None:
    told = Told()
    told.plays(moves=moves)
    told.tell(ev.GameAbandoned("", SEED, "vote"))
    assert judge(tuple(told.log)).sound
    told.tell(ev.OrdersRevealed((ev.RevealedOrder(Seat(0), "power all", 2, 3, "ended"),)))
    assert judge(tuple(told.log)).sound


def test_a_missed_turn_is_followed_by_the_default_move() -> None:
    told = Told()
    told.plays(moves=9)
    while told.state.phase is not told.state.phase.RESOURCES:
        told.plays()
    told.tell(ev.TurnMissed(told.next))
    offer = engine.options(told.state, told.next)
    fuel = offer.fuels[0].resource  # type: ignore[union-attr]
    told.plays(BuyResources(Fuel.of(fuel, 1)))
    found = judge(tuple(told.log)).difference
    assert found is not None
    assert "default move" in str(found)


def test_a_seat_that_never_came_is_offered_first() -> None:
    told = Told()
    told.tell(ev.TurnMissed(told.next), ev.SeatOpened(told.next), ev.SeatTaken(told.next, "D", "B"))
    assert judge(told.ends()).sound


# --- other forgeries ---------------------------------------------------------------------------


def refused(log: Log) -> tuple[int, str]:
    found = judge(log).difference
    assert found is not None
    assert found.logged, str(found)
    assert found.ruled, str(found)
    return found.seq, str(found)


def where(log: Log, kind: type, after: int = 40) -> int:
    return next(i for i, e in enumerate(log) if i > after and isinstance(e, kind))


def changed(log: Log, i: int, **change: Any) -> Log:
    return (*log[:i], replace(log[i], **change), *log[i + 1 :])


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_events_swapped_left_out_or_told_twice_are_refused(auction: str) -> None:
    """But where nothing follows from the order: those who run their plants, or bid, at once."""
    log = game("recharged", 4, auction=auction)
    at_once = (ev.PlantsRun, ev.SealedBidGiven, ev.CityConnected)
    for i in range(1, len(log) - 1, 23):
        seq, said = refused((*log[:i], *log[i + 1 :]))
        assert seq in (i + 1, i + 2) or (seq > i and isinstance(log[i], at_once)), said
        refused((*log[: i + 1], *log[i:]))
        if log[i] != log[i + 1] and not isinstance(log[i], at_once):
            assert refused((*log[:i], log[i + 1], log[i], *log[i + 2 :]))[0] in (i + 1, i + 2)


def test_another_plant_put_up_than_sold_is_refused_where_it_was_put_up() -> None:
    log = game()
    for i, event in enumerate(log[60:200], 60):
        if isinstance(event, ev.AuctionOpened):
            state = engine_state(log[:i])
            for other in {*state.market.actual} - {event.plant}:
                assert refused(changed(log, i, plant=other))[0] == i + 1


def engine_state(log: Log) -> Any:
    fold = Fold()
    for event in log:
        fold.add(event)
    return fold.state


def test_a_bid_below_the_least_is_refused_in_words() -> None:
    log = game()
    i = where(log, ev.BidPlaced, 5)
    seq, said = refused(changed(log, i, amount=Elektro(1)))
    assert seq == i + 1
    assert "the log says bid 1, the rules refuse it (" in said


def test_money_given_back_and_a_city_for_another_are_refused() -> None:
    log = game()
    i = where(log, ev.FuelBought)
    assert refused(changed(log, i, cost=Elektro(-5)))[0] == i + 1
    i = where(log, ev.CityConnected)
    taken = next(e.city for e in log if isinstance(e, ev.CityConnected))
    assert refused(changed(log, i, city=taken))[0] == i + 1


def test_a_game_that_ends_too_early_too_late_or_otherwise_is_refused() -> None:
    log = game()
    end = log[-1]
    assert isinstance(end, ev.GameEnded)
    seq, said = refused((*log[:-60], end))
    assert seq == len(log) - 59
    assert "GameEnded" in said
    assert refused((*log, end))[0] == len(log) + 1
    tied = tuple(replace(s, place=1) for s in end.standings)
    assert refused((*log[:-1], replace(end, standings=tied)))[0] == len(log)


@pytest.mark.parametrize("edition", [0, 99])
def test_another_edition_is_refused(edition: int) -> None:
    found = judge(changed(game(), 0, edition=edition)).difference
    assert found is not None
    assert found.seq == 1


def test_rules_that_are_not_those_of_the_preset_are_named() -> None:
    log = game(players=3)
    started = log[0]
    assert isinstance(started, ev.GameStarted)
    assert not [fact for fact in judge(log).unchecked if "differ" in fact]
    payment = (*started.ruleset.payment[:-1], Elektro(999))
    rules = replace(started.ruleset, payment=payment)
    named = [
        f for f in judge((replace(started, ruleset=rules), *log[1:])).unchecked if "differ" in f
    ]
    assert named == ["the rules themselves, which differ from standard on germany in: payment"]
    dear = replace(started.ruleset, starting_elektro=Elektro(51))
    assert refused((replace(started, ruleset=dear), *log[1:]))[0] > 1
    sealed = judge(game(players=3, auction="sealed")).unchecked
    assert [fact for fact in sealed if fact.endswith("on germany in: auction")]


def test_a_move_with_a_choice_was_not_forced() -> None:
    told = Told()
    told.plays(moves=4)
    told.tell(ev.MoveForced(told.next))
    told.plays()
    assert "MoveForced: has the seat a choice?" in refused(tuple(told.log))[1]


@pytest.mark.parametrize("change", [{"made": 3}, {"seat": Seat(9)}, {"made": 900}])
def test_k3_a_bid_ordered_is_one_of_the_auction_before(change: dict[str, Any]) -> None:
    told = Told()
    while not any(isinstance(e, ev.BidPlaced) for e in told.log):
        told.plays()
    made = next(n for n, e in enumerate(told.log, 1) if isinstance(e, ev.BidPlaced))
    while not any(isinstance(e, ev.PlantBought) for e in told.log[made:]):
        told.plays()
    told.tell(ev.MoveOrdered(told.log[made - 1].seat, "limit", made))  # type: ignore[attr-defined]
    at = len(told.log)
    log = told.ends()
    assert judge(log).sound
    assert refused(changed(log, at - 1, **change))[0] == at


def test_what_was_taken_back_is_the_move_of_the_seat_that_says_so() -> None:
    told = Told()
    told.plays(moves=8)
    while told.state.phase is not told.state.phase.RESOURCES:
        told.plays()
    before, seat = told.state.seq, told.next
    told.plays()
    told.tell(ev.Rewound(before, seat, "player"))
    at = len(told.log)
    log = told.ends()
    assert judge(log).sound
    assert refused(changed(log, at - 1, seat=Seat((seat + 1) % 3)))[0] == at
    assert refused(changed(log, at - 1, to=before + 1))[0] == at
    assert refused(changed(log, at - 1, again=True))[0] == at


@pytest.mark.parametrize(
    "event",
    [ev.CaretakerAppointed(Seat(1)), ev.GamePaused("host", ""), ev.SeatTaken(Seat(1), "D", "B")],
)
def test_what_happens_to_people_is_not_told_twice(event: Event) -> None:
    told = Told()
    told.plays(moves=2)
    told.tell(event, event)
    assert refused(told.ends())[0] == len(told.log[: told.log.index(event) + 2])


def test_a_move_is_announced_once() -> None:
    told = Told()
    told.plays(moves=2)
    told.tell(ev.DraftPlayed(told.next), ev.DraftPlayed(told.next))
    at = len(told.log)
    seq, said = refused(told.ends())
    assert (seq, "a move was announced already, by DraftPlayed" in said) == (at, True)


def test_a_game_that_was_not_paused_does_not_go_on() -> None:
    told = Told()
    told.plays(moves=2)
    told.tell(ev.GameResumed("host", ""))
    assert refused(told.ends())[0] == told.log.index(ev.GameResumed("host", "")) + 1
