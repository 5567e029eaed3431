"""The programs that make up the service, as command lines; Procfile says the same."""

import sys

from core.settings import Settings, redis_socket
from webapp.cli import embedded_redis
from webapp.cli.supervisor import Program

PYTHON = (sys.executable, "-m")
CELERY = (*PYTHON, "celery", "--app", "tasks.app", "--quiet")


def redis(settings: Settings) -> Program | None:
    """The embedded Redis, or None where there is no server program to start."""
    server = embedded_redis.find_server()
    if server is None:
        return None
    return Program("redis", embedded_redis.command(server, redis_socket(settings.data)))


def release(_settings: Settings) -> Program:
    """Bring the database's tables up to date; ends by itself."""
    return Program("release", (*PYTHON, "webapp.cli", "release"))


def demo(board: str) -> Program:
    """Make or find the demo table; prints where, as JSON, and ends by itself."""
    return Program("demo", (*PYTHON, "webapp.cli", "demo", "--json", "--map", board))


def web(settings: Settings) -> Program:
    """Two processes of four threads: a page waits for the database more than it computes."""
    options = {
        "bind": settings.web_listen,
        "workers": "2",
        "threads": "4",
        "graceful-timeout": "5",
        "log-level": settings.log_level.lower(),
    }
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    flags = ("--preload", "--no-control-socket")
    return Program("web", (*PYTHON, "gunicorn", *words, *flags, "webapp.wsgi:app"))


def worker(settings: Settings) -> Program:
    """Two processes; a task has 45 seconds at most, and one killed before its end runs again."""
    options = ("--concurrency", "2", "--loglevel", settings.log_level)
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return Program("worker", (*CELERY, "worker", *options, *quiet))


def beat(settings: Settings) -> Program:
    """The clock: it rings the sweeps and knows nothing else."""
    return Program("beat", (*CELERY, "beat", "--loglevel", settings.log_level, "--pidfile", ""))


def inbound(_settings: Settings) -> Program:
    """The mail server that takes answers."""
    return Program("inbound", (*PYTHON, "webapp.cli", "inbound"))
