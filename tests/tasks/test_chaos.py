"""Processes die, Redis forgets, the mail server refuses: every move once, every mail at least once.

A game with bots is played from outside, by submissions alone, while a villain kills.
"""

import os
import signal
import subprocess
import threading
import time
from collections import Counter
from random import Random

import pytest

from core.store.tables import EventRow, Submission
from core.table.play.stuck import ATTEMPTS
from tasks import enqueue
from tests.support.workers import wait_for

pytestmark = [pytest.mark.chaos, pytest.mark.slow, pytest.mark.timeout(900)]

MOVES = 200
APP = "tests.support.impatient"


class Villain:
    """Every few moves, at a random moment, kills a process, empties Redis or stops the mail.

    Mostly processes that judge and send, sometimes a whole worker, sometimes Redis itself.
    """

    def __init__(self, workers, redis, sink):
        self.workers, self.redis, self.sink = workers, redis, sink
        self.chance = Random(20261130)
        self.done = Counter()
        self.next = 5
        self.deeds = []

    def watch(self, moves):
        """Strike while the next move is on its way."""
        if moves >= self.next:
            self.next = moves + self.chance.randint(6, 12)
            kinds = [self.kill_process, self.kill_worker, self.kill_redis, self.stop_mail]
            deed = self.chance.choices(kinds, weights=(6, 1, 2, 2))[0]
            self.done[deed.__name__] += 1
            self.deeds.append(threading.Timer(self.chance.uniform(0, 0.2), deed))
            self.deeds[-1].start()

    def rest(self):
        for deed in self.deeds:
            deed.join()

    def kill_process(self):
        worker = self.chance.choice(self.workers.running[1:])  # the first one is the clock
        for child in children(worker.pid):
            os.kill(child, signal.SIGKILL)

    def kill_worker(self):
        self.workers.kill(self.chance.choice(self.workers.running[1:]))
        self.workers.start(app=APP)

    def kill_redis(self):
        self.redis.flush()
        self.redis.stop(kill=True)
        time.sleep(self.chance.uniform(0.1, 0.6))
        self.redis.start()

    def stop_mail(self):
        self.sink.refuse(self.chance.uniform(0.5, 2))


def children(pid):
    """Processes that a worker has forked."""
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


@pytest.fixture
def engine_url(postgres_url):
    """Only on PostgreSQL, where several workers really write at once."""
    return postgres_url


@pytest.mark.usefixtures("ring")
def test_chaos(house, workers, smtp_sink, redis_server):
    workers.environment |= {"TEST_VISIBILITY": "2", "TEST_LEASE": "3", "TEST_TICK": "1"}
    workers.start_beat(APP)
    for _ in range(3):
        workers.start(app=APP)
    villain = Villain(workers, redis_server, smtp_sink)
    without_turn_mails(house, "Clara", "David", "Eva")  # drawing boards is not what is tested
    game = house.start("Anna", "Ben", "Clara", "David", "Eva", robots=1)
    try:
        moves = play(house, game, villain.watch)
    finally:
        villain.rest()
    assert moves >= MOVES
    assert house.game(game).status == "finished"
    assert min(villain.done[d] for d in ("kill_process", "kill_worker", "kill_redis")) >= 1
    assert smtp_sink.refused >= 1
    smtp_sink.refuse(0)
    every_move_once(house)
    every_mail_at_least_once(house, smtp_sink)


def without_turn_mails(house, *names):
    for name in names:
        user = house.user(name)
        with house.write() as s:
            s.merge(user).mail_mode = "off"


def play(house, game, watch):
    """Submit what is asked for until the game ends; every twentieth time nobody rings."""
    done = 0
    while house.game(game).status == "running":
        asked = house.asked(game)
        if not asked:
            time.sleep(0.05)
            continue
        turn = asked[0]
        line = house.line(game, turn.seat)
        number = house.submit(game, turn.seat, line, turn=turn.turn, key=f"turn {turn.turn}")
        watch(done)
        for _ in range(2 if done % 20 else 0):
            enqueue.adjudicate(game)
        wait_for(lambda n=number: house.get(Submission, n).status != "pending", within=60)
        decided = house.get(Submission, number)
        assert decided.status == "accepted", (decided.text, decided.reason)
        done += 1
    return done


def every_move_once(house):
    for game in {row.game_id for row in house.all(EventRow)}:
        house.log_is_whole(game)
        assert house.game(game).attempts <= ATTEMPTS
        assert house.game(game).stopped_reason == ""
        rows = sorted(house.all(EventRow, game_id=game), key=lambda row: row.seq)
        logged = [row.submission_id for row in rows if row.submission_id]
        runs = [n for i, n in enumerate(logged) if i == 0 or logged[i - 1] != n]
        assert len(runs) == len(set(runs)), "a move was played twice"


def every_mail_at_least_once(house, sink):
    wait_for(lambda: not house.mails(status="pending"), within=60, every=0.5)
    owed = {m.message_id: m for m in house.mails()}
    assert {m.status for m in owed.values()} <= {"sent", "dropped"}
    came = Counter(m.message["Message-ID"].strip("<>").split("@")[0] for m in sink.messages)
    assert set(came) <= set(owed)
    assert {name for name, m in owed.items() if m.status == "sent"} <= set(came)
