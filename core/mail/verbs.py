"""What an answer can ask for, and the one table of its verbs: how each is read and explained.

A new verb is an entry of BY_WORD and, where it does something new, a case in
core.table.drive. The first word of a line finds its entry; what stands behind it is read there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from core.game.notation import EXAMPLES
from core.mail import dates
from core.mail.dates import Day
from core.text import N_


@dataclass(frozen=True, slots=True)
class GameMove:
    """A move, as text for `core.game.notation`; only its first word is known to be right."""

    text: str


@dataclass(frozen=True, slots=True)
class Chat:
    """A line for the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Status:
    """Mail me the position."""


@dataclass(frozen=True, slots=True)
class Help:
    """Mail me the commands."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the invitation."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuse the invitation."""


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """Keep a standing order, as text for `core.orders.notation`."""

    text: str


@dataclass(frozen=True, slots=True)
class CancelOrder:
    """Take a standing order back, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class ListOrders:
    """Mail me my standing orders."""


@dataclass(frozen=True, slots=True)
class Ready:
    """I have no more plans for this round."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take my last move back, or ask those who must agree."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Yes or no to the proposal of this number; 0: to the only one that asks."""

    number: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class GoAway:
    """I am on vacation: for so many days from now on, or from `first` to `last`; 0: I am back."""

    days: int
    first: Day | None = None
    last: Day | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that is no command, with the lines that may have been meant, best first.

    `torn`: it may be a secret command, or the rest of the line of chat above it.
    """

    text: str
    suggestions: tuple[str, ...] = ()
    torn: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Wish:
    """Something else that a person can ask for, by its verb and what stands behind it."""

    verb: str
    rest: str = ""


OrderCommand = GiveOrder | CancelOrder | ListOrders | Ready
TableCommand = Undo | Consent | GoAway
Command = (
    GameMove | OrderCommand | TableCommand | Chat | Status | Help | Accept | Decline | Wish
    | Unknown
)  # fmt: skip

Read = Callable[[str], Command | None]
"""Reads what stands behind a verb; None where it makes no sense."""


@dataclass(frozen=True, slots=True)
class Verb:
    """How one verb is read, shown and explained.

    `talk`: a word of every day, which counts only where a line begins with it. `number`: no line
    of it lacks a number, so that one without any is no misspelling of it.
    """

    read: Read
    example: str
    help: tuple[tuple[str, str], ...] = ()
    """Lines and what they do, for the table of commands."""
    talk: bool = False
    number: bool = False
    alone: bool = False
    """Nothing stands behind it."""

    @property
    def anywhere(self) -> bool:
        """Whether it needs no table."""
        return self.example.split()[0] in _ANYWHERE


_ANYWHERE: Final = {
    "tables",
    "join",
    "open",
    "mail",
    "quiet",
    "zone",
    "name",
    "vacation",
    "help",
}
_SMALL: Final = 6  # digits of the number of an order or a proposal


def _move(verb: str) -> Read:
    return lambda rest: GameMove(f"{verb} {rest}".rstrip())


def _order(verb: str) -> Read:
    return lambda rest: GiveOrder(f"{verb} {rest}") if rest else None


def _alone(command: Command) -> Read:
    return lambda rest: None if rest else command


_ASKING: Final = 3


def _asking(command: Command) -> Read:
    """Read a verb that only asks for a mail: a few words behind it do no harm ("help me")."""

    def read(rest: str) -> Command | None:
        few = len(rest.split()) <= _ASKING and not re.search(r"\d", rest)
        return command if few else None

    return read


def _cancel(rest: str) -> Command | None:
    number = rest.removeprefix("order ")
    return CancelOrder(int(number)) if number.isdecimal() and len(number) < _SMALL else None


def _consent(*, agrees: bool) -> Read:
    def read(rest: str) -> Command | None:
        fits = not rest or (rest.isdecimal() and len(rest) < _SMALL)
        return Consent(int(rest or 0), agrees) if fits else None

    return read


def _wish(verb: str, pattern: str) -> Read:
    """Read a verb behind which stands what matches; most of it any text."""
    shape = re.compile(pattern, re.IGNORECASE)
    return lambda rest: Wish(verb, rest) if shape.fullmatch(rest) else None


_FEW: Final = r"(?:[^\W\d]+ ?){0,3}"
"""A few words without a number, which do no harm behind a verb that needs nothing."""
_CLOCK: Final = r"\d{1,2}(?:[:.h]\d\d)?(?: ?(?:am|pm|h|o'clock))?"


def _vacation(rest: str) -> Command | None:
    if rest in ("end", "off", "over"):
        return GoAway(0)
    days = dates.length(rest)
    if days is not None:
        return GoAway(days) if days else None
    span = dates.span(rest) if rest else None
    return GoAway(0, *span) if span else None


BY_WORD: Final[Mapping[str, Verb]] = {
    "region": Verb(_move("region"), EXAMPLES["region"], (
        ("region North", N_("add a region, where players choose them")),)),
    "auction": Verb(_move("auction"), EXAMPLES["auction"], (
        ("auction 13 for 15", N_("put plant 13 up, opening at 15")),), number=True),
    "bid": Verb(_move("bid"), EXAMPLES["bid"], (
        ("bid 18", N_("raise; in a sealed auction your secret maximum")),), number=True),
    "pass": Verb(_move("pass"), EXAMPLES["pass"], (
        ("pass", N_("drop out, or decline to open")),), alone=True),
    "discard": Verb(_move("discard"), EXAMPLES["discard"], (
        ("discard 4", N_("which plant goes")),
        ("discard 4 keep 3 coal", N_("the same, where the fuel leaves a choice"))), number=True),
    "buy": Verb(_move("buy"), EXAMPLES["buy"], (
        ("buy 3 coal 1 oil", N_("the whole purchase of this round")),
        ("buy 2 coal from north", N_("from this one where there are two fuel markets")),
        ("buy 3 coal at most 3 each", N_("the same, if no token costs more")),
        ("buy nothing", N_("no purchase, or no more of it")))),
    "build": Verb(_move("build"), EXAMPLES["build"], (
        ("build Erfurt, Halle", N_("in this order; beginnings of names will do")),
        ("build Tokyo, Fukuoka by jump", N_("without its way, where there is a free jump")),
        ("build nothing", N_("no building")))),
    "power": Verb(_move("power"), EXAMPLES["power"], (
        ("power 13 20", N_("plants to run")),
        ("power all", N_("most cities with least fuel")),
        ("power 5 with 1 coal 1 oil", N_("choose a hybrid's mix")),
        ("power nothing", N_("run no plant")))),
    "undo": Verb(_alone(Undo()), "undo", (
        ("undo", N_("take your last move back, if it may be")),), alone=True),
    "ok": Verb(_consent(agrees=True), "ok 7", (
        ("ok 7", N_("agree to proposal 7; no 7 to refuse it")),), talk=True, number=True),
    "yes": Verb(_consent(agrees=True), "yes", talk=True, number=True),
    "no": Verb(_consent(agrees=False), "no 7", talk=True, number=True),
    "limit": Verb(_order("limit"), "limit 20 to 26", (
        ("limit 20 to 26", N_("standing order: bid by itself, up to 26")),), number=True),
    "order": Verb(_order("order"), "order auction 13 to 26", (
        ("order auction 13 to 26", N_("what to bid on in this round, else pass")),
        ("order fuel all keep 20", N_("fill your plants as far as it goes")),
        ("order build Halle at most 30", N_("in order of wish, as far as it goes")),
        ("order power all every round", N_("always most cities with least fuel")))),
    "orders": Verb(_asking(ListOrders()), "orders", (
        ("orders", N_("mail me my standing orders")),), alone=True),
    "cancel": Verb(_cancel, "cancel 3", (
        ("cancel 3", N_("take standing order 3 back")),), number=True),
    "ready": Verb(_alone(Ready()), "ready", (
        ("ready", N_("no more plans for this round")),), alone=True),
    "vacation": Verb(_vacation, "vacation 5 days", (
        ("vacation 5 days", N_("your clocks stand still from now")),
        ("vacation 24 December to 2 January", N_("from then to then, both included")),
        ("vacation end", N_("you are back"))), talk=True),
    "status": Verb(_asking(Status()), "status", (
        ("status", N_("mail me the position")),), talk=True, alone=True),
    "help": Verb(_asking(Help()), "help", (
        ("help", N_("mail me these commands")),), talk=True, alone=True),
    "accept": Verb(_alone(Accept()), "accept", alone=True),
    "decline": Verb(_alone(Decline()), "decline", alone=True),
    "map": Verb(_wish("map", _FEW), "map", (
        ("map", N_("mail me the board")),), talk=True, alone=True),
    "show": Verb(_wish("show", r"\d{1,6}"), "show 119", (
        ("show 119", N_("mail me the position after event 119")),), talk=True, number=True),
    "resend": Verb(_wish("resend", _FEW), "resend", (
        ("resend", N_("mail me again what I am asked")),), alone=True),
    "tables": Verb(_wish("tables", _FEW), "tables", (
        ("tables", N_("my tables, and what they wait for")),), talk=True, alone=True),
    "join": Verb(_wish("join", r"(?:table )?\d{1,9}"), "join 17", (
        ("join 17", N_("take a place at table 17")),), talk=True, number=True),
    "open": Verb(_wish("open", r".{0,60}"), "open Our table", (
        ("open Our table for 4", N_("open a table of this name, as its host")),), talk=True),
    "invite": Verb(_wish("invite", r".*\S@\S.*"), "invite Ann <ann@example.org>", (
        ("invite Ann <ann@example.org>", N_("ask somebody to your table")),)),
    "begin": Verb(_wish("begin", _FEW), "begin", (
        ("begin", N_("begin the game at your full table")),), talk=True, alone=True),
    "pause": Verb(_wish("pause", r".*"), "pause until Monday", (
        ("pause …", N_("host: stop all clocks; say why")),), talk=True),
    "resume": Verb(_wish("resume", r".*"), "resume", (
        ("resume", N_("host: let them run again")),), talk=True),
    "more": Verb(_wish("more", r"(?:time )?\d{1,3} ?(?:h|hours?|days?|d)?.*"), "more 24h", (
        ("more 24h", N_("host: that much more time for whoever is asked")),),
        talk=True, number=True),
    "rematch": Verb(_wish("rematch", _FEW), "rematch", (
        ("rematch", N_("the same table once more, once the game is over")),), alone=True),
    "leave": Verb(_wish("leave", _FEW), "leave", (
        ("leave", N_("give up your place; in a game a bot plays on")),), talk=True, alone=True),
    "resign": Verb(_wish("resign", _FEW), "resign", alone=True),
    "mail": Verb(_wish("mail", r"on|off|daily|instant|always|gathered"), "mail on", (
        ("mail on", N_("mail me each turn; mail daily, mail off")),), talk=True),
    "quiet": Verb(_wish("quiet", rf"off|none|(?:from )?{_CLOCK} ?(?:-|to|until|till) ?{_CLOCK}"),
        "quiet 22-7", (("quiet 22-7", N_("no mails between these hours; quiet off")),), talk=True),
    "zone": Verb(_wish("zone", r"[\w/+\- ]{2,64}"), "zone Europe/Berlin", (
        ("zone Europe/Berlin", N_("tell me times by this zone")),), talk=True),
    "name": Verb(_wish("name", r".{1,60}"), "name Cho", (
        ("name Cho", N_("what the others call you")),), talk=True),
    "chat": Verb(lambda rest: Chat(rest) if rest else None, "chat hello", (
        ("chat …", N_("a line for the table")),), talk=True),
}  # fmt: skip
"""All verbs by their word, in the order in which `help` tells them."""
GAME_VERBS: Final = tuple(EXAMPLES)
