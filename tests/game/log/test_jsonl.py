"""A game as a file: read back as it was written, or refused with line and reason."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.bots.random_bot import RandomBot
from core.game.errors import LogError
from core.game.events import Event, PlantsRun, SealedBidsOpened
from core.game.evolve import replay
from core.game.judge import judge
from core.game.log.jsonl import GameLog, dump, load, log_of
from core.game.log.redact import redact, redact_one
from core.game.rules import load as rules
from core.game.types import UNSEEN
from webapp.instruments.selfplay import play_game

NAMES = ("Anna", "Ben", "Chloë")
BEGAN = datetime(2026, 11, 30, 9, tzinfo=UTC)
Body = dict[str, Any]


@cache
def game() -> GameLog:
    events = play_game(rules.load("germany"), [RandomBot(name) for name in NAMES], "2a" * 32)
    return log_of(events, NAMES, [BEGAN + timedelta(minutes=n) for n in range(len(events))])


def lines() -> list[str]:
    return list(dump(game()))


def test_a_file_is_read_back_as_it_was_written() -> None:
    assert load(lines()) == game()
    assert list(dump(load(lines()))) == lines()


def test_every_position_folds_from_the_file() -> None:
    read = load(lines())
    live = None
    for n, event in enumerate(game().events, start=1):
        live = replay([event], live)
        if n % 50 == 0:
            assert replay(read.events[:n]) == live
    assert replay(read.events) == live


def test_the_header_says_what_game_it_is() -> None:
    header = json.loads(lines()[0])
    assert header.pop("engine")
    assert header == {
        "format": "kraftpost-log",
        "version": 1,
        "names": list(NAMES),
        "map": "germany",
        "variant": "standard",
    }


def test_each_line_holds_one_event_with_number_and_time() -> None:
    entry = json.loads(lines()[2])
    assert (entry["seq"], entry["at"]) == (2, "2026-11-30T09:01:00Z")
    assert entry["event"]["type"] == "RoundBegan"


def test_times_of_other_zones_are_written_in_utc() -> None:
    zone = timezone(timedelta(hours=7))
    log = log_of(game().events[:1], NAMES, [BEGAN.astimezone(zone)])
    assert json.loads(list(dump(log))[1])["at"] == "2026-11-30T09:00:00Z"


def test_a_game_without_a_clock_has_no_times() -> None:
    log = log_of(game().events, NAMES)
    assert load(dump(log)) == log


def test_a_log_begins_with_its_game() -> None:
    with pytest.raises(LogError, match="starts with GameStarted"):
        log_of(game().events[1:], NAMES)


def _header(**changes: object) -> Callable[[list[str]], None]:
    return _line(0, lambda body: body.update(changes))


def _event(n: int, **changes: object) -> Callable[[list[str]], None]:
    return _line(n, lambda body: body["event"].update(changes))


def _entry(n: int, **changes: object) -> Callable[[list[str]], None]:
    return _line(n, lambda body: body.update(changes))


def _line(n: int, change: Callable[[Body], None]) -> Callable[[list[str]], None]:
    def spoil(file: list[str]) -> None:
        body = json.loads(file[n])
        change(body)
        file[n] = json.dumps(body)

    return spoil


def _no(kind: str) -> int:
    """Line, counted from 0, of the first event of a kind."""
    return next(n for n, line in enumerate(lines()) if f'"type":"{kind}"' in line)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda file: file.clear(), "Line 1: not JSON"),
        (lambda file: file.__setitem__(0, "[1]"), "Line 1: not a JSON object."),
        (_header(format="other"), "Line 1: this is no kraftpost-log."),
        (_header(version=2), "Line 1: the format has version 2; known is 1."),
        (_header(names="Anna"), "Line 1: the header needs names, map, variant and engine."),
        (_header(names=["Anna"]), "Line 1: names: there are 3 seats."),
        (_header(map=None), "Line 1: the header needs names, map, variant and engine."),
        (lambda file: file.__delitem__(slice(1, None)), "Line 1: there is no event behind"),
        (lambda file: file.__setitem__(3, file[3][:-20]), "Line 4: not JSON"),
        (lambda file: file.__setitem__(3, "[" * 100_000), "Line 4: not JSON"),
        (lambda file: file.__setitem__(3, '"' + "x" * 200_000), "Line 4: longer than 200000"),
        (lambda file: file.__delitem__(3), "Line 4: event 3 is missing; here is 4."),
        (lambda file: file.insert(4, file[3]), "Line 5: event 4 is missing; here is 3."),
        (_entry(3, at="yesterday"), "Line 4: 'yesterday' is no time."),
        (_entry(3, at="2026-11-30T09:00:00"), "Line 4: '2026-11-30T09:00:00' is not in UTC."),
        (_entry(3, at="2026-11-30T08:00:00Z"), "Line 4: it happens before the event above it."),
        (_entry(3, event=None), "Line 4: there is no event."),
        (_event(3, type="Nonsense"), "Line 4: There is no event 'Nonsense'."),
        (_event(3, v=9), "Line 4: PhaseBegan has version 9; known are 1 to 1."),
        (_event(3, colour="red"), "Line 4: PhaseBegan: colour is not known."),
    ],
)  # fmt: skip
def test_m62_broken_files_are_refused_with_line_and_reason(
    spoil: Callable[[list[str]], None], reason: str
) -> None:
    file = lines()
    spoil(file)
    with pytest.raises(LogError) as refused:
        load(file)
    assert str(refused.value).startswith(reason)


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("PlantBought", {"seat": 7}, "PlantBought"),
        ("PlantBought", {"seat": -1}, "cannot be: there is no seat -1."),
        ("PlantBought", {"price": 51}, "cannot be: seat . has spent more than it had."),
        ("PlantBought", {"plant": 41}, "cannot be: there is no plant 41."),
        ("PlantBought", {"market": {"actual": [3, 4, 5, 6], "future": [7, 8, 9, 10]}},
         "cannot be: plant . is in two places."),
        ("FuelBought", {"amounts": {"coal": 30, "oil": 0, "garbage": 0, "uranium": 0}},
         "cannot be: fuel is taken from where there is none."),
        ("FuelRefilled", {"amounts": {"coal": 20, "oil": 0, "garbage": 0, "uranium": 0}},
         "cannot be: fuel is taken from where there is none."),
        ("CityConnected", {"city": "atlantis"}, "a city that is not on the map."),
        ("AuctionOpened", {"bidders": []}, "does not fit the position before it."),
        ("BidPlaced", {"type": "GameStarted"}, "GameStarted"),
    ],
)  # fmt: skip
def test_events_that_cannot_follow_are_refused(kind: str, changes: Body, reason: str) -> None:
    file = lines()
    _event(_no(kind), **changes)(file)
    with pytest.raises(LogError, match=reason) as refused:
        load(file)
    assert re.match(r"Line \d+: ", str(refused.value))


def test_nobody_builds_twice_in_one_city() -> None:
    file = lines()
    built: dict[int, str] = {}
    for n, line in enumerate(file[1:], start=1):
        event = json.loads(line)["event"]
        if event["type"] == "CityConnected":
            if event["seat"] in built:
                _event(n, city=built[event["seat"]])(file)
                break
            built[event["seat"]] = event["city"]
    with pytest.raises(LogError, match=r"cannot be: seat \d is twice in one city"):
        load(file)


def test_nothing_happens_after_the_end() -> None:
    file = lines()
    body = json.loads(file[-1])
    missed = {"type": "TurnMissed", "v": 1, "seat": 0}
    file.append(json.dumps({"seq": body["seq"] + 1, "at": None, "event": missed}))
    with pytest.raises(LogError, match="TurnMissed cannot be: the game is over before it"):
        load(file)


def test_the_log_of_a_running_game_hides_what_nobody_has_seen() -> None:
    running = game().events[:-1]
    shown = redact(running)
    assert set(shown[0].stack) == set(shown[0].boxed) == {UNSEEN}
    assert len(shown[0].stack) == len(running[0].stack)
    assert len(shown) == len(running)
    seed, stack = "2a" * 32, json.dumps(list(running[0].stack))[1:-1].replace(" ", "")
    text = "".join(dump(log_of(shown, NAMES)))
    assert seed not in text
    assert stack not in text
    read = load(dump(log_of(shown, NAMES)))
    after, real = replay(read.events), replay(running)
    assert (after.players, after.market, after.fuel_market) == (
        real.players, real.market, real.fuel_market
    )  # fmt: skip


def test_a_reshuffled_stack_is_hidden_too() -> None:
    kinds = {event.type: event for event in redact(game().events[:-1])}
    assert set(kinds["StackShuffled"].stack) == {UNSEEN}


def test_a_finished_game_hides_nothing() -> None:
    assert redact(game().events) == game().events
    assert redact([]) == ()


def test_the_page_on_the_format_shows_a_real_file() -> None:
    page = (Path(__file__).parents[3] / "docs" / "log-format.md").read_text("utf-8")
    shown = re.search(r"```jsonl\n(.*?)```", page, re.DOTALL)
    assert shown
    header, *entries = map(json.loads, shown[1].splitlines())
    assert header.keys() == json.loads(lines()[0]).keys()
    kinds = {json.loads(line)["event"]["type"]: json.loads(line) for line in lines()[1:]}
    for entry in entries:
        real = kinds[entry["event"]["type"]]
        assert (entry.keys(), entry["event"].keys()) == (real.keys(), real["event"].keys())


def sealed(**options: str) -> list[Event]:
    sealed_rules = rules.load("germany", options={"auction": "sealed", **options})
    return play_game(sealed_rules, [RandomBot(str(n)) for n in range(4)], "5ea1")


def test_k4_a_sealed_winners_maximum_is_told_with_the_end() -> None:
    whole = sealed()
    for end in range(2, len(whole)):
        if isinstance(whole[end - 1], SealedBidsOpened):
            (*_rest, opened) = redact(whole[:end])
            assert opened != whole[end - 1]  # also before the sale is told
    shown = redact(whole[:-1])
    for told, true, sale in zip(shown, whole, whole[1:], strict=False):
        if isinstance(true, SealedBidsOpened):
            (winner,) = [bid for bid in told.bids if bid.hidden]
            assert (winner.seat, winner.maximum) == (sale.seat, None)
            assert [b for b in told.bids if not b.hidden] == [
                b for b in true.bids if b.seat != sale.seat
            ]
    assert redact(whole) == tuple(whole)
    assert redact(sealed(reveal_sealed_bids="at_once")[:-1])[5:] == tuple(
        redact_one(e) for e in sealed(reveal_sealed_bids="at_once")[5:-1]
    )
    assert judge(shown[: shown.index(next(e for e in shown if isinstance(e, PlantsRun)))]).moves
