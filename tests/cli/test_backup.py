"""`kraftpost backup` and `restore`, and the units that `kraftpost service` writes (D4, D5)."""

import configparser
import json
import os
import shutil
import stat
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.settings import load
from core.store.session import make_engine
from core.store.tables import EventRow, Result
from tests.support.table import House
from tests.table.record.test_results import finish
from webapp.cli import main
from webapp.cli.common import held


@pytest.fixture
def run(tmp_path, monkeypatch, engine_url, request):
    """The command, on a data folder of its own, once with each database."""
    if engine_url.startswith("postgresql"):
        server = request.getfixturevalue("postgres_server")
        monkeypatch.setenv("PATH", f"{server.programs}{os.pathsep}{os.environ['PATH']}")
        if shutil.which("pg_dump") is None:
            pytest.skip("no pg_dump beside this PostgreSQL")
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", engine_url)
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers
    monkeypatch.delenv("SECRET_KEY", raising=False)
    runner = CliRunner()
    assert runner.invoke(main, ["release"]).exit_code == 0
    return lambda *words: runner.invoke(main, [str(word) for word in words])


def _play(url: str) -> tuple[int, list[EventRow]]:
    engine = make_engine(url)
    house = House(engine)
    game = finish(house, "Anna", "Ben", "")
    log = house.all(EventRow)
    engine.dispose()
    return game, log


def _rows(url: str, kind: type) -> list:
    engine = make_engine(url)
    rows = House(engine).all(kind)
    engine.dispose()
    return rows


def test_what_was_lost_comes_back_with_its_secret(run, engine_url, tmp_path):
    _, log = _play(engine_url)
    secret = load().secret_key
    copy = tmp_path / "elsewhere" / "copy.tar.gz"
    told = json.loads(run("backup", copy, "--json").stdout)
    assert told["file"] == str(copy) and told["bytes"] > 1000
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600, "it holds everybody's address"
    assert [one.name for one in copy.parent.iterdir()] == [copy.name], "nothing else is left there"

    _play(engine_url)  # what happens after the copy is lost with the disk
    shutil.rmtree(tmp_path / "data")
    if engine_url.startswith("sqlite"):
        Path(engine_url.removeprefix("sqlite:///")).unlink()
        answer = run("restore", copy)
    else:
        assert run("restore", copy).exit_code == 1, "what is there is not replaced unasked"
        answer = run("restore", copy, "--replace")
    assert answer.exit_code == 0, answer.stderr
    assert "Back as it was at" in answer.stdout
    assert _rows(engine_url, EventRow) == log
    assert load().secret_key == secret, "links and reply addresses in mails go on"
    game, _ = _play(engine_url)
    assert game > 1, "numbers go on after those that came back"


def test_a_database_that_holds_games_is_replaced_only_if_asked(run, engine_url, tmp_path):
    copy = tmp_path / "copy.tar.gz"
    assert run("backup", copy).exit_code == 0
    _play(engine_url)
    refused = run("restore", copy)
    assert refused.exit_code == 1 and refused.stderr.startswith("Nothing was brought back")
    assert len(_rows(engine_url, Result)) == 1
    assert run("restore", copy, "--replace").exit_code == 0
    assert _rows(engine_url, Result) == []
    if engine_url.startswith("sqlite"):
        before = engine_url + ".before"
        assert len(_rows(before, Result)) == 1, "what was replaced is kept beside it"


def test_a_copy_is_made_by_itself_and_old_ones_go(run, tmp_path):
    folder = tmp_path / "data" / "backups"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"kraftpost-2026010{day}-000000.tar.gz").touch()
    (folder / "mine.txt").touch()
    assert run("backup", "--keep", 2).exit_code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 3 and names[:2] != ["kraftpost-20260101-000000.tar.gz"]
    assert "kraftpost-20260103-000000.tar.gz" in names and "mine.txt" in names


@pytest.mark.parametrize("engine_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("content", [b"", b"nonsense", "another tar"])
def test_what_is_no_backup_changes_nothing(run, engine_url, tmp_path, content):
    _, log = _play(engine_url)
    file = tmp_path / "wrong.tar.gz"
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        with tarfile.open(file, "x:gz") as tar:
            tar.add(__file__, "../../evil")
    answer = run("restore", file, "--replace")
    assert answer.exit_code == 1 and answer.stderr.startswith("Nothing was brought back: ")
    assert answer.exception is None or isinstance(answer.exception, SystemExit)
    assert _rows(engine_url, EventRow) == log


@pytest.mark.parametrize("engine_url", ["sqlite"], indirect=True)
def test_nothing_is_brought_back_under_a_running_service(run, tmp_path):
    copy = tmp_path / "copy.tar.gz"
    assert run("backup", copy).exit_code == 0
    with held(tmp_path / "data"):
        refused = run("restore", copy, "--replace")
    assert refused.exit_code == 1 and "already running" in refused.stderr


@pytest.mark.parametrize("engine_url", ["sqlite"], indirect=True)
def test_units_for_systemd(run, tmp_path):
    answer = run("service", "--name", "post", "--user", "nobody", "--into", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(tmp_path / "post.service")
    part = unit["Service"]
    assert part["User"] == "nobody"
    assert part["ExecStart"].endswith("-m webapp.cli up --no-demo")
    assert part["ReadWritePaths"] == str(tmp_path / "data")
    assert part["EnvironmentFile"] == "/etc/kraftpost.env"
    assert (tmp_path / "post-backup.timer").exists() and (tmp_path / "post-backup.service").exists()
    assert "ExecStart=" in run("service").stdout, "without a folder they are printed"
