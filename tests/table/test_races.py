"""Many at once on PostgreSQL, where only row locks keep order: everything happens once."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import text

from core.mail import outbox
from core.store.migrations import migrate
from core.store.session import make_engine, write
from core.store.tables import Draft, Heartbeat, Note, OutboxMail, Submission, Turn
from core.store.upsert import put
from core.table import chat, gamelog
from core.table.adjudicate import adjudicate
from core.table.clock import sweep
from tests.support.table import House


@pytest.fixture
def house(postgres_url):
    migrate(postgres_url)
    engine = make_engine(postgres_url)
    yield House(engine)
    engine.dispose()


def at_once(times, act):
    """Run it in so many threads that start together; returns what went wrong."""
    ready, wrong = threading.Barrier(times), []

    def run(number):
        ready.wait()
        try:
            act(number)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def once(house, game):
    with house.write() as s:
        adjudicate(s, game, house.now)


def test_eight_workers_on_one_game_log_each_move_once(house):
    game = house.start("Anna", "Ben", "Clara", auction="open")
    for _ in range(12):
        turn = house.asked(game)[0]
        line = house.line(game, turn.seat)
        for _ in range(4):
            house.submit(game, turn.seat, line, turn=turn.turn)
        before = house.game(game).seq
        assert at_once(8, lambda _: once(house, game)) == []
        assert house.game(game).seq > before
        assert house.get(Turn, turn.id).closed_by == "move"
    rows = house.all(Submission, game_id=game)
    assert sorted(r.status for r in rows) == ["accepted"] * 12 + ["stale"] * 36
    house.log_is_whole(game)


def test_eight_seats_and_workers_play_at_once(house):
    """Everybody submits as soon as asked, while all adjudicate all the time."""
    game = house.start("Anna", "Ben", "Clara", robots=1)

    def play(number):
        while house.game(game).seq < 150:
            mine = next((t for t in house.asked(game) if t.seat == number), None)
            if mine is not None:
                house.submit(game, number, house.line(game, number), turn=mine.turn)
            once(house, game)

    assert at_once(8, play) == []
    house.log_is_whole(game)
    keys = [mail.key for mail in house.mails()]
    assert len(keys) == len(set(keys))


def test_two_sweeps_at_once_miss_a_turn_once(house):
    game = house.start("Anna", "Ben", "Clara")
    house.pass_time(days=3)
    with house.read() as s:
        assert sweep(s, house.now) == [game]
    assert at_once(8, lambda _: once(house, game)) == []
    assert house.kinds(game).count("TurnMissed") == 1


def test_a_move_and_a_sweep_at_once_count_once(house):
    for n in range(6):
        game = house.start(f"Anna{n}", f"Ben{n}", auction="open")
        turn = house.asked(game)[0]
        house.pass_time(days=3)

        def act(number, game=game, turn=turn):
            if number == 0:
                house.submit(game, turn.seat, "auction 4 for 4", turn=turn.turn)
            once(house, game)

        assert at_once(4, act) == []
        once(house, game)
        assert house.kinds(game).count("AuctionOpened") == 1
        assert house.get(Turn, turn.id).closed_by in ("move", "missed")
        house.log_is_whole(game)


def test_many_deliverers_take_each_mail_once(house):
    user = house.user("Anna")
    with house.write() as s:
        for n in range(60):
            outbox.enqueue(s, "chat", key=f"k{n}", now=house.now, user=user)
    taken = []

    def take(_):
        while True:
            with write(house.engine) as s:
                row = outbox.claim(s, house.now)
            if row is None:
                return
            taken.append(row.id)

    assert at_once(4, take) == []
    assert sorted(taken) == [mail.id for mail in house.mails()]


def test_a_mail_whose_sender_died_is_taken_again_after_its_lease(house):
    user = house.user("Anna")
    with house.write() as s:
        outbox.enqueue(s, "chat", key="k", now=house.now, user=user)
        assert outbox.claim(s, house.now) is not None
    with house.write() as s:
        assert outbox.claim(s, house.now + outbox.LEASE - timedelta(seconds=1)) is None
        assert outbox.claim(s, house.now + outbox.LEASE) is not None
    assert house.all(OutboxMail)[0].attempts == 2


KEPT = {
    Note: lambda s, game, user, now: chat.save_note(s, game, user, "buy coal", now),
    Draft: lambda s, game, _user, now: chat.save_draft(s, game, 0, 7, {"bid": ["9"]}, now),
    Heartbeat: lambda s, _game, _user, now: put(s, Heartbeat(name="worker", at=now)),
}


@pytest.mark.parametrize("table", KEPT, ids=lambda table: table.__name__)
def test_what_is_kept_twice_at_once_is_there_once(house, table):
    """The second has looked, and found nothing, before the first commits."""
    game, user, wrong = house.start("Anna", "Ben"), house.user("Anna"), []

    def keep():
        try:
            with house.write() as s:
                KEPT[table](s, game, user, house.now)
        except Exception as error:
            wrong.append(error)

    second = threading.Thread(target=keep)
    with house.write() as s:
        KEPT[table](s, game, user, house.now)
        s.flush()
        second.start()
        second.join(0.5)
    second.join()
    assert wrong == []
    assert len(house.all(table)) == 1


def test_while_a_game_is_adjudicated_its_players_can_write(house):
    game, user = house.start("Anna", "Ben"), house.user("Anna")
    turn = house.asked(game)[0]
    with house.write() as adjudicating:
        gamelog.lock(adjudicating, game)
        with house.write() as s:
            s.exec(text("SET LOCAL lock_timeout = '1s'"))
            chat.save_note(s, game, user, "buy coal", house.now)
            chat.save_draft(s, game, turn.seat, turn.turn, {"bid": ["9"]}, house.now)
        house.submit(game, turn.seat, "pass", turn=turn.turn)


def test_only_one_holds_a_game(house):
    game, held = house.start("Anna", "Ben"), threading.Event()

    def hold():
        with house.write() as s:
            gamelog.lock(s, game)
            held.set()

    second = threading.Thread(target=hold)
    with house.write() as s:
        gamelog.lock(s, game)
        second.start()
        assert not held.wait(0.5)
    second.join()
    assert held.is_set()
