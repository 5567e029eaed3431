"""A map by data alone: a file in some folder is loaded, checked, played, verified and looked at."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from core.bots import CARETAKER, bot
from core.game.events import GameEnded
from core.game.log.jsonl import log_of
from core.game.rules import check
from core.game.rules.load import load
from core.game.verify import verify
from core.table.people import archive
from tests.support.site import Site
from webapp.cli import main
from webapp.instruments.selfplay import play_game

REGIONS = ("north", "east", "south", "west")
PER_REGION = 4


def _island() -> str:
    """Four regions around a mountain, in a ring, with a line inside each and one to the next."""
    cities, lines = [], []
    names = [f"{region}{n}" for region in REGIONS for n in range(PER_REGION)]
    for i, name in enumerate(names):
        lat, lon = 10 + (i % 8) * 0.9, 20 + (i // 8) * 2.1 + (i % 2) * 0.7
        region = name[:-1]
        cities.append(
            f'{name} = {{ name = "{name.title()}", region = "{region}", lat = {lat}, lon = {lon} }}'
        )
        lines.append(f"{name} = {{ {names[(i + 1) % len(names)]} = {3 + i % 5} }}")
    regions = "\n".join(f'{region} = "{region.title()}"' for region in REGIONS)
    return f"""
name = "The island"
description = "It is nowhere."
[regions]
{regions}
[cities]
{chr(10).join(cities)}
[connections]
{chr(10).join(lines)}
[rules]
regions_in_play = [2, 2, 3, 4, 4]
step2_cities = [4, 4, 4, 4, 4]
end_cities = [8, 7, 7, 7, 7]
uranium = {{ start_from = 5 }}
removed_plants = [13]
first_plant = 11
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the map in it."""
    made = tmp_path / "maps"
    made.mkdir()
    (made / "island.toml").write_text(_island(), "utf-8")
    return made


def test_it_is_checked(folder: Path) -> None:
    assert check.problems(load("island", extra_dir=folder)) == ()
    words = ["check-map", "island", "--dir", str(folder), "--games", "2"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("players", [2, 4, 6])
def test_it_is_played_to_the_end_verified_and_looked_at(
    site: Site, folder: Path, players: int
) -> None:
    rules = load("island", extra_dir=folder)
    events = play_game(rules, [bot(CARETAKER)] * players, "island")
    assert isinstance(events[-1], GameEnded)
    assert events[0].stack[0] == 11
    assert verify(events).fair
    with site.house.write() as s:
        log = log_of(events, [f"Bot {n}" for n in range(players)])
        game_id = archive.import_log(s, log, site.house.now).id
    visitor = site.visitor()
    for path in ("", "/at/1", f"/at/{len(events)}", "/rules"):  # the map is not among the maps here
        assert visitor.get(f"/games/{game_id}{path}").status_code == 200
    assert "The island" in visitor.page(f"/games/{game_id}/rules")
