"""Start programs in order, restart what crashes, stop in reverse order, leave nothing behind.

Each program leads a session of its own, so that Ctrl-C reaches the supervisor alone and it
decides the order; on Linux the kernel ends the programs if the supervisor itself is killed.
"""

import atexit
import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final, NoReturn, Protocol, Self, cast

PR_SET_PDEATHSIG: Final = 1
PR_SET_NAME: Final = 15
FIRST_DELAY: Final = 0.5  # seconds before a crashed program is started again, doubled each time …
LAST_DELAY: Final = 30.0  # … up to this
STEADY: Final = 30.0  # seconds after which a program counts as having started well
GIVE_UP: Final = 3  # crashes in a row while starting up


class StopRequested(Exception):
    """Somebody asked the supervisor to stop."""


class StartFailed(Exception):
    """A program does not come up; ``log`` holds what it said."""

    def __init__(self, name: str, log: Path) -> None:
        self.log = log
        super().__init__(f"{name} does not start")


@dataclass(frozen=True)
class Program:
    """What to run, and how many seconds it has to stop when asked.

    `inside`: what to call with the words of the command behind it, in a fork of the supervisor,
    instead of executing the command: so they share the memory of what is imported already.
    """

    name: str
    command: Sequence[str]
    grace: float = 10.0
    inside: Callable[[], object] | None = None


class Process(Protocol):
    """As much of `subprocess.Popen` as a supervisor needs."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None:
        """Return the exit code once it has ended, negative for a signal."""

    def wait(self) -> int:
        """Wait for its end and return the exit code."""

    def terminate(self) -> None:
        """Ask it to stop."""


class Fork:
    """A copy of this process that runs a program."""

    def __init__(self, program: Program, log: Path, environ: Mapping[str, str]) -> None:
        """Fork. There must be no threads, and no connection to anything."""
        self.returncode: int | None = None
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _become(program, log, environ, parent)

    def poll(self) -> int | None:
        """Return the exit code once it has ended, negative for a signal."""
        return self._ended(os.WNOHANG)

    def wait(self) -> int:
        """Wait for its end and return the exit code."""
        return cast(int, self._ended(0))

    def terminate(self) -> None:
        """Ask it to stop."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def _ended(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def _become(program: Program, log: Path, environ: Mapping[str, str], parent: int) -> NoReturn:
    """Leave everything of the supervisor behind, and run the program to its end."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        if prepare := _die_with(parent):
            prepare()
        nothing = os.open(os.devnull, os.O_RDONLY)
        words = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        for target, source in ((0, nothing), (1, words), (2, words)):
            os.dup2(source, target)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.environ.update(environ)
        _call_it(program.name)
        sys.argv = [*program.command]
        if program.inside is not None:
            program.inside()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


class Child:
    """A program that is kept running."""

    def __init__(self, program: Program, log: Path, environ: Mapping[str, str]) -> None:
        self.program = program
        self.log = log
        self.environ = environ
        self.crashes = 0
        self.due = 0.0
        self.process: Process | None = None

    def start(self) -> None:
        """Start it, what it says going to its log."""
        if self.program.inside is not None:
            self.process = Fork(self.program, self.log, self.environ)
            self.started = time.monotonic()
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 (our own command lines)
                self.program.command,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with(os.getpid()),  # noqa: PLW1509 (there are no threads)
            )
        self.started = time.monotonic()

    def watch(self, say: Callable[[str], None]) -> None:
        """See whether it has ended; start it again when its delay is over."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.due:
                self.start()
            return
        code = self.process.poll()
        if code is None:
            return
        self._end_group()
        self.process = None
        self.crashes = 1 if now - self.started > STEADY else self.crashes + 1
        delay = min(LAST_DELAY, FIRST_DELAY * 2 ** (self.crashes - 1))
        self.due = now + delay
        say(f"{self.program.name} ended ({_how(code)}); starting it again in {delay:g} s.")

    def stop(self, wait: Callable[[Process, float], None]) -> None:
        """Ask it to stop, let ``wait`` give it its grace, then end it and whatever it left."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        wait(self.process, self.program.grace)
        self._end_group()
        self.process.wait()
        self.process = None

    def _end_group(self) -> None:
        """End what the program started and did not end itself."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


class Supervisor:
    """Keeps children; use it as a context, which takes over the signals and stops all at its end.

    A request to stop leaves the context from wherever it is, without an error.

    ``say`` gets one line for each thing worth telling. Not for use outside the main thread.
    """

    def __init__(self, logs: Path, environ: Mapping[str, str], say: Callable[[str], None]) -> None:
        self.logs = logs
        self.environ = environ
        self.say = say
        self.children: list[Child] = []
        self.stop_requests = 0
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def __enter__(self) -> Self:
        self.logs.mkdir(parents=True, exist_ok=True)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._request_stop)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        asked = isinstance(error, StopRequested)
        if asked:
            self.say("Stopping …")
        self.stop()
        return asked

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stop_requests += 1

    def add(self, program: Program) -> None:
        """Start a program and keep it running from now on."""
        self.children.append(self._start(program))

    def once(self, program: Program) -> str:
        """Run a program that ends by itself, and return what it said.

        Raises:
            StartFailed: its exit code is not 0.
            StopRequested: somebody asked to stop in the meantime.
        """
        child = self._start(program)
        process = child.process
        try:
            while process is not None and process.poll() is None:
                self._step(None)
        finally:
            child.stop(self._wait_for)
        if process is not None and process.returncode:
            raise StartFailed(program.name, child.log)
        return child.log.read_text(errors="replace")

    def _start(self, program: Program) -> Child:
        log = self.logs / f"{program.name}.log"
        if log.exists():
            log.replace(log.with_suffix(".log.1"))
        child = Child(program, log, self.environ)
        child.start()
        return child

    @property
    def pids(self) -> dict[str, int]:
        """Process ids of the programs that run just now, by name."""
        return {child.program.name: child.process.pid for child in self.children if child.process}

    def until(self, condition: Callable[[], bool], within: float, name: str) -> None:
        """Keep everything running until the condition holds.

        Raises:
            StartFailed: it does not hold after so many seconds, or a child crashes repeatedly.
            StopRequested: somebody asked to stop in the meantime.
        """
        end = time.monotonic() + within
        while not condition():
            self._step(0.1)
            for child in self.children:
                if child.crashes >= GIVE_UP:
                    raise StartFailed(child.program.name, child.log)
            if time.monotonic() > end:
                raise StartFailed(name, self.logs / f"{name}.log")

    def run(self) -> NoReturn:
        """Keep everything running until somebody asks to stop, which ends the context."""
        while True:
            waiting = [child.due for child in self.children if child.process is None]
            self._step(max(0.0, min(waiting) - time.monotonic()) if waiting else None)

    def _step(self, timeout: float | None) -> None:
        """Sleep for a while at most, then look after the children.

        Raises:
            StopRequested: somebody asked to stop.
        """
        self._sleep(timeout)
        if self.stop_requests:
            raise StopRequested
        for child in self.children:
            child.watch(self.say)

    def stop(self) -> None:
        """Stop the children, the last started first; a second request to stop ends them at once."""
        self.stop_requests = min(self.stop_requests, 1)
        while self.children:
            self.children.pop().stop(self._wait_for)

    def _wait_for(self, process: Process, grace: float) -> None:
        end = time.monotonic() + grace
        while process.poll() is None and self.stop_requests < 2 and time.monotonic() < end:
            self._sleep(end - time.monotonic())

    def _sleep(self, timeout: float | None) -> None:
        """Sleep until a signal comes (a child's end is one) or so many seconds are over."""
        if select.select([self._reader], [], [], timeout)[0]:
            os.read(self._reader, 512)


def _die_with(parent: int) -> Callable[[], None] | None:
    """Make what a child does before its program: have the kernel end it with its parent."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def prepare() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it went before the kernel knew
            os._exit(1)

    return prepare


def _call_it(name: str) -> None:
    """Let `ps` and `top` tell this fork from the others: they have one command line."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, f"kraft {name}".encode(), 0, 0, 0)


def _how(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
