"""About how many days a game will take, from its terms and from how people were seen to play."""

from typing import Final

from core.terms import Terms

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
