"""Rows that are work to do: claimed for a while, tried, postponed, marked.

An attempt is counted, and committed with the lease, before it is made. A dead worker's lease runs
out, and another worker claims the row; one that has lost its lease changes nothing any more.
SQLite has one writer at a time (`write` takes the lock at once); on PostgreSQL rows that another
transaction has locked are passed over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import ColumnElement, Engine, and_, inspect, or_, select, tuple_, update
from sqlmodel import Session

from core.store.session import write


class Leased(Protocol):
    """A row that can be claimed; it has a `status` and a time from which on it is due, too."""

    attempts: int
    lease_until: datetime | None


Row = TypeVar("Row", bound=Leased)


@dataclass(frozen=True, slots=True)
class Queue(Generic[Row]):
    """The rows of a table as work to do.

    `waits`: the status of a row that is not done. `since`: name of the column that says from when
    on it is due. `lease`: how long a worker may take before another one takes over. `round`: how
    long one worker goes on before other tasks have their turn. Pauses between attempts double from
    `first_pause` to `longest_pause`.
    """

    table: type[Row]
    waits: str
    since: str
    lease: timedelta
    round: timedelta
    first_pause: timedelta = timedelta()
    longest_pause: timedelta = timedelta(hours=2)

    def free(self, now: datetime) -> ColumnElement[bool]:
        """Match rows that are not done, and that nobody works on."""
        lease = self._column("lease_until")
        return and_(self._column("status") == self.waits, or_(lease.is_(None), lease <= now))

    def due(self, now: datetime) -> ColumnElement[bool]:
        """Match free rows whose time has come."""
        return and_(self.free(now), self._column(self.since) <= now)

    def claim(
        self,
        session: Session,
        now: datetime,
        where: ColumnElement[bool],
        order: Sequence[Any] = (),
        most: int | None = None,
    ) -> list[Row]:
        """Lease free rows and count an attempt at each; all that are claimed share one lease."""
        found = (
            select(self.table)
            .where(self.free(now), where)
            .order_by(*order)
            .limit(most)
            .with_for_update(skip_locked=True)
            .execution_options(populate_existing=True)
        )
        rows = list(session.scalars(found))
        for row in rows:
            row.attempts += 1
            row.lease_until = now + self.lease
        session.flush()
        return rows

    def claims(
        self,
        engine: Engine,
        clock: Callable[[], datetime],
        claim: Callable[[Session, datetime], Sequence[Row]],
    ) -> Iterator[Sequence[Row]]:
        """Yield what `claim` takes, again and again, until nothing is due or the round is over."""
        now = clock()
        end = now + self.round
        while now < end:
            with write(engine) as session:
                rows = claim(session, now)
            if not rows:
                return
            yield rows
            now = clock()

    def mine(self, session: Session, rows: Sequence[Row]) -> list[Row]:
        """Return claimed rows as they are now, without those that are done or another's."""
        found = select(self.table).where(
            self._among(rows),
            self._column("status") == self.waits,
            self._column("lease_until") == rows[0].lease_until,
        )
        fresh = found.with_for_update().execution_options(populate_existing=True)
        return list(session.scalars(fresh))

    def mark(
        self, session: Session, rows: Sequence[Row], *, lost: bool = False, **values: Any
    ) -> None:
        """Set columns of claimed rows and end their lease; with `lost` even if it is another's."""
        if not rows:
            return
        mine = self._column("lease_until") == rows[0].lease_until
        session.execute(
            update(self.table)
            .where(self._among(rows), *(() if lost else (mine,)))
            .values({"lease_until": None, **values})
            .execution_options(synchronize_session=False)
        )

    def pause(self, attempts: int) -> timedelta:
        """Return how long to wait after so many attempts."""
        doubled: timedelta = self.first_pause * 2 ** min(attempts - 1, 20)
        return min(doubled, self.longest_pause)

    def tried(self, attempts: int) -> timedelta:
        """Return for how long a row has been tried, if nothing but the pauses held it up."""
        return sum(map(self.pause, range(1, attempts)), timedelta())

    def _among(self, rows: Sequence[Row]) -> ColumnElement[bool]:
        keys = self._key()
        return tuple_(*keys).in_([tuple(getattr(row, key.key) for key in keys) for row in rows])

    def _key(self) -> list[Any]:
        return [self._column(str(column.key)) for column in inspect(self.table).primary_key]

    def _column(self, name: str) -> Any:
        return getattr(self.table, name)
