"""One sentence for what happens to people at a table: absences, hosts, standing orders."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from core.game import events as ev
from core.game.types import Seat
from core.text import _, ngettext


class Names(Protocol):
    """Whoever knows the players' names."""

    def name(self, seat: Seat) -> str:
        """The player of a seat."""


Tell = Callable[[Any, Any], str | None]


def _who(by: ev.Authority) -> str:
    """Who acts: begins the sentence."""
    return {
        "host": _("The host"),
        "vote": _("A majority of the players"),
        "service": _("The service"),
    }[by]


def _acted(text: Callable[[], str]) -> Tell:
    def tell(told: Names, event: Any) -> str:
        seat = getattr(event, "seat", None)
        name = "" if seat is None else told.name(seat)
        return text().format(who=_who(event.by), name=name, reason=event.reason)

    return tell


def _extended(told: Names, event: ev.DeadlineExtended) -> str:
    text = ngettext(
        "{who} gave one hour more: {reason}",
        "{who} gave {hours} hours more: {reason}",
        event.hours,
    ).format(who=_who(event.by), hours=event.hours, reason=event.reason)
    moved = [
        _("{name}: due {after}, before it was {before}").format(
            name=told.name(turn.seat), before=_instant(turn.before), after=_instant(turn.after)
        )
        for turn in event.turns
    ]
    return (
        _("{sentence} ({deadlines})").format(sentence=text, deadlines="; ".join(moved))
        if moved
        else text
    )


def _instant(iso: str) -> str:
    """An instant of an event as people read it; a log has no reader's zone, so it is UTC."""
    return f"{iso[:16].replace('T', ' ')} UTC"


def _grace(told: Names, event: ev.GraceGiven) -> str:
    return ngettext(
        "{name} was late and has one hour more.",
        "{name} was late and has {count} hours more.",
        event.hours,
    ).format(name=told.name(event.seat), count=event.hours)


def _vacation(told: Names, event: ev.VacationBegan) -> str:
    text = ngettext(
        "{name} is away for one day.", "{name} is away for {count} days.", event.days
    ).format(name=told.name(event.seat), count=event.days)
    if not event.sitter:
        return text
    return _("{sentence} {sitter} may move meanwhile.").format(sentence=text, sitter=event.sitter)


def _sitter(told: Names, event: ev.MadeBySitter) -> str:
    return _("{sitter} moved for {name}.").format(sitter=event.sitter, name=told.name(event.seat))


def _opened(told: Names, event: ev.SeatOpened) -> str:
    text = _("The seat of {name} is free for somebody else.").format(name=told.name(event.seat))
    if event.by == "service":
        return text
    if event.by == "player":
        left = _("{name} has left the game.").format(name=told.name(event.seat))
        return f"{left} {text} {event.reason}".rstrip()
    return (
        f"{_('{who} decided: {sentence}').format(who=_who(event.by), sentence=text)} {event.reason}"
    )


def _taken(_told: Names, event: ev.SeatTaken) -> str:
    text = _("{name} plays in place of {former}.").format(name=event.name, former=event.former)
    if event.bot:
        text = _("A bot, {name}, plays in place of {former}.").format(
            name=event.name, former=event.former
        )
    if event.by in ("host", "vote"):
        text = _("{who} decided: {sentence}").format(who=_who(event.by), sentence=text)
    return f"{text} {event.reason}".rstrip()


def _rewound(told: Names, event: ev.Rewound) -> str:
    name = "" if event.seat is None else told.name(event.seat)
    if event.again:
        return _("{name} thought better of it: what was taken back counts again.").format(name=name)
    if event.by == "player":
        return _("{name} took back the last move.").format(name=name)
    if event.by == "consent":
        return _("A move of {name} was taken back; all who are affected agreed.").format(name=name)
    who = _who("host" if event.by == "host" else "vote")
    if event.seat is None:
        return _("{who} took moves back: {reason}").format(who=who, reason=event.reason)
    return _("{who} took back a move of {name}: {reason}").format(
        who=who, name=name, reason=event.reason
    )


def _named(text: Callable[[], str]) -> Tell:
    return lambda told, event: text().format(name=told.name(event.seat))


PEOPLE: Final[dict[type[ev.Event], Tell]] = {
    ev.TurnMissed: _named(lambda: _("{name} missed the turn.")),
    ev.MoveForced: lambda told, event: None,
    ev.MoveOrdered: _named(lambda: _("{name} had ordered the next move ahead.")),
    ev.DraftPlayed: _named(lambda: _("{name} was late: the move that was saved is played.")),
    ev.CaretakerAppointed: _named(lambda: _("A bot plays for {name} from now on.")),
    ev.OwnerReturned: _named(lambda: _("{name} plays again.")),
    ev.DeadlineExtended: _extended,
    ev.GraceGiven: _grace,
    ev.VacationBegan: _vacation,
    ev.MadeBySitter: _sitter,
    ev.SeatOpened: _opened,
    ev.SeatTaken: _taken,
    ev.GamePaused: _acted(lambda: _("{who} paused the game: {reason}")),
    ev.GameResumed: _acted(lambda: _("{who} let the game go on: {reason}")),
    ev.TurnSkipped: _acted(lambda: _("{who} skipped the turn of {name}: {reason}")),
    ev.MoveCorrected: _acted(lambda: _("{who} corrected a move of {name}: {reason}")),
    ev.Rewound: _rewound,
    ev.OrdersRevealed: lambda told, event: _("All standing orders of the game can be read now."),
}
"""Sentences by kind of event."""
