"""Which terms a host may choose for a table."""

from typing import Final

from core.table.record.errors import TableError
from core.terms import Terms
from core.text import _

BANK_HOURS: Final = range(14 * 24 + 1)
INCREMENT_HOURS: Final = range(1, 7 * 24 + 1)
"""At least an hour, so that a turn can be answered when the bank is empty."""
CAP_HOURS: Final = range(1, 21 * 24 + 1)
GRACES: Final = range(6)
RELIABILITY: Final = range(101)
"""Percent."""


def check(terms: Terms) -> None:
    """TableError says which of the terms does not fit."""
    for what, value, most in (
        (_("The bank"), terms.bank_hours, BANK_HOURS),
        (_("The time added for each turn"), terms.increment_hours, INCREMENT_HOURS),
        (_("The most a bank holds"), terms.cap_hours, CAP_HOURS),
    ):
        if value not in most:
            text = _("{what} has {least} to {most} hours.")
            raise TableError("terms-unfit", text.format(what=what, least=most[0], most=most[-1]))
    if terms.cap_hours < max(terms.bank_hours, terms.increment_hours):
        text = _("A bank must be able to hold what it begins with, and one addition.")
        raise TableError("terms-unfit", text)
    if terms.graces not in GRACES:
        text = _("Grace is given {most} times a game at most.")
        raise TableError("terms-unfit", text.format(most=GRACES[-1]))
    if terms.least_reliability not in RELIABILITY:
        raise TableError("terms-unfit", _("A share of turns in time is 0 to 100 percent."))


WAITS: Final = {"open": 210, "sealed": 159, "planned": 22}
"""How often a game of four people waits for somebody: medians of recorded public games (open, and
the same games with sealed bids), and of games whose rounds are planned by envelopes."""
_RECORDED: Final = 4
"""Players of the recorded games; others wait as often more or less as they are."""
_SHARE: Final = 1 / 6
"""Of the time for a turn that an answer takes, on average: most come long before the end …"""
_WAKING: Final = 8
"""… and hardly ever later than so many hours, since people look once or twice a day."""
_OWN_TURNS: Final = 40
"""Turns of one player in a game, over which he spreads his bank."""
_HOURS_A_DAY: Final = 24


def days(terms: Terms, turn_hours: int, people: int, auction: str) -> int:
    """Days from the first turn to the end, at least 1; `people`: players without bots."""
    pause = min(_answer(terms, turn_hours), _WAKING)
    hours = waits(terms, people, auction) * pause
    if terms.weekends_off:
        hours *= 7 / 5
    return max(round(hours / _HOURS_A_DAY), 1)


def waits(terms: Terms, people: int, auction: str) -> int:
    """How often the table waits for somebody; where rounds are planned, all answer at once."""
    if terms.planning == "round":
        return WAITS["planned"]
    recorded = WAITS["open" if auction == "open" else "sealed"]
    return round(recorded * max(people, 1) / _RECORDED)


def _answer(terms: Terms, turn_hours: int) -> float:
    """Hours until an answer comes, on average."""
    if terms.clock == "turn":
        return turn_hours * _SHARE
    return (terms.increment_hours + terms.bank_hours / _OWN_TURNS) / 2
