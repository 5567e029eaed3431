"""A game goes back to an earlier position: its envelopes, its questions and its clocks with it.

Clocks never go back (M60): whoever is asked again has what was left when the question was taken
from him or answered, and no new increment.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from sqlmodel import col, delete, select

from core.game import engine
from core.game.events import Rewound, SealedBidsOpened
from core.game.rewind import counting
from core.game.types import Elektro, Seat
from core.store.tables import SealedBidRow, Turn
from core.table import gamelog, turns
from core.table.outgoing import post
from core.table.play import Play
from core.table.timing import clocks

_ANSWERED: Final = ("move", "draft")
UNDONE: Final = "undone"
"""How a turn was closed that the game went back beyond, or whose answer was taken back."""
_REDONE: Final = "redone"


def rewind(play: Play, event: Rewound) -> None:
    """Let the game go back; then `play.settle` asks whoever is to act at that position."""
    envelopes = _envelopes_at(play, event.to)
    last = play.game.seq
    answered = _taken_back(play, event.to, last)
    unasked = _close_questions(play, event)
    gamelog.append(play.session, play.game, [event], play.now)
    play.state = gamelog.load(play.session, play.game.id)
    _seal(play, envelopes)
    if event.again:
        _restore(play, event.to, unasked)
        return
    for turn in answered:
        turn.closed_by = UNDONE
        play.session.add(turn)
    _carry(play, event, [*answered, *unasked])
    _ask_again(play, {Seat(turn.seat) for turn in answered})


def _close_questions(play: Play, event: Rewound) -> list[Turn]:
    """Close what was asked behind the position; a question from before it stands, as it did."""
    found = [turn for turn in play.turns.values() if turn.turn > event.to]
    for turn in found:
        play.close(Seat(turn.seat), _REDONE if event.again else UNDONE)
    for seat in [seat for seat, plan in play.plans.items() if plan.turn > event.to]:
        play.close_plan(seat, UNDONE)
    return found


def _taken_back(play: Play, to: int, last: int) -> list[Turn]:
    """The turns whose answers lie between the position and the end of what counts."""
    log = gamelog.events(play.session, play.game.id, last)
    path = {entry.seq for entry in counting(log)}
    return [
        turn
        for turn in _turns(play, _ANSWERED)
        if turn.closed_seq is not None and turn.closed_seq >= to and turn.closed_seq + 1 in path
    ]


def _restore(play: Play, to: int, unasked: list[Turn]) -> None:
    """The answers that an earlier going back had taken away count again.

    What was kept for their questions goes; what is left of those that are closed now is kept.
    """
    first = next(
        entry.event
        for entry in gamelog.events(play.session, play.game.id, to + 1, after=to)
        if isinstance(entry.event, Rewound)
    )
    path = {entry.seq for entry in counting(gamelog.events(play.session, play.game.id, to))}
    bygone: Counter[Seat] = Counter()
    for turn in _turns(play, (UNDONE,)):
        seq = turn.closed_seq
        if seq is not None and first.to <= seq < to and seq + 1 in path:
            turn.closed_by = "move"
            play.session.add(turn)
            bygone[Seat(turn.seat)] += 1
    for seat in {*bygone, *(Seat(turn.seat) for turn in unasked)}:
        row = play.rows[seat]
        open_ = [_left(play, turn) for turn in unasked if turn.seat == seat]
        clocks.keep(row, [*open_, *clocks.kept(row)][bygone[seat] :])
        play.session.add(row)


def _turns(play: Play, closed_by: Iterable[str]) -> list[Turn]:
    query = select(Turn).where(
        Turn.game_id == play.game.id,
        col(Turn.closed_by).in_(tuple(closed_by)),
        col(Turn.plan).is_(False),
    )
    return list(play.session.exec(query.order_by(col(Turn.id))))


def _carry(play: Play, event: Rewound, gone: list[Turn]) -> None:
    """Keep for each seat what was left of every question that it loses, in their order."""
    terms = clocks.terms_of(play.game)
    for seat in {Seat(turn.seat) for turn in gone}:
        mine = sorted((t for t in gone if t.seat == seat), key=lambda turn: turn.turn)
        row = play.rows[seat]
        if terms.clock == "turn":
            lefts = [_left(play, turn) for turn in mine]
        else:  # the bank has it already; each question but the first had brought an increment
            more = (len(mine) - 1) * terms.increment_hours * clocks.HOUR
            lefts = [max(clocks.bank(terms, row) - more, 0)]
        if event.by in ("host", "vote"):
            fair = clocks.fair(play.game, row)
            lefts = [max(left, fair) for left in lefts]
        later = clocks.kept(row) if terms.clock == "turn" else []
        clocks.keep(row, [*lefts, *later])
        play.session.add(row)


def _left(play: Play, turn: Turn) -> int:
    """Seconds left of a closed question; a bank has them already."""
    terms = clocks.terms_of(play.game)
    if terms.clock == "bank":
        return clocks.bank(terms, play.rows[Seat(turn.seat)])
    return clocks.left(play.session, play.game, turn, turn.closed_at or play.now)


def _ask_again(play: Play, seats: set[Seat]) -> None:
    """Those who had answered are asked at once: no standing order may answer in their place."""
    for seat in engine.to_act(play.state):
        if seat in seats and seat not in play.turns and not play.machine(seat):
            play.turns[seat] = turns.ask(play.session, play.game, seat, play.now)
            post.turn(play.session, play.owners[seat], play.turns[seat], play.now)


def _envelopes_at(play: Play, to: int) -> dict[Seat, Elektro | None]:
    """The sealed bids that lay on the table at a position.

    They are kept until their auction is over, and told by it; what was taken back from an open
    auction is in no log, and is given anew.
    """
    then = gamelog.load(play.session, play.game.id, to)
    if then.auction is None or not then.auction.sealed:
        return {}
    known = dict(play.sealed)
    for entry in gamelog.events(play.session, play.game.id, after=to):
        if isinstance(entry.event, SealedBidsOpened):
            known = {bid.seat: bid.maximum for bid in entry.event.bids}
            break
    return {seat: known[seat] for seat in then.auction.given}


def _seal(play: Play, envelopes: dict[Seat, Elektro | None]) -> None:
    play.session.exec(delete(SealedBidRow).where(col(SealedBidRow.game_id) == play.game.id))
    play.session.flush()
    play.sealed = envelopes
    for seat, maximum in envelopes.items():
        play.session.add(SealedBidRow(game_id=play.game.id, seat=seat, maximum=maximum))
