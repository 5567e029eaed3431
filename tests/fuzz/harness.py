"""Spoiled files against the import of a real site: what came of each, and what it cost.

A file is refused with a reason, and then nothing at all has been stored; or it is a game, and then
what is stored folds to the positions of the file, and its pages can be looked at. Anything else
raises.
"""

import io
import json
import re
import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from html import unescape
from random import Random
from tempfile import NamedTemporaryFile

from sqlmodel import func, select

from core.bots import CARETAKER, bot
from core.game.events import Event, GameAbandoned
from core.game.evolve import replay
from core.game.log.codec import decode
from core.game.log.jsonl import dump, log_of
from core.game.rules.load import load as rules
from core.store.tables import EventRow, Game, OutboxMail, Rating, Result, ResultSeat, SeatRow
from tests.fuzz.mutations import mutate
from tests.support.over import until_asked
from tests.support.site import Site
from webapp.instruments.selfplay import play_game

SLOWEST = 10.0
"""Seconds of computing that one file may cost, import and pages."""
_TABLES = (Game, SeatRow, EventRow, Result, ResultSeat, Rating, OutboxMail)
_REASON = re.compile(r'id="wrong">\s*<p>(.+?)</p>', re.DOTALL)
_NAMES = ("Änne", "Ben", "Çem")


@cache
def bases() -> tuple[tuple[str, ...], ...]:
    """Sound files: a whole game, and shorter ones that were ended, with and without times."""
    began = datetime(2026, 11, 1, 12, tzinfo=UTC)
    whole = play_game(rules("france"), [bot(CARETAKER)] * 2, "5eed")
    three = play_game(rules("germany", "recharged", {"auction": "open"}), [bot(CARETAKER)] * 3, "2")
    short = [*until_asked(whole, 90), GameAbandoned("enough", "5eed")]
    timed = [*until_asked(three, 150), GameAbandoned("", "2", "last-player")]
    clock = [began + timedelta(minutes=n) for n in range(len(timed))]
    files = (log_of(whole, _NAMES[:2]), log_of(short, _NAMES[:2]), log_of(timed, _NAMES, clock))
    return tuple(tuple("".join(dump(log)).splitlines()) for log in files)


@dataclass
class Tally:
    """What came of the files."""

    same: int = 0
    other: int = 0
    refused: int = 0
    slowest: float = 0.0
    slowest_way: str = ""
    accepted_ways: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        files = self.same + self.other + self.refused
        ways = ", ".join(f"{way} {n}" for way, n in self.accepted_ways.most_common())
        return (
            f"{files} files: {self.refused} refused with a reason, {self.same} taken as the same "
            f"game, {self.other} taken as another sound game; slowest {self.slowest:.2f} s "
            f"({self.slowest_way})\ntaken: {ways}"
        )


class Trial:
    """One site that is given spoiled files."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site, self.chance, self.tally = site, Random(seed), Tally()
        self.anna = site.visitor("Anna")
        self.token = self.anna.token()
        self.rows = self._count()

    def files(self, count: int) -> Iterator[str]:
        """Try so many files; yields what was done to each."""
        whole, *short = bases()
        for _ in range(count):
            lines = list(whole) if self.chance.random() < 0.1 else list(self.chance.choice(short))
            way, raw = mutate(self.chance, lines)
            try:
                self.one(way, raw, lines)
            except Exception as error:
                error.add_note(f"{way}: {raw[:200]!r} … {len(raw)} bytes")
                error.add_note(f"kept as {_keep(raw)}")
                raise
            yield way

    def one(self, way: str, raw: bytes, lines: list[str]) -> None:
        """Bring one file."""
        began = time.process_time()
        fields = {"who": "all", "csrf_token": self.token, "file": (io.BytesIO(raw), "x.jsonl")}
        answer = self.anna.client.post("/import", data=fields, content_type="multipart/form-data")
        if answer.status_code in (413, 422):
            self._refused(answer.status_code, answer.text)
        else:
            assert answer.status_code == 303, answer.status_code
            self._taken(int(answer.location.rpartition("/")[2]), way, raw, lines)
        took = time.process_time() - began
        assert took < SLOWEST, f"took {took:.1f} s"
        if took > self.tally.slowest:
            self.tally.slowest, self.tally.slowest_way = took, way

    def _refused(self, status: int, page: str) -> None:
        found = _REASON.search(page)
        assert status == 413 or (found and len(unescape(found.group(1)).strip()) > 10), page
        assert self._count() == self.rows, "something was stored"
        self.tally.refused += 1

    def _taken(self, game_id: int, way: str, raw: bytes, lines: list[str]) -> None:
        kept = self.site.house.events(game_id)
        told = _events(raw)
        assert kept == told, "other events are stored than the file holds"
        final = replay(kept)
        assert final == replay(told)
        same = final == replay(_events("\n".join(lines).encode()))
        self.tally.same += same
        self.tally.other += not same
        self.tally.accepted_ways[way] += 1
        rows = self._count()
        if rows != self.rows:  # else it is one that was there already
            self._look(game_id, len(kept))
        self.rows = rows

    def _look(self, game_id: int, length: int) -> None:
        n = self.chance.randrange(1, length + 1)
        for path in ("", f"/at/{n}", "/rules", "/log.jsonl", "/story"):
            answer = self.anna.get(f"/games/{game_id}{path}")
            assert answer.status_code == 200, (path, answer.status_code)

    def _count(self) -> tuple[int, ...]:
        with self.site.house.read() as s:
            return tuple(s.scalar(select(func.count()).select_from(table)) for table in _TABLES)


def _events(raw: bytes) -> list[Event]:
    """A file's events by the shortest way that there is."""
    text = raw.decode("utf-16" if raw[:2] in (BOM_UTF16_BE, BOM_UTF16_LE) else "utf-8-sig")
    lines = [line for line in io.StringIO(text, newline=None) if line.strip()]
    return [decode(json.loads(line)["event"]) for line in lines[1:]]


def _keep(raw: bytes) -> str:
    """Write a file that broke something where it can be found; returns its path."""
    with NamedTemporaryFile(prefix="kraftpost-fuzz-", suffix=".jsonl", delete=False) as file:
        file.write(raw)
    return file.name
