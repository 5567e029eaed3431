"""Deleting an account: nothing of the person stays, and no game breaks (M52)."""

from datetime import timedelta

import pytest
from sqlmodel import SQLModel, select

from core.game.events import CaretakerAppointed, SeatOpened
from core.game.log.jsonl import load
from core.mail import outbox
from core.orders.notation import parse
from core.store.session import make_engine
from core.store.tables import (
    ChatLine,
    EventRow,
    Game,
    InboundMail,
    Invitation,
    Picture,
    Rating,
    Result,
    SeatRow,
    StandingOrder,
    Submission,
    User,
    Vacation,
)
from core.table.acts import deletion, invitations, lobby, replace, vacation
from core.table.notify import webhooks
from core.table.people import accounts, archive, ratings
from core.table.play import chat
from core.table.play.play import Play
from core.table.record import corpus, gamelog, results, seats, standing_orders
from core.table.record.timeline import timeline
from tests.support.table import House
from tests.table.drive.test_races import at_once
from tests.table.record.test_results import finish

NAME = "Zacharias"
ADDRESS = "zacharias@example.org"
DAY = timedelta(days=1)


def delete(house: House, user: User) -> list[int]:
    with house.write() as s:
        return deletion.delete_account(s, user.id, house.now)


def leave(house: House, user: User) -> None:
    for game_id in delete(house, user):
        house.adjudicate(game_id)


def everything(house: House) -> str:
    """Every row of every table, as text."""
    with house.read() as s:
        return "\n".join(
            f"{table.name}: {tuple(row)!r}"
            for table in SQLModel.metadata.sorted_tables
            for row in s.execute(table.select())
        )


def at_home(house: House, game: int) -> str:
    with house.read() as s:
        return "".join(archive.export(s, gamelog.find(s, game)))


def live(house: House) -> User:
    """A user of whom there is something in every table."""
    user = house.user(NAME)
    game = house.played(NAME, "Anna", "Ben", auction="open", title=f"{NAME}'s table", moves=7)
    house.open("Clara", NAME, title="Wait", robots=0)
    dora = house.user("Dora")
    with house.write() as s:
        mine = s.get_one(User, user.id)
        chat.say(s, s.get_one(Game, game), mine, "I shall win", "k", house.now)
        chat.save_note(s, game, mine, "my secret plan", house.now)
        accounts.open_session(s, mine, house.now)
        accounts.request_sign_in(s, ADDRESS, house.now)
        webhooks.add(s, mine, "generic", "https://hooks.example.org/abc", house.now)
        vacation.take(s, mine, vacation.Plan(days=2, first=(house.now + DAY).date()), house.now)
        table = lobby.create_table(
            s, s.get_one(User, dora.id),
            lobby.TableSettings(title="Ask", map="usa", players=2), house.now,
        )  # fmt: skip
        invitations.invite(s, table, ADDRESS, NAME, house.now)
        s.add(InboundMail(
            key="k", message_id="<1@example.org>", envelope_from=ADDRESS, recipients=["x"],
            raw=f"From: {NAME}".encode(),
        ))  # fmt: skip
    return user


def test_m52_nothing_of_the_person_is_left(house: House) -> None:
    user = live(house)
    before = everything(house)
    assert before.count(NAME) > 4
    assert ADDRESS in before
    leave(house, user)
    after = everything(house)
    for word in (NAME, ADDRESS, "my secret plan", "hooks.example.org"):
        assert word not in after, next(line for line in after.splitlines() if word in line)
    for table in SQLModel.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == "users" and table.name != "chat":
                with house.read() as s:
                    query = table.select().where(key.parent == user.id)
                    assert s.execute(query).first() is None, key.parent
    gone = house.get(User, user.id)
    assert (gone.name, gone.email, gone.deleted_at) == (
        "a former player", f"deleted-{user.id}", house.now,
    )  # fmt: skip
    with house.read() as s:
        said = chat.lines(s, house.all(ChatLine)[0].game_id)
    assert [(line.text, name) for line, name in said] == [("I shall win", "a former player")]


def test_m52_a_running_game_goes_on_with_a_caretaker_and_an_open_seat(house: House) -> None:
    game = house.played(NAME, "Anna", "Ben", auction="open", moves=5)
    seat = house.seat(game, NAME)
    leave(house, house.user(NAME))
    row = next(r for r in house.all(SeatRow, game_id=game) if r.seat == seat)
    assert (row.user_id, row.name, row.open, row.bot) == (None, "a former player", True, "")
    assert {CaretakerAppointed, SeatOpened} <= {type(e) for e in house.events(game)}
    assert house.game(game).status == "running"
    assert seat not in {turn.seat for turn in house.asked(game)}
    emil = house.user("Emil")
    with house.write() as s:
        replace.take(s, game, seat, s.get_one(User, emil.id), house.now)
    assert house.play(game, moves=4) == 4
    house.log_is_whole(game)
    names = load(at_home(house, game).splitlines()).header.names
    assert sorted(names) == ["Anna", "Ben", "Emil"]
    assert NAME not in at_home(house, game)
    with house.read() as s:
        assert corpus.check(s, game).problems == ()


def test_m52_finished_games_stay_whole_without_the_name(house: House) -> None:
    game = finish(house, NAME, "Anna", "Ben")
    before = house.state(game)
    with house.write() as s:
        s.add(Picture(game_id=game, kind="film", seq=9, status="ready", asked_at=house.now))
    for name in (NAME, "Anna"):
        leave(house, house.user(name))
    assert house.state(game) == before
    names = load(at_home(house, game).splitlines()).header.names
    assert names == ("a former player", "a former player 2", "Ben")
    for name in (NAME, "Anna"):
        assert name not in at_home(house, game)
    with house.read() as s:
        assert s.get(Picture, (game, "film")) is None, "it may show a name"


def test_a_game_of_the_last_person_ends(house: House) -> None:
    alone = house.start(NAME, robots=2)
    with_one = house.start(NAME, "Anna")
    leave(house, house.user(NAME))
    assert {house.game(g).status for g in (alone, with_one)} == {"abandoned"}
    assert house.all(Result, game_id=alone)[0].abandoned


def miss(house: House, game: int, seat: int) -> None:
    """Play until the seat is asked, and let it miss its turn."""
    while house.asked(game)[0].seat != seat:
        house.play(game, moves=1)
    house.pass_time(hours=25)
    house.adjudicate(game)


def test_names_leave_the_log_wherever_he_sat(house: House) -> None:
    """He came into a game, was replaced in it, and moved for somebody on vacation in another."""
    game = house.start("Anna", "Ben", "Clara", auction="open", turn_hours=24)
    seat = house.seat(game, "Ben")
    miss(house, game, seat)  # he never came: his seat is open
    host, user = house.user("Anna"), house.user(NAME)
    with house.write() as s:
        replace.take(s, game, seat, s.get_one(User, user.id), house.now)
    house.adjudicate(game)
    while house.asked(game)[0].seat != seat:
        house.play(game, moves=1)
    house.play(game, moves=1)
    miss(house, game, seat)
    with house.write() as s:
        play = Play.running(s, game, house.now)
        replace.hand_over(play, seat, None, ("host", "away"))
        play.settle()
    with house.read() as s:
        shown = timeline(s, s.get_one(Game, game))
    assert NAME in repr(shown.entries)
    taken = [e for e in house.events(game) if type(e).__name__ == "SeatTaken"]
    assert [(e.name, e.former) for e in taken] == [(NAME, "Ben"), ("Watt", NAME)]
    leave(house, house.user(NAME))
    taken = [e for e in house.events(game) if type(e).__name__ == "SeatTaken"]
    former = "a former player"
    assert [(e.name, e.former) for e in taken] == [(former, "Ben"), ("Watt", former)]
    assert NAME not in everything(house)
    with house.read() as s:
        assert NAME not in repr(
            timeline(s, s.get_one(Game, game)).entries
        )  # nor in what is remembered
    assert house.game(game).host_id == host.id


def test_a_namesake_keeps_his_name(house: House) -> None:
    game = house.start("Anna", "Ben", "Clara")
    with house.write() as s:
        for row in s.exec(select(SeatRow).where(SeatRow.game_id == game)):
            row.name = "Anna"
            s.add(row)
    leave(house, house.user("Anna"))
    names = sorted(row.name for row in house.all(SeatRow, game_id=game))
    assert names == ["Anna", "Anna", "a former player"]


def test_a_sitter_is_named_no_more(house: House) -> None:
    game = house.start("Anna", "Ben", "Clara")
    ids = [house.user(n).id for n in ("Anna", NAME)]
    with house.write() as s:
        anna, sitter = (s.get_one(User, number) for number in ids)
        vacation.take(s, anna, vacation.Plan(days=3, sitter=sitter.email), house.now)
    assert NAME in at_home(house, game)
    leave(house, house.user(NAME))
    assert NAME not in at_home(house, game)
    assert [row.sitter_id for row in house.all(Vacation)] == [None]


def test_hosted_tables_go_on_with_another_host_or_close(house: House) -> None:
    shared = house.open(NAME, "Anna", title=f"{NAME}'s table")
    alone = house.open(NAME, robots=1)
    leave(house, house.user(NAME))
    table = house.game(shared)
    assert (table.status, table.host_id) == ("open", house.user("Anna").id)
    assert table.title == "a former player's table"
    assert [row.name for row in house.all(SeatRow, game_id=shared)] == ["Anna"]
    assert (house.game(alone).status, house.game(alone).host_id) == ("cancelled", None)


def test_private_games_brought_back_go_and_public_ones_stay(house: House) -> None:
    played = finish(house, "Anna", "Ben")
    log = load(at_home(house, played).splitlines())
    user = house.user(NAME)
    with house.write() as s:
        mine = archive.import_log(s, log, house.now, user, private=True).id
        header = type(log.header)(("A", "B"), *(log.header.map, log.header.variant, "1"))
        public = archive.import_log(s, type(log)(header, log.entries), house.now, user).id
    leave(house, user)
    assert {g.id for g in house.all(Game)} == {played, public}
    assert house.game(public).host_id is None
    assert house.all(EventRow, game_id=mine) == []


def test_the_address_can_sign_up_again_as_somebody_new(house: House) -> None:
    user = live(house)
    leave(house, user)
    with house.write() as s:
        again = accounts.user_for(s, ADDRESS, house.now)
    assert again.id != user.id
    assert again.name == f"Player {again.id}"
    assert house.all(Invitation, email=ADDRESS) == []
    with house.write() as s:
        assert seats.seat_of(s, 1, again.id) is None


def test_others_are_rated_as_a_rebuild_would_rate_them(house: House) -> None:
    for day, names in enumerate(((NAME, "Anna"), (NAME, "Anna", "Ben"), ("Anna", "Ben"))):
        finish(house, *names, days=day)
    _rate(house)
    assert len(house.all(Rating)) == 7
    user = house.user(NAME)
    leave(house, user)
    _rate(house)
    kept = _ratings(house)
    assert user.id not in {row[1] for row in kept}
    assert {r.unrated for r in house.all(Result)} == {"", "alone"}
    results.clear(house.engine)
    assert all(not wrong for _game, wrong in results.fill(house.engine))
    _rate(house)
    assert _ratings(house) == kept


def _rate(house: House) -> None:
    with house.write() as s:
        ratings.rate(s, house.now)


def _ratings(house: House) -> list[tuple[int, int, float, float]]:
    return sorted((r.game_id, r.user_id, r.mu, r.sigma) for r in house.all(Rating))


def test_deleting_twice_is_once(house: House) -> None:
    game = house.start(NAME, "Anna", "Ben")
    user = house.user(NAME)
    leave(house, user)
    length = house.game(game).seq
    assert delete(house, user) == []
    assert delete(house, User(id=4711, email="x", name="x")) == []
    assert house.game(game).seq == length


def test_his_standing_orders_and_waiting_moves_go_with_him(house: House) -> None:
    game = house.start(NAME, "Anna", "Ben", auction="open")
    seat = house.seat(game, NAME)
    while seat not in {turn.seat for turn in house.asked(game)}:
        house.play(game, moves=1)
    number = house.submit(game, seat, house.line(game, seat), channel="mail", key="<1@home.org>")
    state = house.state(game)
    with house.write() as s:
        said = parse(f"limit {state.market.actual[-1]} to 77", state.ruleset)
        standing_orders.give(s, gamelog.lock(s, game), state, seat, said, house.now)
    assert "77" in {o.text.split()[-1] for o in house.all(StandingOrder)}
    delete(house, house.user(NAME))
    house.adjudicate(game)
    move = next(m for m in house.all(Submission) if m.id == number)
    assert (move.status, "home.org" in move.key) == ("stale", False)
    with house.read() as s:
        assert standing_orders.rows(s, game, seat, active=False) == []
    assert house.mails(address=ADDRESS) == []


def test_five_at_once_delete_it_once(postgres_url: str) -> None:
    engine = make_engine(postgres_url)
    house = House(engine)
    game = house.start(NAME, "Anna", "Ben")
    user = house.user(NAME)

    def act(number: int) -> None:
        if number < 5:
            delete(house, user)
        else:  # and somebody plays meanwhile
            house.adjudicate(game)

    assert at_once(7, act) == []
    assert house.kinds(game).count("SeatOpened") == 1
    assert house.get(User, user.id).deleted_at is not None
    house.log_is_whole(game)
    engine.dispose()


def test_a_mail_that_is_being_sent_meanwhile_does_no_harm(house: House) -> None:
    live(house)
    with house.write() as s:
        rows = outbox.claim(s, house.now)
    leave(house, house.user(NAME))
    outbox._mark(house.engine, rows, status="sent", context={})
    assert house.mails(address=ADDRESS) == []


@pytest.mark.parametrize("name", ["A", "An.a", "A+b"])
def test_a_title_loses_the_name_and_nothing_else(house: House, name: str) -> None:
    game = house.open(name, "Ben", title=f"{name} And {name}s: {name}!")
    leave(house, house.user(name))
    assert house.game(game).title == f"a former player And {name}s: a former player!"
