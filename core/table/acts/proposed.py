"""What somebody has proposed to the others at a table: read, counted, put into words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, select

from core.game.events import Rewound
from core.game.evolve import SEAT_MOVED
from core.game.types import Seat
from core.statuses import GameStatus, ProposalStatus
from core.store.tables import Game, Proposal, ProposalAnswer, SeatRow
from core.table.record import gamelog, seats
from core.text import _, ngettext

LIFE: Final = timedelta(days=7)
"""How long the players have to agree on something that the game's moving on does not settle."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """An open proposal as one reader sees it.

    `yes`, `no`, `silent`: seats by what they have said. `mine`: the reader made it; `asked`: he is
    to answer. `needed`: how many must agree.
    """

    number: int
    kind: str
    text: str
    yes: tuple[Seat, ...]
    no: tuple[Seat, ...]
    silent: tuple[Seat, ...]
    needed: int
    mine: bool
    asked: bool
    until: datetime


def open_ones(
    session: Session, game: Game, seat: int | None, now: datetime
) -> tuple[Proposed, ...]:
    """The proposals that wait for answers, as the holder of a seat sees them."""
    return tuple(
        _seen(session, game, row, seat) for row in rows(session, game.id)
        if is_open(session, row, now)
    )  # fmt: skip


def rows(session: Session, game_id: int) -> list[Proposal]:
    """Those that nobody has closed yet, oldest first; some may have lapsed (`is_open`)."""
    query = select(Proposal).where(
        Proposal.game_id == game_id, Proposal.status == ProposalStatus.OPEN
    )
    return list(session.exec(query.order_by(col(Proposal.number))))


def is_open(session: Session, proposal: Proposal, now: datetime) -> bool:
    """Can it still be answered? Time and the game's moving on end it without anybody's help."""
    game = gamelog.find(session, proposal.game_id)
    if (
        proposal.status != ProposalStatus.OPEN
        or game.status != GameStatus.RUNNING
        or now >= ends(game, proposal)
    ):
        return False
    if proposal.kind != "undo":
        return True
    since = gamelog.events(session, game.id, after=proposal.seq)
    return not any(isinstance(entry.event, (*SEAT_MOVED, Rewound)) for entry in since)


def present(session: Session, game_id: int) -> frozenset[Seat]:
    """Seats whose people are there: no bot plays them, for good or as caretaker."""
    state = gamelog.load(session, game_id)
    people = seats.players(session, game_id).items()
    return frozenset(s for s, (_r, user) in people if user and not state.players[s].caretaker)


def ends(game: Game, proposal: Proposal) -> datetime:
    """When it lapses: an undo after the time for a turn, anything else after a week."""
    life = timedelta(hours=game.turn_hours) if proposal.kind == "undo" else LIFE
    return proposal.created_at + life


def voters(session: Session, proposal: Proposal) -> tuple[Seat, ...]:
    """Who is to say yes or no, the proposer among them where a majority decides."""
    there = present(session, proposal.game_id)
    if proposal.kind == "undo":
        return tuple(Seat(s) for s in proposal.body["agree"] if Seat(s) in there)
    return tuple(sorted(there))


def needed(session: Session, proposal: Proposal) -> int:
    """How many must agree: all whom an undo concerns, else more than half of the people."""
    count = len(voters(session, proposal))
    return count if proposal.kind == "undo" else count // 2 + 1


def outcome(session: Session, proposal: Proposal) -> ProposalStatus | None:
    """What those who are here have made of it; None while it hangs on who is silent."""
    asked = voters(session, proposal)
    answers = [said(session, proposal, seat) for seat in asked]
    enough = needed(session, proposal)
    if answers.count(True) >= enough:
        return ProposalStatus.ACCEPTED
    return ProposalStatus.REFUSED if len(asked) - answers.count(False) < enough else None


def said(session: Session, proposal: Proposal, seat: Seat) -> bool | None:
    """What a seat has answered, if anything."""
    row = session.get(ProposalAnswer, (proposal.id, seat))
    return row.agrees if row else None


def words(session: Session, game: Game, proposal: Proposal) -> str:
    """What is proposed, in one or two sentences."""
    names = {Seat(r.seat or 0): r for r in seats.seats(session, game.id)}
    body = proposal.body
    asker = names[Seat(proposal.seat)].name
    if proposal.kind == "undo":
        return _undo(asker, body, names)
    whom = names[Seat(body["seat"])].name if "seat" in body else ""
    hours = body.get("hours", 0)
    text = _kinds(hours)[proposal.kind].format(asker=asker, name=whom, hours=hours)
    if line := body.get("line"):
        text += " " + _("Instead: {line}.").format(line=line)
    return _("{sentence} The reason: “{reason}”.").format(sentence=text, reason=body["reason"])


def _kinds(hours: int) -> dict[str, str]:
    return {
        "pause": _("{asker} proposes to pause the game."),
        "resume": _("{asker} proposes to let the game go on."),
        "extend": ngettext(
            "{asker} proposes to give all who are asked {hours} hour more.",
            "{asker} proposes to give all who are asked {hours} hours more.",
            hours,
        ),
        "replace": _("{asker} proposes to give the seat of {name} to a bot."),
        "offer": _("{asker} proposes to offer the seat of {name} to others."),
        "skip": _("{asker} proposes to skip the turn of {name}."),
        "correct": _("{asker} proposes to take back the last move of {name}."),
        "end": _("{asker} proposes to end the game without a winner."),
    }


def _undo(asker: str, body: dict[str, Any], names: dict[Seat, SeatRow]) -> str:
    lost = vanishing(body["whose"], [names[Seat(s)].name for s, _n in body["whose"]])
    text = _("{asker} would like to take the last move back.").format(asker=asker)
    return f"{text} {lost}"


def vanishing(whose: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """Whose moves would not count any more: pairs of a seat and its number of moves."""
    lost = moves(whose, names)
    return _("These would not count any more: {moves}.").format(moves=lost)


def moves(whose: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """``1 move of Ben, 2 moves of Clara``: pairs of a seat and its number of moves."""
    return ", ".join(
        ngettext("{count} move of {name}", "{count} moves of {name}", count).format(
            name=name, count=count
        )
        for (_seat, count), name in zip(whose, names, strict=True)
    )


def _seen(session: Session, game: Game, row: Proposal, seat: int | None) -> Proposed:
    answers = session.exec(select(ProposalAnswer).where(ProposalAnswer.proposal_id == row.id))
    told = {Seat(answer.seat): answer.agrees for answer in answers}
    asked = voters(session, row)
    return Proposed(
        number=row.number,
        kind=row.kind,
        text=words(session, game, row),
        yes=tuple(s for s in asked if told.get(s) is True),
        no=tuple(s for s in asked if told.get(s) is False),
        silent=tuple(s for s in asked if s not in told),
        needed=needed(session, row),
        mine=seat == row.seat,
        asked=seat in asked and seat not in told,
        until=ends(game, row),
    )
