"""`kraftpost judge`, and what `verify`, `import` and `corpus check` make of a forged game."""

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from core.settings import load as load_settings
from core.store.session import make_engine
from webapp.cli import main

GOLDEN = Path(__file__).parents[1] / "golden"
NAME = "standard-open.jsonl"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers
    return lambda *words: CliRunner().invoke(main, list(words))


def forged(folder: Path, kind: str, **changes: object) -> tuple[Path, int]:
    """The game with the last event of a kind changed; and the number of that event."""
    lines = (GOLDEN / NAME).read_text("utf-8").splitlines()
    for n in range(len(lines) - 1, 0, -1):
        body: dict[str, Any] = json.loads(lines[n])
        if body["event"]["type"] == kind and (kind, body["event"].get("house_cost")) != (kind, 0):
            body["event"].update(changes)
            lines[n] = json.dumps(body)
            break
    file = folder / "forged.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file, n


FORGERIES = [
    ("PlantsRun", {"income": 500}, "income: the log says 500, the rules "),
    ("CityConnected", {"house_cost": 0}, "house_cost: the log says 0, the rules 1"),
    ("FuelRefilled", {"amounts": {"coal": 0, "oil": 0, "garbage": 0, "uranium": 0}},
     "amounts: the log says nothing, the rules "),
]  # fmt: skip


def test_an_honest_game_is_by_the_rules(run):
    answer = run("judge", str(GOLDEN / NAME))
    assert (answer.exit_code, "by the rules." in answer.output) == (0, True)
    told = json.loads(run("judge", str(GOLDEN / NAME), "--json").stdout)
    assert (told["sound"], told["edition"], told["difference"]) == (True, 0, None)
    assert told["moves"] == 263


@pytest.mark.parametrize(("kind", "changes", "says"), FORGERIES)
def test_k1_a_forged_number_is_named_with_both_values(
    run, tmp_path: Path, kind: str, changes: dict[str, object], says: str
):
    file, n = forged(tmp_path, kind, **changes)
    for command in ("judge", "verify"):
        answer = run(command, str(file))
        assert answer.exit_code == 1
        assert f"event {n}: {kind}: {says}" in answer.output
    run("release")
    refused = run("import", str(file))
    assert refused.exit_code == 1
    assert f"event {n}: {kind}: {says}" in refused.output
    assert run("corpus", "check").output.startswith("0 games")


def test_k2_the_corpus_names_a_game_that_the_code_of_today_decides_otherwise(run):
    run("release")
    assert run("import", str(GOLDEN / NAME)).exit_code == 0
    engine = make_engine(load_settings().database_url)
    statement = (
        "update events set body = json_set(body, '$.order', json('[2,1,0]')) where seq = (select "
        "max(seq) from events where json_extract(body, '$.type') = 'RoundBegan')"
    )
    with engine.execution_options(kraftpost_writes=True).begin() as connection:
        connection.execute(text(statement))
        connection.execute(text("delete from positions"))
    engine.dispose()
    answer = run("corpus", "check")
    assert answer.exit_code == 1
    assert "Game 1: the code of today decides otherwise (edition 0): event " in answer.output
    assert "RoundBegan: order: the log says 2, 1, 0, the rules " in answer.output


@pytest.mark.parametrize("command", ["import", "export", "corpus", "game", "results"])
def test_k11_an_empty_data_folder_says_what_to_run(run, command: str):
    words = {
        "import": ("import", str(GOLDEN / NAME)), "export": ("export", "1"),
        "corpus": ("corpus", "check"), "game": ("game", "unflag", "1"),
        "results": ("results", "rebuild"),
    }[command]  # fmt: skip
    answer = run(*words)
    assert answer.exit_code == 1
    assert "run `kraftpost release` once" in answer.output
    assert "Traceback" not in answer.output


ENCODINGS: list[Callable[[str], bytes]] = [
    lambda s: s.encode("utf-8-sig"),
    lambda s: codecs.BOM_UTF16_LE + s.encode("utf-16-le"),
    lambda s: codecs.BOM_UTF16_BE + s.encode("utf-16-be"),
]


@pytest.mark.parametrize("encode", ENCODINGS)
@pytest.mark.parametrize("command", ["judge", "verify", "replay", "import"])
def test_k12_files_of_other_programs_are_read(run, tmp_path: Path, encode, command: str):
    run("release")
    file = tmp_path / "saved.jsonl"
    file.write_bytes(encode((GOLDEN / NAME).read_text("utf-8")))
    assert run(command, str(file)).exit_code == 0


def test_k12_what_is_no_utf_8_says_how_to_save_it(run, tmp_path: Path):
    file = tmp_path / "latin.jsonl"
    file.write_bytes((GOLDEN / NAME).read_text("utf-8").encode().replace(b"Player 1", b"J\xf6rg"))
    for command in ("judge", "verify", "replay"):
        assert "save it as UTF-8" in run(command, str(file)).output
