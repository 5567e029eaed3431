"""Random players on every map, variant and number of players: each game holds together and ends.

`make soak` plays a thousand games of each in the same way.
"""

from dataclasses import replace
from itertools import cycle

import pytest

from core.bots.random_bot import RandomBot
from core.game.events import Event, FuelRefilled, PlantDrawn
from core.game.evolve import evolve
from core.game.judge import Difference, Judgement
from core.game.rules import catalog
from core.game.rules import load as rules
from core.game.state import GameState
from core.game.types import Fuel, PlantNumber
from webapp.instruments import soak
from webapp.instruments.selfplay import Match, play_out
from webapp.instruments.soak import Auditor, Table, Unsound

TABLES = soak.tables(("random",))
MIXED = soak.tables(("engineer", "random"))


def test_every_variant_map_and_number_of_players_is_there() -> None:
    everything = len(catalog.variants()) * len(catalog.maps()) * 5
    assert len({table.key for table in TABLES}) == len(TABLES) == everything
    assert {table.bots for table in MIXED if table.players == 3} == {
        ("engineer", "random", "engineer")
    }


def test_a_table_plays_both_auctions_with_both_choices_of_regions() -> None:
    played = [dict(TABLES[0].options(n)) for n in range(8)]
    assert len({(o["auction"], o["region_choice"]) for o in played}) == 4
    assert played[:4] == played[4:]


OF = {(table.map, table.players, table.variant): table for table in TABLES}
SOME = [
    OF[map_, players, variant.key]
    for (map_, players), variant in zip(
        dict.fromkeys((t.map, t.players) for t in TABLES), cycle(catalog.variants()), strict=False
    )
]
"""Each map with each number of players, the variants in turn: `make soak` plays all of all."""


def test_some_are_of_every_map_variant_and_number_of_players() -> None:
    for seen in ("map", "variant", "players"):
        assert {getattr(t, seen) for t in SOME} == {getattr(t, seen) for t in TABLES}


@pytest.mark.parametrize("table", SOME, ids=lambda table: table.key)
def test_random_games_hold_together_and_end(table: Table) -> None:
    turn = TABLES.index(table)
    assert soak.play(table, turn, f"{turn:064x}").moves > 0


@pytest.mark.parametrize("table", MIXED[::13], ids=lambda table: table.key)
def test_games_against_somebody_who_plays_well_do_so_too(table: Table) -> None:
    turn = MIXED.index(table)
    assert soak.play(table, turn, f"{turn:064x}").moves > 0


def some_game() -> list[tuple[GameState, Event, GameState]]:
    seen: list[tuple[GameState, Event, GameState]] = []

    def watch(before: GameState | None, event: Event, after: GameState) -> None:
        if before is not None:
            seen.append((before, event, after))

    game = Match(rules.load("germany"), 3, "x", watch=watch)
    play_out(game, [RandomBot(str(seat)) for seat in range(3)])
    return seen


@pytest.mark.parametrize(
    ("kind", "change", "reason"),
    [
        (FuelRefilled, {"supply": Fuel(24, 24, 24, 12)}, "there were .24, 24, 24, 12. tokens"),
        (FuelRefilled, {"supply": Fuel(coal=-1)}, "fuel is taken from where there is none"),
        (PlantDrawn, {"boxed": ()}, "cards are there that were not"),
        (PlantDrawn, {"stack": (PlantNumber(4), PlantNumber(4))}, "plant 4 is in two places"),
    ],
)
def test_what_is_lost_or_made_is_noticed(
    kind: type[Event], change: dict[str, object], reason: str
) -> None:
    auditor, seen = Auditor(), some_game()
    auditor.check(None, seen[0][1], seen[0][0])
    at = max(i for i, (_, event, _) in enumerate(seen) if isinstance(event, kind))
    for before, event, after in seen[:at]:
        auditor.check(before, event, after)
    before, event, _ = seen[at]
    with pytest.raises(Unsound, match=rf"^event \d+, {event.type}: {reason}"):
        auditor.check(before, event, replace(evolve(before, event), **change))


def test_a_file_that_tells_another_game_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = soak.dump
    monkeypatch.setattr(soak, "dump", lambda log: list(lines(log))[:-1])
    with pytest.raises(Unsound, match="its file tells another game"):
        soak.play(TABLES[0], 0, "x")
    assert soak.play(TABLES[0], 1, "x").moves > 0  # only every twentieth is read back


def test_every_game_is_judged_by_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Judgement(1, 3, Difference(7, "FuelBought: cost", "1", "9"), ())
    monkeypatch.setattr(soak, "judge", lambda _events: wrong)
    with pytest.raises(Unsound, match="not by its rules: event 7: FuelBought: cost"):
        soak.play(TABLES[0], 1, "x")
