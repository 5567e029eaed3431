"""M75: however often Redis delivers a task, a mail goes out once."""

from core.store.tables import OutboxMail
from tests.support.workers import wait_for


def test_m75_with_an_impatient_broker_and_two_workers_each_mail_goes_out_once(
    house, workers, ring, smtp_sink
):
    game = house.start("Anna", "Ben", "Clara")
    owed = house.mails()
    workers.environment |= {"TEST_VISIBILITY": "1", "TEST_SLOW_MAIL": "1.5"}
    for _ in range(2):
        workers.start(app="tests.support.impatient", concurrency=2)
    ring("deliver")
    wait_for(lambda: all(m.status != "pending" for m in house.all(OutboxMail, game_id=game)), 60)
    owed = [m for m in house.mails() if m.status == "sent"]  # who begins has one mail of two
    sent = [m.message["Message-ID"] for m in smtp_sink.messages]
    assert len(sent) == len(set(sent)) == len(owed)
    assert workers.log.count("Task deliver") > len(owed), "the broker was not impatient"
