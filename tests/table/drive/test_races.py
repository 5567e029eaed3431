"""Many at once on PostgreSQL, where only row locks keep order: everything happens once."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select

from core.mail import outbox
from core.store.session import put, write
from core.store.tables import (
    Draft,
    Heartbeat,
    InboundMail,
    Note,
    Outage,
    OutboxMail,
    SeatRow,
    Submission,
    Turn,
    User,
    Vacation,
    Webhook,
    WebhookCall,
)
from core.table.acts import proposals
from core.table.acts.replace import take
from core.table.drive import due_work, inbox
from core.table.drive.adjudicate import adjudicate
from core.table.drive.due_work import sweep
from core.table.notify import moved_deadlines
from core.table.people import reliability
from core.table.play import chat, stuck, submissions
from core.table.record import gamelog
from core.table.views import webhook_calls
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, of_kind


@pytest.fixture
def engine_url(postgres_url):
    return postgres_url


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
            outbox.owe(s, "chat", key=f"k{n}", now=house.now, user=user)
    taken = []

    def take(_):
        while True:
            with write(house.engine) as s:
                rows = outbox.claim(s, house.now)
            if not rows:
                return
            taken.extend(row.id for row in rows)

    assert at_once(4, take) == []
    assert sorted(taken) == [mail.id for mail in house.mails()]


@pytest.mark.parametrize("claim", [outbox.claim, webhook_calls.claim])
def test_one_is_taken_however_the_database_looks_for_it(house, claim):
    """Some plans of PostgreSQL look again for each row, and would take them all."""
    game, user = house.start("Anna", "Ben"), house.user("Anna")
    with house.write() as s:
        hook = Webhook(user_id=user.id, kind="generic", url="", secret="", created_at=house.now)
        s.add(hook)
        s.flush()
        for n in range(60):
            outbox.owe(s, "chat", key=f"k{n}", now=house.now, user=user)
            times = {"created_at": house.now, "next_attempt_at": house.now}
            s.add(WebhookCall(webhook_id=hook.id, game_id=game, key=f"k{n}", body={}, **times))
    with house.write() as s:
        for way in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
            s.exec(text(f"SET LOCAL enable_{way} = off"))
        assert claim(s, house.now)
    rows = (*house.mails(), *house.all(WebhookCall))
    assert sum(row.lease_until is not None for row in rows) == 1


def test_a_mail_whose_sender_died_is_taken_again_after_its_lease(house):
    user = house.user("Anna")
    with house.write() as s:
        outbox.owe(s, "chat", key="k", now=house.now, user=user)
        assert outbox.claim(s, house.now)
    with house.write() as s:
        assert not outbox.claim(s, house.now + outbox.QUEUE.lease - timedelta(seconds=1))
        assert outbox.claim(s, house.now + outbox.QUEUE.lease)
    assert house.all(OutboxMail)[0].attempts == 2


KEPT = {
    Note: lambda s, game, user, now: chat.save_note(s, game, user, "buy coal", now),
    Draft: lambda s, game, _user, now: submissions.save_draft(s, game, 0, 7, {"bid": ["9"]}, now),
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
            submissions.save_draft(s, game, turn.seat, turn.turn, {"bid": ["9"]}, house.now)
        house.submit(game, turn.seat, "pass", turn=turn.turn)


def test_nobody_waits_for_a_mail_that_another_worker_reads(house):
    """It may hang: then all who are asked for the same mail again would hang with it."""
    office, game = PostOffice(house), house.start("Anna", "Ben")
    number = office.post(of_kind(office.fetch(), "turn")[0], "status")
    with house.write() as reading:
        reading.get(InboundMail, number, with_for_update=True)
        with house.write() as s:
            s.exec(text("SET LOCAL lock_timeout = '1s'"))
            assert not stuck.begin_mail(s, number, house.now)
    with house.write() as s:
        assert stuck.begin_mail(s, number, house.now)
    assert house.get(InboundMail, number).attempts == 1
    assert house.asked(game)


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


def away(house, game):
    """A seat whose owner misses turns until others can take it."""
    seat = house.asked(game)[0].seat
    while not house.all(SeatRow, game_id=game, open=True):
        for turn in house.asked(game):
            if turn.seat != seat:
                house.move(game, turn.seat, house.line(game, turn.seat))
        house.pass_time(days=3)
        once(house, game)
    return seat


def test_of_four_who_take_an_open_seat_at_once_one_has_it(house):
    game = house.start("Anna", "Ben", "Clara", auction="open")
    seat = away(house, game)
    people = [house.user(name) for name in ("Dora", "Emil", "Fay", "Gus")]

    def take_it(number):
        with house.write() as s:
            take(s, game, seat, s.get_one(User, people[number].id), house.now)

    wrong = at_once(4, take_it)
    assert [error.code for error in wrong] == ["not-open"] * 3
    assert house.kinds(game).count("SeatTaken") == 1
    assert house.owner(game, seat).id in [user.id for user in people]
    house.log_is_whole(game)


def test_many_sweeps_that_do_the_same_chores_do_each_once(house):
    """A host is asked, a table closes, a place is freed, a game that all have left ends."""
    left = house.start("Anna", "Ben", turn_hours=24)
    with house.write() as s:
        for row in s.exec(select(SeatRow).where(SeatRow.game_id == left)):
            row.open = True
    old = house.open("Clara", "Dora")
    house.pass_time(days=4)
    young, freed = house.open("Emil", "Hal"), house.open("Fay", "Gus")
    house.pass_time(days=10, seconds=1)
    with house.write() as s:
        reliability.bar(s, s.get_one(User, house.user("Gus").id), house.now)
    with house.read() as s:
        due = due_work.neglected(s, house.now)
    assert due == [left, old, young, freed]

    def do_all(_):
        for number in due:
            with house.write() as s:
                due_work.tend(s, number, house.now)

    assert at_once(4, do_all) == []
    assert house.kinds(left).count("GameAbandoned") == 1
    assert [g.status for g in map(house.game, due)] == ["abandoned", "cancelled", "open", "open"]
    words = [(mail.game_id, mail.context["what"]) for mail in house.mails(kind="word")]
    assert sorted(words) == [
        (old, "closed"), (old, "closed"), (old, "full"), (young, "full"), (young, "idle"),
        (freed, "full"), (freed, "idle"), (freed, "withdrawn"),
    ]  # fmt: skip
    house.log_is_whole(left)


def test_m33_many_beats_that_find_one_outage_give_its_time_back_once(house):
    games = [house.start(f"Anna{n}", f"Ben{n}", turn_hours=24) for n in range(3)]
    with house.write() as s:
        moved_deadlines.beat(s, house.now)
    before = {t.id: t.deadline for game in games for t in house.asked(game)}
    house.pass_time(hours=30)

    def beat(_):
        with house.write() as s:
            moved_deadlines.beat(s, house.now)

    assert at_once(8, beat) == []
    assert [row.ends_at - row.starts_at for row in house.all(Outage)] == [timedelta(hours=30)]
    after = {t.id: t.deadline for game in games for t in house.asked(game)}
    assert after == {number: at + timedelta(hours=30) for number, at in before.items()}


def test_a_vacation_that_comes_in_two_mails_at_once_is_one(house):
    """From two games of his, each mail about one of them; so each holds another game first."""
    office = PostOffice(house)
    for n in range(6):
        games = [house.start(f"Anna{n}", other) for other in (f"Ben{n}", f"Clara{n}")]
        anna = house.user(f"Anna{n}")
        mails = office.fetch()
        begun = [*of_kind(mails, "start"), *of_kind(mails, "turn")]  # one of them to each
        mine = [m for m in begun if anna.email in str(m["To"])]
        numbers = [office.post(letter, "vacation 5 days") for letter in mine]
        assert len(numbers) == 2

        def act(number, numbers=numbers):
            with house.write() as s:
                inbox.process(s, numbers[number], house.now, MAILBOX)

        assert at_once(2, act) == []
        assert len(house.all(Vacation, user_id=anna.id)) == 1
        assert [house.kinds(game).count("VacationBegan") for game in games] == [1, 1]
        answers = [mail.kind for mail in house.mails(user_id=anna.id)]
        assert answers.count("done") == answers.count("refused") == 1


def test_an_undo_and_a_move_at_once_leave_one_of_both(house):
    """Either the bid is taken back, and the answer to it is stale, or it stands and is answered."""
    stale = []
    for n in range(8):
        game = house.start(f"Anna{n}", f"Ben{n}", f"Clara{n}", auction="open")
        first = house.asked(game)[0].seat
        house.move(game, first, "auction 4 for 4")
        turn = house.asked(game)[0]
        number = house.submit(game, turn.seat, "bid 5", turn=turn.turn)

        late: list[bool] = []

        def act(number, game=game, first=first, late=late):
            if number:
                once(house, game)
            else:
                with house.write() as s:
                    late.append(proposals.ask_to_undo(s, game, first, None, house.now) is not None)

        assert at_once(2, act) == []
        once(house, game)
        row = house.get(Submission, number)
        assert row.status == ("accepted" if late == [True] else "stale")
        assert house.kinds(game).count("Rewound") == (late == [False])
        assert len(house.asked(game)) == 1
        house.log_is_whole(game)
        stale.append(late == [False])
    assert stale
