"""Games by the thousand over several processes; a run can be stopped and gone on with."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from webapp.instruments import soak
from webapp.instruments.soak import Table

BATCH: Final = 25
"""Games that a process plays before it tells."""
_TELL_EVERY: Final = 10.0  # seconds


@dataclass(frozen=True, slots=True)
class Batch:
    """Games of one table, from number `first` on; `seed` is that of game 0."""

    table: Table
    seed: str
    first: int
    games: int

    @property
    def key(self) -> str:
        """Its name in the file of what is done."""
        return f"{self.table.key}/{self.first}+{self.games}"


@dataclass(frozen=True, slots=True)
class Broken:
    """A game that does not hold together or does not end: its table, rules, seed and fault."""

    table: Table
    options: soak.Options
    seed: str
    reason: str


@dataclass(slots=True)
class Tally:
    """What has been played; `seconds` are those of the processors."""

    games: int = 0
    moves: int = 0
    fewest_rounds: int = 0
    most_rounds: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    """Games by the Step in which they ended."""
    seconds: float = 0.0

    def count(self, game: soak.Played) -> None:
        """Add a game."""
        self.add(Tally(1, game.moves, game.rounds, game.rounds, {str(game.step): 1}))

    def add(self, other: "Tally") -> None:
        """Add what somebody else has counted."""
        counted = [tally for tally in (self, other) if tally.games]
        self.fewest_rounds = min((tally.fewest_rounds for tally in counted), default=0)
        self.most_rounds = max(self.most_rounds, other.most_rounds)
        self.games += other.games
        self.moves += other.moves
        self.steps = dict(Counter(self.steps) + Counter(other.steps))
        self.seconds += other.seconds


class Notebook:
    """The file of batches that are done, one a line; without a path nothing is kept."""

    def __init__(self, path: Path | None, run: dict[str, Any]) -> None:
        """Read what was done; UsageError where another `run` has written the file."""
        self._path = path
        self.done: dict[str, Tally] = {}
        lines = _whole_lines(path) if path and path.exists() else []
        if not lines:
            self._append(run)
        elif lines[0] != run:
            raise click.UsageError(f"{path} belongs to another run: {lines[0]}")
        for body in lines[1:]:
            self.done[body["batch"]] = Tally(**body["tally"])

    def note(self, batch: Batch, tally: Tally) -> None:
        """Note that a batch is done."""
        self._append({"batch": batch.key, "tally": asdict(tally)})

    def _append(self, body: dict[str, Any]) -> None:
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(body) + "\n")


def _whole_lines(path: Path) -> list[Any]:
    """Read the file, without a last line that a stopped run has left half written."""
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def seed_of(first: str, n: int) -> str:
    """Return the seed of game `n` (from 0) of a row: the `first`, then with /2, /3 and so on."""
    return first if n == 0 else f"{first}/{n + 1}"


def play_all(seeds: dict[Table, str], games: int, jobs: int, notebook: Notebook) -> Tally | Broken:
    """Play `games` at each table in `jobs` processes; only what is not done yet.

    `seeds`: that of the first game of each table. Stops at the first game that is broken.
    """
    batches = list(_batches(seeds, games))
    total = Tally()
    for batch in batches:
        total.add(notebook.done.get(batch.key, Tally()))
    progress = _Progress(total, games * len(seeds))
    with ProcessPoolExecutor(jobs) as pool:
        results = {pool.submit(play_batch, b): b for b in batches if b.key not in notebook.done}
        for future in as_completed(results):
            result = future.result()
            if isinstance(result, Broken):
                pool.shutdown(cancel_futures=True)
                return result
            notebook.note(results[future], result)
            total.add(result)
            progress.tell()
    return total


def play_batch(batch: Batch) -> Tally | Broken:
    """Play a batch in this process."""
    began, tally, table = time.process_time(), Tally(), batch.table
    for n in range(batch.first, batch.first + batch.games):
        seed = seed_of(batch.seed, n)
        try:
            tally.count(soak.play(table, n, seed))
        except Exception as error:  # whatever it is, it is what we look for
            return Broken(table, table.options(n), seed, f"{type(error).__name__}: {error}")
    tally.seconds = time.process_time() - began
    return tally


def _batches(seeds: dict[Table, str], games: int) -> Iterator[Batch]:
    """Of every table the first games first: what is wrong everywhere shows early."""
    for first in range(0, games, BATCH):
        for table, seed in seeds.items():
            yield Batch(table, seed, first, min(BATCH, games - first))


class _Progress:
    """A line on standard error, now and then."""

    def __init__(self, total: Tally, wanted: int) -> None:
        self._total, self._wanted = total, wanted
        self._before, self._began = total.games, time.monotonic()
        self._told = self._began

    def tell(self) -> None:
        """Say how far it has come, unless that was said just now."""
        now = time.monotonic()
        if now - self._told < _TELL_EVERY:
            return
        self._told = now
        rate = (self._total.games - self._before) / (now - self._began)
        left = (self._wanted - self._total.games) / rate / 60
        click.echo(
            f"{self._total.games:,} of {self._wanted:,} games, {rate:.1f} a second, "
            f"{left:.0f} min left",
            err=True,
        )


def told(tally: Tally) -> str:
    """Return the tally in one line."""
    steps = ", ".join(f"{count:,} in Step {step}" for step, count in sorted(tally.steps.items()))
    each = tally.seconds / max(1, tally.games)
    return (
        f"{tally.games:,} games, {tally.moves:,} moves, all sound and over after "
        f"{tally.fewest_rounds} to {tally.most_rounds} rounds ({steps}); "
        f"{tally.seconds:,.0f} s of a processor, {each:.3f} s a game"
    )


def told_broken(broken: Broken) -> str:
    """Return what went wrong, and the command that plays that game again."""
    table = broken.table
    options = " ".join(f"--option {key}={value}" for key, value in broken.options)
    return (
        f"{broken.reason}\nPlay it again: kraftpost selfplay --check --map {table.map} "
        f"--variant {table.variant} --players {table.players} --bots {','.join(table.bots)} "
        f"{options} --seed {broken.seed}"
    )
