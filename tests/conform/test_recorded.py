"""Games recorded elsewhere replay without a difference, where the recordings are at hand."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from webapp.instruments.conform.command import conform

TRACES = Path(__file__).parents[3] / "shared" / "traces"


@pytest.mark.skipif(not TRACES.is_dir(), reason="no recorded games at ../shared/traces")
def test_recorded_games_agree_position_by_position() -> None:
    result = CliRunner().invoke(conform, [str(TRACES), "--json"])
    assert result.exit_code == 0, result.output[-2000:]
    report = json.loads(result.output)
    assert len(report["games"]) == len(list(TRACES.glob("*.json"))) > 0
    assert report["differences"] == 0
    assert report["moves"] > 40_000
    habits = {habit for game in report["games"] for habit in game["habits"]}
    assert habits == {
        "draw-after-discard", "explicit-pass", "discount-price", "late-first-city", "any-storage",
        "any-storage moves",
    }  # fmt: skip
    compared: Counter[str] = sum((Counter(g["compared"]) for g in report["games"]), Counter())
    assert compared["positions"] > 0.99 * report["moves"]
