"""Does every stored game still fold to what it was, with the code of today (M47)?

Beside each log lies the position to which the code folded it when the game last moved. A later
build folds the log anew: what differs is told in words, and stops a release.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from core.game import engine
from core.game.errors import LogError
from core.game.events import Event
from core.game.evolve import Fold
from core.game.judge import judge
from core.game.log import codec
from core.game.state import GameState
from core.game.types import Phase
from core.statuses import GAME_OVER
from core.store.session import put
from core.store.tables import EventRow, Game, PositionRow
from core.table.record import gamelog, turns
from core.text import _

_MOST: Final = 20
"""Differences of one game that are told."""
_BROKEN: Final = (LookupError, ValueError, TypeError, ArithmeticError, AttributeError)


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one game: the number of its events, and what is wrong, in words.

    `compared`: there was a position to compare it with. `digest`: of the position it has now.
    """

    game: int
    status: str
    events: int
    compared: bool
    digest: str
    problems: tuple[str, ...]


def keep(session: Session, game: Game, state: GameState, now: datetime) -> None:
    """Note the position of a game, for builds to come. The game must be locked."""
    known = codec.facts(state)
    digest = codec.digest(known)
    put(session, PositionRow(game_id=game.id, seq=state.seq, digest=digest, facts=known, at=now))


def games(session: Session) -> list[int]:
    """Every game that has a log, oldest first."""
    return list(session.exec(select(Game.id).where(col(Game.seq) > 0).order_by(col(Game.id))))


def check(session: Session, game_id: int) -> Finding:
    """Fold one game and compare; make its moves again by the rules of today (K2)."""
    game = gamelog.find(session, game_id)
    kept = session.get(PositionRow, game_id)
    fold, problems = Fold(), []
    events: list[Event] = []
    try:
        events.extend(_add(fold, row) for row in _rows(session, game_id))
    except LogError as error:
        problems.append(str(error))
    state = fold.state
    if not problems and state is not None:
        problems += _against(fold, kept, game)
        problems += _live(session, game, state)
        found = judge(events, game.seed)
        if found.difference:
            text = _("the code of today decides otherwise (edition {n}): {difference}")
            problems.append(text.format(n=found.edition, difference=found.difference))
    return Finding(
        game=game_id,
        status=game.status,
        events=state.seq if state else 0,
        compared=kept is not None,
        digest=codec.digest(codec.facts(state)) if state else "",
        problems=tuple(problems[:_MOST]),
    )


def keep_missing(session: Session, game_id: int, now: datetime) -> None:
    """Note the position of a game that has none yet, so that the next build can compare."""
    game = gamelog.lock(session, game_id)
    if session.get(PositionRow, game_id) is None:
        keep(session, game, gamelog.load(session, game_id), now)


def _rows(session: Session, game_id: int) -> list[EventRow]:
    query = select(EventRow).where(EventRow.game_id == game_id).order_by(col(EventRow.seq))
    return list(session.exec(query))


def _add(fold: Fold, row: EventRow) -> Event:
    """Fold one event and return it; LogError names it where that does not work any more."""
    seq = fold.state.seq if fold.state else 0
    if row.seq != seq + 1:
        raise LogError(_("event {n} is missing").format(n=seq + 1))
    try:
        event = codec.decode(row.body)
        fold.add(event)
    except (LogError, *_BROKEN) as error:
        kind, reason = row.body.get("type"), f"{type(error).__name__}: {error}"
        text = _("event {n}, {kind}, cannot be folded: {reason}")
        raise LogError(text.format(n=row.seq, kind=kind, reason=reason)) from error
    return event


def _against(fold: Fold, kept: PositionRow | None, game: Game) -> Iterator[str]:
    """Compare the fold with what was kept; the log may have grown since."""
    seq = fold.state.seq if fold.state else 0
    if seq != game.seq:
        yield _("the log has {n} events, the game says {seq}").format(n=seq, seq=game.seq)
    if kept is None:
        return
    if kept.seq > seq:
        yield _("the log has {n} events, once it had {seq}").format(n=seq, seq=kept.seq)
        return
    now = codec.facts(fold.at(kept.seq))
    if codec.digest(now) != kept.digest:
        text = _("after event {seq}: {difference}")
        for difference in codec.differences(kept.facts, now):
            yield text.format(seq=kept.seq, difference=difference)


def _live(session: Session, game: Game, state: GameState) -> Iterator[str]:
    """Compare the fold with what the service lives by: who is asked, whether the game is over."""
    over = game.status in GAME_OVER
    if over != (state.phase is Phase.FINISHED):
        text = _("the game is {status}, and its log says {phase}")
        yield text.format(status=game.status, phase=state.phase.value)
    if over or game.stopped_reason:
        return
    acting = set(engine.to_act(state))
    for turn in turns.asked(session, game.id):
        if not turn.plan and turn.seat not in acting:
            yield _("seat {seat} is asked, and it is not its move").format(seat=turn.seat)
