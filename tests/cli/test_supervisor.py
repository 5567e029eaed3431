"""The supervisor, with real processes: order, restarts, and nothing left behind."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PRELUDE = """
import os, sys
from pathlib import Path
from webapp.cli.supervisor import Program, StartFailed, StopRequested, Supervisor

def say(line):
    print(line, flush=True)

def program(name, code, grace=10.0):
    return Program(name, (sys.executable, "-c", CHILD + code), grace)

CHILD = '''
import os, signal, subprocess, sys, time
def say(line):
    with open(os.environ["TRAIL"], "a") as trail:
        trail.write(line + "\\\\n")
def until_stopped(name):
    def stop(*_):
        say("stop " + name)
        sys.exit(0)
    signal.signal(signal.SIGTERM, stop)
    say("start " + name + " " + str(os.getpid()))
    signal.pause()
'''
trail = Path(os.environ["TRAIL"])
def said(count, what="start"):
    return lambda: trail.exists() and trail.read_text().count(what) >= count
logs = trail.parent / "log"
"""


class Run:
    """A supervisor in a process of its own, with the trail that its children leave."""

    def __init__(self, directory: Path, code: str) -> None:
        self.trail_file = directory / "trail"
        self.process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + textwrap.dedent(code)],
            env={**os.environ, "TRAIL": str(self.trail_file)},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def trail(self) -> list[str]:
        return self.trail_file.read_text().splitlines() if self.trail_file.exists() else []

    def pids(self) -> list[int]:
        return [int(line.split()[2]) for line in self.trail if line.startswith("start")]

    def finish(self) -> str:
        """Wait for its end and return what it said."""
        output, _ = self.process.communicate(timeout=20)
        return output


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[[str], Run]]:
    started: list[Run] = []

    def start(code: str) -> Run:
        started.append(Run(tmp_path, code))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.communicate()


def eventually(condition: Callable[[], object], within: float = 10) -> None:
    end = time.monotonic() + within
    while not condition():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


THREE = """
with Supervisor(logs, os.environ, say) as supervisor:
    for number, name in enumerate(("redis", "web", "worker"), 1):
        supervisor.add(program(name, f"until_stopped({name!r})"))
        supervisor.until(said(number), 10, name)
    supervisor.run()
say("bye")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_starts_in_order_and_stops_in_reverse(
    run: Callable[[str], Run], number: signal.Signals
) -> None:
    running = run(THREE)
    eventually(lambda: len(running.trail) == 3)
    running.process.send_signal(number)
    assert running.finish() == "Stopping …\nbye\n"
    assert [line.split()[1] for line in running.trail[:3]] == ["redis", "web", "worker"]
    assert running.trail[3:] == ["stop worker", "stop web", "stop redis"]
    assert running.process.returncode == 0


def test_a_crashed_child_is_started_again_and_the_others_are_not(run: Callable[[str], Run]) -> None:
    running = run(THREE)
    eventually(lambda: len(running.trail) == 3)
    os.kill(running.pids()[1], signal.SIGKILL)
    eventually(lambda: len(running.trail) == 4)
    assert running.trail[3].startswith("start web")
    assert all(alive(pid) for pid in (running.pids()[0], *running.pids()[2:]))
    running.process.terminate()
    assert "web ended (SIGKILL); starting it again in 0.5 s." in running.finish()
    assert running.trail[4:] == ["stop worker", "stop web", "stop redis"]


FORKS = """
import shared_by_all
def web():
    exec(CHILD, globals())
    say("shared " + str(shared_by_all.loaded))
    say("words " + " ".join(sys.argv) + " " + os.environ["SAID"])
    print("to the log", flush=True)
    until_stopped("web")
with Supervisor(logs, {"SAID": "to the child"}, say) as supervisor:
    supervisor.add(Program("web", ("web", "--loud"), inside=web))
    supervisor.run()
say("bye")
"""


def test_a_fork_shares_what_is_imported_and_is_forked_anew_when_it_crashes(
    run: Callable[[str], Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared_by_all.py").write_text("import os\nloaded = os.getpid()\n")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '.')}")
    running = run(FORKS)
    eventually(lambda: len(running.trail) == 3)
    assert running.trail[:2] == [
        f"shared {running.process.pid}",
        "words web --loud to the child",
    ]
    first = running.pids()[0]
    assert os.getsid(first) == first != running.process.pid
    os.kill(first, signal.SIGKILL)
    eventually(lambda: len(running.trail) == 6)
    assert running.trail[3] == f"shared {running.process.pid}"
    assert running.pids()[1] != first
    running.process.terminate()
    said = running.finish()
    assert "web ended (SIGKILL); starting it again in 0.5 s." in said
    assert said.endswith("Stopping …\nbye\n")
    assert running.trail[6:] == ["stop web"]
    assert (tmp_path / "log" / "web.log").read_text() == "to the log\n" * 2


def test_a_fork_that_fails_says_why_in_its_log_and_ends_with_a_code(
    run: Callable[[str], Run], tmp_path: Path
) -> None:
    running = run("""
    def broken():
        raise ValueError("no such table")
    try:
        with Supervisor(logs, os.environ, say) as supervisor:
            supervisor.once(Program("web", ("web",), inside=broken))
    except StartFailed as reason:
        say(str(reason))
    """)
    assert running.finish() == "web does not start\n"
    assert "ValueError: no such table" in (tmp_path / "log" / "web.log").read_text()


def test_forks_end_with_a_supervisor_that_is_killed(run: Callable[[str], Run]) -> None:
    running = run(FORKS.replace("shared_by_all.loaded", "0").replace("import shared_by_all", ""))
    eventually(lambda: len(running.trail) == 3)
    running.process.kill()
    eventually(lambda: not any(alive(pid) for pid in running.pids()))


def test_delays_double_while_it_keeps_crashing(run: Callable[[str], Run]) -> None:
    running = run("""
    with Supervisor(logs, os.environ, say) as supervisor:
        supervisor.add(program("web", "say('start'); sys.exit(3)"))
        supervisor.run()
    """)
    eventually(lambda: len(running.trail) == 3)
    running.process.terminate()
    said = running.finish().splitlines()
    delays = [line.split("again in ")[1] for line in said if "again in" in line]
    assert delays[:2] == ["0.5 s.", "1 s."]


def test_it_gives_up_on_what_does_not_start(run: Callable[[str], Run]) -> None:
    running = run("""
    try:
        with Supervisor(logs, os.environ, say) as supervisor:
            supervisor.add(program("redis", "until_stopped('redis')"))
            supervisor.until(said(1), 10, "redis")
            supervisor.add(program("web", "print('no such table'); sys.exit(3)"))
            supervisor.until(lambda: False, 60, "web")
    except StartFailed as reason:
        say(f"{reason}: {reason.log.read_text().split(chr(10))[0]}")
    """)
    assert running.finish().splitlines()[-1] == "web does not start: no such table"
    assert running.trail[-1] == "stop redis"


def test_killed_itself_it_leaves_no_orphans(run: Callable[[str], Run]) -> None:
    running = run(THREE)
    eventually(lambda: len(running.trail) == 3)
    assert all(alive(pid) for pid in running.pids())
    running.process.kill()
    eventually(lambda: not any(alive(pid) for pid in running.pids()))


def test_what_a_child_started_ends_with_it(run: Callable[[str], Run]) -> None:
    running = run("""
    with Supervisor(logs, os.environ, say) as supervisor:
        supervisor.add(program("web", '''
    sleeper = subprocess.Popen(["sleep", "60"])
    say("start sleeper " + str(sleeper.pid))
    until_stopped("web")
    '''.replace("\\n    ", "\\n")))
        supervisor.run()
    """)
    eventually(lambda: len(running.trail) == 2)
    sleeper = running.pids()[0]
    assert alive(sleeper)
    running.process.terminate()
    running.finish()
    assert not alive(sleeper)


def test_a_second_request_ends_a_stubborn_child_at_once(run: Callable[[str], Run]) -> None:
    running = run("""
    with Supervisor(logs, os.environ, say) as supervisor:
        supervisor.add(program("web", '''
    signal.signal(signal.SIGTERM, lambda *_: say("asked"))
    say("start web " + str(os.getpid()))
    while True: signal.pause()
    '''.replace("\\n    ", "\\n"), 60.0))
        supervisor.run()
    """)
    eventually(lambda: len(running.trail) == 1)
    running.process.terminate()
    eventually(lambda: "asked" in running.trail)
    assert running.process.poll() is None
    running.process.terminate()
    running.finish()
    assert not alive(running.pids()[0])


def test_a_program_that_ends_by_itself_gives_its_words(run: Callable[[str], Run]) -> None:
    running = run("""
    with Supervisor(logs, os.environ, say) as supervisor:
        say(supervisor.once(program("release", "print('up to date')")))
        try:
            supervisor.once(program("release", "sys.exit(1)"))
        except StartFailed as reason:
            say(str(reason))
        say(str(supervisor.pids))
    """)
    assert running.finish().split("\n") == ["up to date", "", "release does not start", "{}", ""]


def test_the_log_of_the_run_before_is_kept(run: Callable[[str], Run], tmp_path: Path) -> None:
    for word in ("first", "second"):
        run(f"""
        with Supervisor(logs, os.environ, say) as supervisor:
            supervisor.once(program("release", "print({word!r})"))
        """).finish()
    assert (tmp_path / "log" / "release.log").read_text() == "second\n"
    assert (tmp_path / "log" / "release.log.1").read_text() == "first\n"
