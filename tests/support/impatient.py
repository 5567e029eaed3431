"""The service's Celery application, but less patient: for tests that kill workers.

A killed worker's task comes back after TEST_VISIBILITY seconds instead of 60, a mail that it was
sending after the same time instead of a minute or two.
"""

import os
from datetime import timedelta

from core.mail import outbox
from tasks.app import celery

SECONDS = int(os.environ.get("TEST_VISIBILITY", "2"))

celery.conf.broker_transport_options = {
    **celery.conf.broker_transport_options,
    "visibility_timeout": SECONDS,
    "unacked_restore_interval": 1,
}
outbox.LEASE = timedelta(seconds=SECONDS)
