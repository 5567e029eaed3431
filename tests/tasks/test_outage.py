"""Redis goes away while a worker is at work."""

import time

from core.store.tables import Submission
from tests.support.workers import wait_for


def test_a_worker_at_work_while_redis_restarts_goes_on_afterwards(
    house, workers, ring, redis_server
):
    """The task's acknowledgement fails; a worker that keeps it on its books takes no more."""
    game = house.start("Anna", "Ben", auction="open")
    workers.environment |= {"TEST_SLOW_MAIL": "1.5"}
    workers.start(app="tests.support.impatient")
    ring("deliver")
    wait_for(lambda: "Task deliver" in workers.log)
    time.sleep(0.5)
    redis_server.stop(kill=True)
    wait_for(lambda: "Couldn't ack" in workers.log)
    redis_server.start()
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4")
    ring("adjudicate", game)
    wait_for(lambda: house.get(Submission, number).status == "accepted")
