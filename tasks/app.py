"""The Celery application, with settings under which killed workers lose and double nothing.

docs/adr tells of the experiments behind them. `celery --app tasks.app worker` finds `celery`.
"""

from typing import Any, Final

from celery import Celery
from celery.signals import beat_init, worker_process_init

from tasks import broker, logs, runtime

TICK_SECONDS: Final = 5.0
"""How often due work is looked for."""

broker.install()
celery = Celery("kraftpost", include=["tasks.jobs"])


def configuration() -> dict[str, Any]:
    """Everything that is set; asked for when first needed, so that importing reads nothing."""
    return {
        "broker_url": runtime.settings().broker_url,
        "broker_connection_retry_on_startup": True,
        # A killed worker's tasks come back after 60 s; no task may take as long.
        "broker_transport_options": {
            "visibility_timeout": 60,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            "unacked_mutex_expire": 10,
            "socket_timeout": 10,
            "socket_connect_timeout": 0.5,
            # A page that rings while Redis is away waits for one try, not for kombu's six seconds.
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0,
            "connect_retries_timeout": 0.5,
        },
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_soft_time_limit": 30,
        "task_time_limit": 45,
        "task_ignore_result": True,
        # Nobody waits for results, so a killed process's task need not wait for one either (10 s).
        "worker_lost_wait": 1.0,
        "task_default_queue": "kraftpost",
        "task_serializer": "json",
        "accept_content": ["json"],
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "timezone": "UTC",
        # The plain scheduler: the tick does no harm when it comes twice, so nothing is stored.
        "beat_scheduler": "tasks.beat:Scheduler",
        "beat_schedule": {
            "tick": {
                "task": "tick",
                "schedule": TICK_SECONDS,
                "options": {"expires": TICK_SECONDS},
            }
        },
    }


celery.add_defaults(configuration)


@worker_process_init.connect
@beat_init.connect
def _begin(**_: object) -> None:
    logs.configure(runtime.settings().log_level)
