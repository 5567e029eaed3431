"""The log in words: a sentence for each event, and a report in which every Elektro is told."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from core.bots.engineer import Engineer
from core.game import events as ev
from core.game.events import Event, PlantBought, SealedBid, SealedBidsOpened, Standing
from core.game.evolve import replay
from core.game.log import codec
from core.game.log.jsonl import Entry, log_of
from core.game.narrate import report
from core.game.narrate.lines import Narrator, boxed
from core.game.narrate.report import RoundReport
from core.game.narrate.wording import victory
from core.game.rules.load import load
from core.game.types import Fuel, Phase
from webapp.instruments.selfplay import play_game

NAMES = ("Anna", "Ben", "Clara", "David")
TIES = ("powered", "money", "cities", "shared")


@cache
def played(auction: str, hidden: bool) -> tuple[Entry, ...]:
    ruleset = load("germany", options={"auction": auction, "hidden_money": hidden})
    return log_of(play_game(ruleset, [Engineer()] * 4, "aa" * 32), NAMES).entries


def texts(rounds: tuple[RoundReport, ...]) -> list[str]:
    return [line.text for r in rounds for p in r.phases for line in p.lines]


def narrator() -> Narrator:
    return Narrator(load("germany"), NAMES)


def samples() -> list[Event]:
    file = Path(__file__).parent / "log" / "samples.jsonl"
    return [codec.decode(json.loads(line)) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("event", samples(), ids=lambda event: event.type)
def test_every_event_is_told_in_one_whole_sentence(event: Event) -> None:
    line = narrator().line(event)
    if isinstance(event, ev.BuildingEnded | ev.MoveForced):
        assert line is None
    else:
        assert line
        assert line[0].isupper()
        assert not set("{}\n") & set(line)


@pytest.mark.parametrize("because", get_args(ev.BoxedBecause))
def test_every_reason_to_box_a_plant_is_told(because: ev.BoxedBecause) -> None:
    text = boxed(ev.PlantBoxed(9, because, ev.PlantMarket((), ())))
    assert "plant 9" in text


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ev.FuelBought(0, Fuel(coal=2, oil=3), 19), "Anna bought 2 coal, 3 oil for 19."),
        (ev.FuelBought(0, Fuel(), 0), "Anna bought no fuel."),
        (
            ev.CityConnected(1, "essen", 15, 6, ("munster", "essen")),
            "Ben built in Essen for 21 (house 15, 6 by way of Münster).",
        ),
        (ev.CityConnected(1, "essen", 10, 0, ("essen",)), "Ben built in Essen for 10."),
        (
            ev.PlantsRun(2, (4, 13), Fuel(coal=2), 2, 33),
            "Clara ran 4 and 13, burned 2 coal, powered 2 cities, was paid 33.",
        ),
        (ev.PlantsRun(2, (), Fuel(), 0, 10), "Clara powered nothing and was paid 10."),
        (ev.PlantDiscarded(3, 4, Fuel(coal=1)), "David gave up plant 4 and lost 1 coal."),
        (
            ev.PlantDrawn(99, ev.PlantMarket((), ())),
            "The Step 3 card came to the market.",
        ),
    ],
)
def test_what_an_event_cost_and_brought_is_in_its_sentence(event: Event, line: str) -> None:
    assert narrator().line(event) == line


@pytest.mark.parametrize(
    ("bids", "winner", "price", "line"),
    [
        ({0: 15, 1: 10}, 0, 11, "Anna bought plant 4 for 11: Ben's limit was 10."),
        (
            {0: 15, 1: 10, 2: 15},
            0,
            15,
            "Anna bought plant 4 for 15: Clara's limit was 15, and Anna came first in "
            "bidding order.",
        ),
        ({0: 15, 1: None}, 0, 4, "Anna bought plant 4 for 4: nobody else bid."),
    ],
)
def test_a_sealed_auction_explains_its_price(
    bids: dict[int, int | None], winner: int, price: int, line: str
) -> None:
    told = narrator()
    opened = SealedBidsOpened(tuple(SealedBid(seat, most) for seat, most in bids.items()))
    assert told.line(opened)
    sale = PlantBought(winner, 4, price, ev.PlantMarket((), ()))
    assert told.line(sale) == line
    assert told.line(sale) == f"Anna bought plant 4 for {price}."


@pytest.mark.parametrize(
    ("second", "line"),
    [
        ((15, 99, 17), "Anna won with 16 cities powered; Ben powered 15."),
        ((16, 39, 17), "Anna won: Ben powered 16 cities too, but had 39 Elektro to 40."),
        (
            (16, 40, 16),
            "Anna won: Ben powered 16 cities too and had as much money, but a network of 16 to 17.",
        ),
    ],
)
def test_the_end_spells_out_the_tie_break(second: tuple[int, int, int], line: str) -> None:
    standings = (Standing(0, 1, 16, 40, 17), Standing(1, 2, *second))
    assert victory(standings, TIES, lambda seat: NAMES[seat]) == line


def test_a_shared_victory_names_all_winners() -> None:
    standings = tuple(Standing(seat, 1, 16, 40, 17) for seat in range(2))
    line = victory(standings, TIES, lambda seat: NAMES[seat])
    assert line == "Anna and Ben share the victory: 16 cities powered, 40 Elektro each."


_SPENT = re.compile(r"^(\w+) (?:bought|built)\b.*? for (\d+)(?: |,|\.|;)")
_ONE_CITY = re.compile(r"^(\w+) built in [^,]+ \((\d+)\)(?:, has \d+)?\.$")
_EARNED = re.compile(r"(\w+) (\d+) for \d+ cit")


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_every_elektro_is_in_the_report(auction: str) -> None:
    log = played(auction, hidden=False)
    state = replay(entry.event for entry in log)
    purse = Counter(dict.fromkeys(NAMES, state.ruleset.starting_elektro))
    for line in texts(report(log, NAMES)):
        if line.startswith("Income: "):
            for name, income in _EARNED.findall(line):
                purse[name] += int(income)
        elif match := _ONE_CITY.match(line) or _SPENT.match(line):
            purse[match[1]] -= int(match[2])
        if told := re.search(r"^(\w+) .*, has (\d+)", line):
            assert purse[told[1]] == int(told[2]), line
    assert [purse[name] for name in NAMES] == [p.elektro for p in state.players]


def test_a_report_is_short() -> None:
    log = played("open", hidden=True)
    rounds = [r for r in report(log, NAMES) if 1 <= r.number <= 5]
    sixth = [r for r in report(log, NAMES) if r.number == 6]
    half = [line for p in sixth[0].phases[:2] for line in p.lines]
    assert len(texts(tuple(rounds))) + len(half) < 80


def test_a_report_goes_by_round_and_phase() -> None:
    rounds = report(played("open", hidden=False), NAMES)
    assert [r.number for r in rounds] == list(range(len(rounds)))
    assert rounds[1].title.startswith("Round 1 · Step 1 · ")
    assert [p.phase for p in rounds[1].phases] == [
        Phase.AUCTION,
        Phase.RESOURCES,
        Phase.BUILDING,
        Phase.BUREAUCRACY,
    ]
    assert rounds[-1].phases[-1].phase is Phase.FINISHED


def test_lines_cover_the_log_and_name_who_took_part() -> None:
    log = played("open", hidden=False)
    lines = [line for r in report(log, NAMES) for p in r.phases for line in p.lines]
    assert lines[0].first == 1
    assert lines[-1].last == len(log)
    for line in lines:
        assert line.first <= line.last
        assert all(NAMES[seat] in line.text for seat in line.seats[:1])


def test_only_what_the_reader_has_not_seen_is_new() -> None:
    log = played("open", hidden=False)
    lines = [line for r in report(log, NAMES, new_from=200) for p in r.phases for line in p.lines]
    assert all(line.new == (line.last >= 200) for line in lines)
    assert {line.new for line in lines} == {True, False}


def test_hidden_money_is_told_to_its_owner_only_while_the_game_runs() -> None:
    log = played("open", hidden=True)
    running = texts(report(log[:-1], NAMES, viewer=0))
    assert any(re.search(r"Anna .*has \d+", text) for text in running)
    parts = [part for text in running for part in text.removeprefix("Income: ").split("; ")]
    assert not any(re.match(r"(Ben|Clara|David)\b.*, has \d+", part) for part in parts)
    assert not any("has " in re.sub("has become", "", text)
                   for text in texts(report(log[:-1], NAMES)))  # fmt: skip
    assert any(re.search(r"^Ben .*, has \d+", text) for text in texts(report(log, NAMES)))


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_a_report_may_go_on_from_any_position(auction: str) -> None:
    log = played(auction, hidden=False)
    whole = texts(report(log, NAMES))
    for n in range(1, len(log), 7):
        before = replay(entry.event for entry in log[:n])
        news = texts(report(log[n:], NAMES, start=before))
        assert news[-1] == whole[-1]
        assert all(len(text) > 5 for text in news)


def test_without_a_position_a_report_needs_the_first_event() -> None:
    with pytest.raises(ValueError, match="needs its position"):
        report(played("open", hidden=False)[5:], NAMES)
    assert report([], NAMES) == ()


@pytest.mark.parametrize(
    ("auction", "seen"),
    [
        ("open", "put up plant 4 at 4; bids so far: "),
        ("sealed", "put up plant 4 at 4; sealed bids are in from "),
    ],
)
def test_an_auction_that_is_still_open_tells_how_far_it_is(auction: str, seen: str) -> None:
    log = played(auction, hidden=False)
    n = next(n for n, e in enumerate(log) if e.event.type in ("BidPassed", "SealedBidGiven"))
    assert seen in texts(report(log[: n + 1], NAMES))[-1]


def test_absence_and_host_acts_are_told() -> None:
    log = [e.event for e in played("open", hidden=False)[:3]]
    log += [ev.TurnMissed(1), ev.CaretakerAppointed(1), ev.OwnerReturned(1)]
    moved = ev.DeadlineMoved(1, "2026-12-01T10:00:00+00:00", "2026-12-02T10:00:00+00:00")
    log += [ev.DeadlineExtended(24, "ill", "vote", (moved,))]
    log += [ev.DeadlineExtended(1, "holiday"), ev.GameAbandoned("nobody came back")]
    assert texts(report(log_of(log, NAMES).entries, NAMES))[1:] == [
        "Ben missed the turn.",
        "A bot plays for Ben from now on.",
        "Ben plays again.",
        "A majority of the players gave 24 hours more: ill "
        "(Ben: due 2026-12-02 10:00 UTC, before it was 2026-12-01 10:00 UTC)",
        "The host gave one hour more: holiday",
        "The host ended the game without a winner: nobody came back",
    ]
