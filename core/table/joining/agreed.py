"""Which terms a host may choose for a table."""

from typing import Final

from core.table.errors import TableError
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
