"""Points this process's doorbell at a broker, as if it had just begun."""

from kombu import pools

from core.settings import Settings
from tasks import app, enqueue
from tasks.app import celery


def use(settings: Settings) -> None:
    """Ring at the Redis of these settings; connections to another one are forgotten."""
    enqueue._silent["until"] = 0.0  # another broker is not silent
    app.use(settings)
    celery.conf.broker_url = celery.conf.broker_write_url = settings.broker_url
    celery.amqp._producer_pool = None
    celery._pool = None
    pools.reset()
