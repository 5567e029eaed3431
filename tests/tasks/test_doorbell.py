"""A broker that is away costs a moment and loses nothing."""

import time

import pytest

from core.settings import load
from tasks import enqueue
from tasks.app import celery, configuration
from tests.support import broker


@pytest.fixture
def broker_is(tmp_path):
    return lambda url: broker.use(load({"REDIS_URL": url, "KRAFTPOST_DATA": str(tmp_path)}))


@pytest.mark.parametrize("url", [
    "unix:///nowhere/redis.sock",
    "redis://127.0.0.1:9/0",
    "redis://192.0.2.1:6379/0",  # an address that never answers (RFC 5737)
])  # fmt: skip
def test_a_broker_that_is_away_breaks_no_request_and_costs_little(broker_is, url):
    broker_is(url)
    began = time.monotonic()
    enqueue.adjudicate(1)
    assert time.monotonic() - began < 1


def test_a_ring_carries_an_id_and_nothing_else(broker_is, redis_url):
    broker_is(redis_url)
    with celery.connection_for_write() as connection:
        queue = connection.SimpleQueue("kraftpost")
        queue.clear()
        enqueue.adjudicate(7)
        message = queue.get(timeout=5)
        message.ack()
        queue.close()
    assert message.headers["task"] == "adjudicate"
    assert message.headers["eta"] is None
    assert message.payload[0] == [7]


def test_m75_no_task_waits_in_the_broker_and_none_outlives_its_visibility():
    settings = configuration()
    visibility = settings["broker_transport_options"]["visibility_timeout"]
    limits = [task.time_limit or settings["task_time_limit"] for task in celery.tasks.values()]
    assert max(limits) < visibility
    assert settings["task_acks_late"] and settings["task_reject_on_worker_lost"]
