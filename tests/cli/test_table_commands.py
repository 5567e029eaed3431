"""`kraftpost table new`, `export` and `mail-in`, on a database of their own."""

import json

import pytest
from click.testing import CliRunner
from sqlmodel import Session, select

from core.game.log.jsonl import load
from core.mail.addresses import ReplyAddress, TableToken
from core.settings import load as load_settings
from core.store.session import make_engine
from core.store.tables import Game, InboundMail, Invitation, SeatRow, User
from webapp.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers: rings are lost
    runner = CliRunner()

    def invoke(*words, stdin=None):
        return runner.invoke(main, list(words), input=stdin)

    assert invoke("release").exit_code == 0
    return invoke


@pytest.fixture
def rows(run):
    engine = make_engine(load_settings().database_url)

    def all_of(table):
        with Session(engine) as session:
            return list(session.exec(select(table)))

    yield all_of
    engine.dispose()


def test_a_started_table_seats_everybody(run, rows):
    answer = run(
        "table", "new", "--map", "usa", "--variant", "recharged", "--turn", "12h",
        "--players", "a@x.org,b@x.org,bot", "--start", "--json",
    )  # fmt: skip
    assert json.loads(answer.stdout)["status"] == "running"
    (game,) = rows(Game)
    assert (game.map, game.variant, game.turn_hours, game.players) == ("usa", "recharged", 12, 3)
    assert game.options["auction"] == "sealed"
    assert sorted(bool(seat.bot) for seat in rows(SeatRow)) == [False, False, True]


def test_people_are_called_as_the_host_says_and_never_by_their_addresses(run, rows):
    players = 'Anna <a@x.org>,"Ben B." <b@x.org>,secret@x.org,bot'
    assert run("table", "new", "--map", "usa", "--players", players, "--start").exit_code == 0
    users = {user.email: user for user in rows(User)}
    assert {email: user.name for email, user in users.items()} == {
        "a@x.org": "Anna", "b@x.org": "Ben B.", "secret@x.org": f"Player {users['secret@x.org'].id}"
    }  # fmt: skip
    people = [seat.name for seat in rows(SeatRow) if not seat.bot]
    assert sorted(people) == sorted(user.name for user in users.values())


def test_without_start_the_others_are_invited(run, rows):
    answer = run("table", "new", "--map", "germany", "--players", "a@x.org,b@x.org", "--json")
    assert json.loads(answer.stdout)["status"] == "open"
    assert [row.email for row in rows(Invitation)] == ["b@x.org"]


@pytest.mark.parametrize(
    ("words", "says", "code"),
    [
        (["--map", "atlantis", "--players", "a@x.org,bot"], "atlantis", 1),
        (["--map", "usa", "--players", "bot,bot"], "at least one address", 2),
        (["--map", "usa", "--players", "a@x.org,bot", "--turn", "soon"], "12h", 2),
        (["--map", "usa", "--players", "a@x.org,bot", "--turn", "3w"], "336", 1),
        (["--map", "usa", "--players", "a@x.org,bot", "--option", "x"], "KEY=VALUE", 2),
        (["--map", "usa", "--players", "a@x.org,bot", "--option", "rotation=none"], "rotation", 1),
        (["--map", "usa", "--players", "a@x.org"], "2 to 6", 1),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(run, rows, words, says, code):
    answer = run("table", "new", *words)
    assert (answer.exit_code, rows(Game)) == (code, [])
    assert says in answer.output
    assert "Traceback" not in answer.output


def test_an_exported_game_folds_and_hides_the_stack(run, tmp_path):
    run("table", "new", "--map", "germany", "--players", "a@x.org,bot", "--start")
    log = load(run("export", "1").stdout.splitlines())
    assert set(log.events[0].stack) == {0}
    out = tmp_path / "game.jsonl"
    assert run("export", "1", "--out", str(out)).exit_code == 0
    assert load(out.read_text("utf-8").splitlines()) == log


def test_there_is_nothing_to_export_before_the_game(run):
    run("table", "new", "--map", "germany", "--players", "a@x.org,b@x.org")
    answer = run("export", "1")
    assert answer.exit_code == 1
    assert "not begun" in answer.output
    assert run("export", "77").exit_code == 1


@pytest.mark.parametrize("by_header", [True, False])
def test_a_mail_on_standard_input_is_stored_once(run, rows, by_header):
    settings = load_settings()
    box = ReplyAddress(settings.secret_key, settings.mail_domain)
    to = box.make(TableToken(1, 0))
    mail = f"From: a@x.org\nTo: {to}\nMessage-ID: <1@x.org>\n\nhelp\n"
    words = () if by_header else (to,)
    for _ in range(2):
        assert run("mail-in", *words, stdin=mail).exit_code == 0
    assert [row.recipients for row in rows(InboundMail)] == [[to]]


def test_a_mail_for_nobody_here_is_refused(run, rows):
    answer = run("mail-in", stdin="To: somebody@x.org\n\npass\n")
    assert (answer.exit_code, rows(InboundMail)) == (67, [])
    assert "No such address" in answer.output


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"DATABASE_URL": "sqlite:////nowhere/x.sqlite3"}, False),
        ({"DATABASE_URL": "nonsense://"}, False),
        ({"KRAFTPOST_ENV": "production"}, False),
        ({}, True),
    ],
)
def test_a_mail_that_cannot_be_stored_is_kept_by_the_mail_system(run, monkeypatch, change, broken):
    settings = load_settings()
    to = ReplyAddress(settings.secret_key, settings.mail_domain).make(TableToken(1, 0))
    for name, value in change.items():
        monkeypatch.setenv(name, value)
    if broken:
        monkeypatch.setattr("core.table.drive.inbox.receive", lambda *_: 1 / 0)
    answer = run("mail-in", to, stdin="From: a@x.org\n\nhelp\n")
    assert answer.exit_code == 75
    assert "try again later" in answer.output
