"""A whole game as a file of JSON Lines: a header, then one event a line. See docs/log-format.md."""

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from io import StringIO
from math import isfinite
from typing import Any, Final, NoReturn

from core.game.errors import LogError
from core.game.events import Event, GameStarted
from core.game.evolve import Fold
from core.game.log.codec import decode_strictly, encode
from core.game.log.validate import problem, unfit
from core.text import _

MAX_LINE: Final = 200_000
"""Characters of a line; the longest is that of the ruleset, some 15,000."""
_MAX_DIGITS: Final = 6
"""Of a number: no game holds more, and what is drawn or counted out must come to an end."""


def read_object(line: str) -> dict[str, Any]:
    """Return the object on a line.

    Raises:
        LogError: the line is too long or no JSON object; a key stands in it twice, a number is
            too large or none (NaN), a character is one that no database keeps.
    """
    if len(line) > MAX_LINE:
        raise LogError(f"longer than {MAX_LINE} characters")
    try:
        body = json.loads(
            line,
            parse_int=_whole,
            parse_float=_decimal,
            parse_constant=_no_number,
            object_pairs_hook=_once,
        )
        if "\\u" in line:  # only an escape brings in what the file's own encoding cannot hold
            _demand_text(body)
    except (ValueError, RecursionError) as error:
        raise LogError(f"not JSON ({error})") from error
    if not isinstance(body, dict):
        raise LogError("not a JSON object")
    return body


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    return int(digits)


def _decimal(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} is there twice")
        found[key] = value
    return found


def _demand_text(body: object) -> None:
    """UTF-8 has no half characters, and PostgreSQL keeps no NUL."""
    text = json.dumps(body, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("half a character stands alone") from error
    if "\\u0000" in text:
        raise ValueError("a text holds the character NUL")


FORMAT: Final = "kraftpost-log"
VERSION: Final = 1
_HEADER: Final = ("format", "version", "names", "map", "variant", "engine")
_ENTRY: Final = ("seq", "at", "event")
_MAX_EVENTS: Final = 50_000
_BROKEN: Final = (LookupError, ValueError, TypeError, ArithmeticError, AttributeError)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of its game: players' names by seat, keys of map and variant, the engine."""

    names: tuple[str, ...]
    map: str
    variant: str
    engine: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Event number `seq` (from 1); `at` in UTC, None where no clock was running."""

    seq: int
    at: datetime | None
    event: Event


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game as its file tells it."""

    header: Header
    entries: tuple[Entry, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events without their times."""
        return tuple(entry.event for entry in self.entries)


def log_of(
    events: Iterable[Event], names: Iterable[str], times: Iterable[datetime] | None = None
) -> GameLog:
    """Make a log from the first event on; `times` in UTC, one for each event.

    Raises:
        LogError: it does not begin with GameStarted.
    """
    log = tuple(events)
    if not log or not isinstance(log[0], GameStarted):
        raise LogError("A log starts with GameStarted.")
    rules = log[0].ruleset
    clock = [None] * len(log) if times is None else list(times)
    entries = [Entry(n, at, e) for n, (at, e) in enumerate(zip(clock, log, strict=True), start=1)]
    header = Header(tuple(names), rules.map.key, rules.variant, version("kraftpost"))
    return GameLog(header, tuple(entries))


def dump(log: GameLog) -> Iterator[str]:
    """Write a log, line by line, each with its line end."""
    yield _line({"format": FORMAT, "version": VERSION, **asdict(log.header)})
    for entry in log.entries:
        yield _line({"seq": entry.seq, "at": _time_text(entry.at), "event": encode(entry.event)})


def read(raw: bytes) -> GameLog:
    """Read a log from the bytes of a file: UTF-8, or UTF-16 that says so with its first bytes.

    Raises:
        LogError: the bytes are no text; or as in `load`.
    """
    encoding = "utf-16" if raw[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        said = _("The file is not written in UTF-8 (byte {n} is none): save it as UTF-8.")
        raise LogError(said.format(n=error.start + 1)) from error
    return load(StringIO(text))


def load(lines: Iterable[str]) -> GameLog:
    """Read a log and fold it, so that what comes back can be replayed to its end.

    Raises:
        LogError: names the line and the reason: not JSON, another format or version, an unknown
            event, numbers or times out of order, an event that does not fit the position.
    """
    numbered = ((n, line) for n, line in enumerate(lines, start=1) if line.strip())
    n, first = next(numbered, (1, ""))
    header = _header(n, _object(n, first))
    entries: list[Entry] = []
    fold = Fold()
    for n, line in numbered:
        if len(entries) >= _MAX_EVENTS:
            raise _wrong(n, "a game has no so many events")
        entry = _entry(n, _object(n, line), entries[-1] if entries else None)
        _take(n, fold, entry.event)
        entries.append(entry)
    if fold.state is None:
        raise _wrong(n, "there is no event behind the header")
    if len(header.names) != len(fold.state.players):
        raise _wrong(1, f"names: there are {len(fold.state.players)} seats")
    return GameLog(header, tuple(entries))


def _line(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")) + "\n"


def _time_text(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _wrong(n: int, reason: str) -> LogError:
    return LogError(f"Line {n}: {reason}.")


def _object(n: int, line: str) -> dict[str, Any]:
    try:
        return read_object(line)
    except LogError as error:
        raise _wrong(n, str(error)) from error


def _header(n: int, body: dict[str, Any]) -> Header:
    if body.get("format") != FORMAT:
        raise _wrong(n, f"this is no {FORMAT}")
    if body.get("version") != VERSION:
        raise _wrong(n, f"the format has version {body.get('version')!r}; known is {VERSION}")
    _demand_known(n, body, _HEADER)
    names, rest = body.get("names"), [body.get(key) for key in ("map", "variant", "engine")]
    if not isinstance(names, list) or not all(isinstance(text, str) for text in (*names, *rest)):
        raise _wrong(n, "the header needs names, map, variant and engine")
    return Header(tuple(names), *map(str, rest))


def _entry(n: int, body: dict[str, Any], last: Entry | None) -> Entry:
    _demand_known(n, body, _ENTRY)
    seq = 1 if last is None else last.seq + 1
    if body.get("seq") != seq:
        raise _wrong(n, f"event {seq} is missing; here is {body.get('seq')!r}")
    at = _time(n, body.get("at"))
    if last is not None and last.at is not None and at is not None and at < last.at:
        raise _wrong(n, "it happens before the event above it")
    if not isinstance(body.get("event"), dict):
        raise _wrong(n, "there is no event")
    try:
        return Entry(seq, at, decode_strictly(body["event"]))
    except LogError as error:
        raise LogError(f"Line {n}: {error}") from error


def _demand_known(n: int, body: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in body:
        if key not in keys:
            raise _wrong(n, f"{key[:40]!r} is not known")


def _time(n: int, text: object) -> datetime | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise _wrong(n, f"{text!r} is no time") from error
    if at.utcoffset() != timedelta(0):
        raise _wrong(n, f"{text!r} is not in UTC")
    return at


def _take(n: int, fold: Fold, event: Event) -> None:
    before = fold.state
    try:
        reason = unfit(before, event) or problem(before, event, fold.add(event))
    except LogError as error:
        raise LogError(f"Line {n}: {error}") from error
    except _BROKEN as error:
        raise _wrong(n, f"{event.type} does not fit the position before it") from error
    if reason is not None:
        raise _wrong(n, f"{event.type} cannot be: {reason}")
