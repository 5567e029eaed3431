"""What a table agreed on besides the rules: its clock, its absences, its plans, who may join.

These lie outside the rooms because `core.table` keeps them and `core.mail`, pages and feeds show
them. The hours of a turn stand in the table's own row.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, WrapValidator, field_validator

from core.text import _
from core.validation import refused, within

ClockKind = Literal["turn", "bank"]
OnMiss = Literal["default", "draft"]
Planning = Literal["none", "round"]


def _hours(allowed: range, what: Callable[[], str]) -> WrapValidator:
    return within(
        allowed,
        "terms-unfit",
        lambda: _("{what} has {least} to {most} hours.").replace("{what}", what()),
    )


class Terms(BaseModel):
    """Terms of one table; the defaults are those of a quiet game among friends.

    A ValidationError names each term that does not fit, in the reader's words. A term that is not
    known any more is passed over.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    clock: ClockKind = "turn"
    """Time for each turn, or a bank of hours that each turn adds to."""
    bank_hours: Annotated[int, _hours(range(14 * 24 + 1), lambda: _("The bank"))] = 72
    increment_hours: Annotated[
        int, _hours(range(1, 7 * 24 + 1), lambda: _("The time added for each turn"))
    ] = 12
    """At least an hour, so that a turn can be answered when the bank is empty."""
    cap_hours: Annotated[int, _hours(range(1, 21 * 24 + 1), lambda: _("The most a bank holds"))] = (
        120
    )
    graces: Annotated[
        int,
        within(range(6), "terms-unfit", lambda: _("Grace is given {most} times a game at most.")),
    ] = 1
    """How often a seat that is late gets more time by itself (M37, M38)."""
    windows: bool = True
    """Personal play windows count (M46)."""
    weekends_off: bool = False
    vacation: bool = True
    """Vacations and pauses stop clocks; where they do not, the table says so (M28)."""
    deadlines_enforced: bool = Field(True, alias="claims")
    """Turns can be missed; without it the table waits for ever (M26)."""
    on_miss: OnMiss = "default"
    """What a missed turn does (M36)."""
    planning: Planning = "none"
    """Whether all are asked at once for standing orders at the start of a round."""
    least_reliability: Annotated[
        int,
        within(
            range(101), "terms-unfit", lambda: _("A share of turns in time is 0 to 100 percent.")
        ),
    ] = 0
    """Percent of turns in time that somebody needs to join; 0: anybody (M44)."""
    rated: bool = True

    @field_validator("cap_hours")
    @classmethod
    def _holds_the_rest(cls, cap: int, info: ValidationInfo) -> int:
        if cap < max(info.data.get("bank_hours", 0), info.data.get("increment_hours", 0)):
            text = _("A bank must be able to hold what it begins with, and one addition.")
            raise refused("terms-unfit", text)
        return cap

    def to_json(self) -> dict[str, Any]:
        """Return what the table's row keeps: only what differs from the defaults."""
        return self.model_dump(by_alias=True, exclude_defaults=True)


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
"""Turns of one player in a game, over which they spread their bank."""


def expected_days(terms: Terms, turn_hours: int, people: int, auction: str) -> int:
    """Return the days from the first turn to the end, at least 1; `people`: players without bots.

    Where rounds are planned, all answer at once.
    """
    if terms.clock == "turn":
        answer = turn_hours * _SHARE
    else:
        answer = (terms.increment_hours + terms.bank_hours / _OWN_TURNS) / 2
    if terms.planning == "round":
        waits = WAITS["planned"]
    else:
        recorded = WAITS["open" if auction == "open" else "sealed"]
        waits = round(recorded * max(people, 1) / _RECORDED)
    hours = waits * min(answer, _WAKING)
    if terms.weekends_off:
        hours *= 7 / 5
    return max(round(hours / 24), 1)
