"""Turning points and accounts in words, in the reader's language."""

from collections.abc import Sequence

from core.game.narrate.wording import cities, plants
from core.game.types import Seat
from core.story.accounts import Account
from core.story.turning import Gain, TurningPoint
from core.text import _, ngettext


def account(which: Account) -> str:
    """Return what money came from or went to."""
    return {
        "start": _("at the start"),
        "plants": _("plants"),
        "fuel": _("fuel"),
        "houses": _("houses"),
        "connections": _("connections"),
        "income": _("income"),
    }[which]


def lead_change(point: TurningPoint, names: Sequence[str]) -> str:
    """Return who took the lead in a round, and by what."""
    leader = names[point.leader]
    if point.former is None or point.former_gain is None:
        text = _("Round {round}: {leader} led first. {gain}")
        return text.format(round=point.round, leader=leader, gain=_gained(point.gain, names))
    text = _("Round {round}: {leader} took the lead from {former}. {gain} {other}")
    return text.format(
        round=point.round,
        leader=leader,
        former=names[point.former],
        gain=_gained(point.gain, names),
        other=_gained(point.former_gain, names),
    )


def decision(point: TurningPoint | None, winner: Seat | None, names: Sequence[str]) -> str:
    """Return the round that decided the game, with the reason; empty where nobody has won."""
    if winner is None:
        return ""
    if point is None:
        text = _("{name} led after no round before the last: the final count decided.")
        return text.format(name=names[winner])
    if point.former is None:
        return _("{name} led from the first round to the last.").format(name=names[winner])
    text = _("Round {round} decided it: from then on {name} was never caught. {gain} {other}")
    other = _gained(point.former_gain, names) if point.former_gain else ""
    return text.format(
        round=point.round, name=names[winner], gain=_gained(point.gain, names), other=other
    )


def _gained(gain: Gain, names: Sequence[str]) -> str:
    """Return ``Anna: plant 20, 3 more cities on the board, could power 5 more.``."""
    parts = []
    if gain.plants:
        text = ngettext("new plant {numbers}", "new plants {numbers}", len(gain.plants))
        parts.append(text.format(numbers=plants(gain.plants)))
    if gain.cities:
        parts.append(_("built in {cities}").format(cities=cities(gain.cities)))
    if gain.capacity > 0:
        parts.append(_("plants for {cities} more").format(cities=cities(gain.capacity)))
    done = ", ".join(parts) or _("nothing new")
    return _("{name}: {done}.").format(name=names[gain.seat], done=done)
