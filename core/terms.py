"""What a table agreed on besides the rules: its clock, its absences, its plans, who may join.

These lie outside the rooms because `core.table` keeps them and `core.mail`, pages and feeds show
them. The hours of a turn stand in the table's own row.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

ClockKind = Literal["turn", "bank"]
OnMiss = Literal["default", "draft"]
Planning = Literal["none", "round"]


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of one table; the defaults are those of a quiet game among friends.

    `clock`: time for each turn, or a bank of hours that each turn adds to. `graces`: how often a
    seat that is late gets more time by itself (M37, M38). `on_miss`: what a missed turn does
    (M36). `planning`: whether all are asked at once for standing orders at the start of a round.
    """

    clock: ClockKind = "turn"
    bank_hours: int = 72
    increment_hours: int = 12
    cap_hours: int = 120
    graces: int = 1
    windows: bool = True
    """Personal play windows count (M46)."""
    weekends_off: bool = False
    vacation: bool = True
    """Vacations and pauses stop clocks; where they do not, the table says so (M28)."""
    claims: bool = True
    """Turns can be missed; without it the table waits for ever (M26)."""
    on_miss: OnMiss = "default"
    planning: Planning = "none"
    least_reliability: int = 0
    """Percent of turns in time that somebody needs to join; 0: anybody (M44)."""
    rated: bool = True

    def to_json(self) -> dict[str, Any]:
        """What the table's row keeps: only what differs from the defaults."""
        standard = Terms()
        return {k: v for k, v in asdict(self).items() if v != getattr(standard, k)}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "Terms":
        """Read what a row keeps; a field that is not known any more is passed over."""
        known = {field.name for field in fields(cls)}
        return cls(**{k: v for k, v in kept.items() if k in known})
