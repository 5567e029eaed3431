"""What mails are about: one small class for each kind, from which `compose` writes the message.

A topic is made by the room that knows (core.table.views.render) and holds no database row
and no other player's address or secret: tables come as the `TableView` of the reader's own seat.
"""

from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from core.game.narrate.wording import victory
from core.game.rulebook import Rule
from core.lists import both
from core.mail.addresses import (
    AddressLink,
    BackLink,
    InviteLink,
    Links,
    ReachedLink,
    ReplyAddress,
)
from core.mail.verbs import BY_WORD
from core.mail.words import with_bot
from core.questions.question import Command
from core.settings import Settings
from core.tableview import TableView
from core.text import _, ngettext


class Topic:
    """What a mail is about: a class for each kind, with all that its template says."""

    def in_short(self) -> "Also":
        """Return it in short, for a mail that tells several things. Kinds to `gather` have one."""
        raise NotImplementedError

    def extras(self) -> dict[str, Any]:
        """Return more names for its template."""
        return {}

    def url(self, links: Links, user: int | None) -> str:
        """Return the page of the mail's button; empty if that is the form of an open turn."""
        return ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table that waits for the reader, in a list of such.

    `what` is asked there, until when, and what was told first where that has `moved`. `fresh`: no
    mail has told of it before, but of others.
    """

    game: int
    title: str
    seat: int
    turn: int
    what: str
    deadline: datetime | None
    moved: datetime | None = None
    fresh: bool = False
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True)
class Also:
    """What a mail of another kind would have said, in short, and the page to look at."""

    title: str
    heading: str
    lines: tuple[str, ...]
    path: str
    game: int = 0
    seat: int | None = None
    commands: tuple[str, ...] = ()
    """Lines by which it can be answered."""


def _page(game: int) -> str:
    return f"/games/{game}"


@dataclass(frozen=True, slots=True)
class Digest(Topic):
    """All tables that wait for the reader, and how many `more` than are named (M9).

    `daily`, or what was held for a while; then `also` tells the rest.
    """

    waiting: tuple[Waiting, ...]
    more: int = 0
    daily: bool = False
    also: tuple[Also, ...] = ()

    @property
    def count(self) -> int:
        """The number of tables that wait."""
        return len(self.waiting) + self.more


@dataclass(frozen=True, slots=True)
class Mailbox:
    """How this installation signs its mails, links and reply addresses."""

    links: Links
    reply: ReplyAddress
    sender: str
    """From, with its name: ``Kraftpost <kraftpost@play.example.org>``."""

    @property
    def domain(self) -> str:
        """The domain that answers reach; Message-IDs are named in it too."""
        return self.reply.domain

    @property
    def address(self) -> str:
        """The address in From."""
        return parseaddr(self.sender)[1]

    def takes(self, address: str) -> bool:
        """Return True if mail for this address is taken in: answers; at From only reports."""
        return self.answers(address) or address.lower() == self.address.lower()

    def answers(self, address: str) -> bool:
        """Return True for a genuine address for answers."""
        return self.reply.read(address) is not None

    @classmethod
    def of(cls, settings: Settings) -> "Mailbox":
        """Return the mailbox of these settings."""
        return cls(
            links=Links(settings.secret_key, settings.public_url),
            reply=ReplyAddress(settings.secret_key, settings.mail_domain, settings.reply_mailbox),
            sender=settings.mail_from,
        )


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a mail; `user` is None for an address that has no user yet."""

    user: int | None
    name: str
    address: str
    zone: str = "UTC"
    locale: str = "en"


@dataclass(frozen=True, slots=True)
class Turn(Topic):
    """The reader is asked; `last`: without an answer a caretaker plays for them.

    `moved`: the deadline that was told first, where it is another now.
    """

    table: TableView
    last: bool = False
    moved: datetime | None = None
    said: tuple["Said", ...] = ()
    """What others said at the table since the reader's last move."""
    begins: "Start | None" = None
    """What the mail of the beginning says, where this is the first question of the game."""


@dataclass(frozen=True, slots=True)
class Reminder(Turn):
    """The reader is still asked, and their time runs out."""


@dataclass(frozen=True, slots=True)
class Plan(Topic):
    """The reader is asked for their standing orders for the round that begins."""

    table: TableView
    said: tuple["Said", ...] = ()
    begins: None = None


@dataclass(frozen=True, slots=True)
class Start(Topic):
    """The game begins. `rules`: sentences on map, variant and auction."""

    table: TableView
    rules: tuple[str, ...]

    def in_short(self) -> Also:
        lines = (*self.rules, both(self.table.names))
        return Also(self.table.title, _("The game has begun"), lines, _page(self.table.game_id))

    def extras(self) -> dict[str, Any]:
        seats = [self.table.seats[seat] for seat in self.table.view.order]
        names = [with_bot(seat.name, seat.bot) for seat in seats]
        return {"names": names, "first": names[0]}


@dataclass(frozen=True, slots=True)
class End(Topic):
    """The game is over, played to its end, or ended before it: `reason` is the sentence on that."""

    table: TableView
    reason: str = ""

    def extras(self) -> dict[str, Any]:
        names, standings = self.table.names, self.table.view.standings
        ties = self.table.view.ruleset.tie_breaks
        return {
            "winners": [names[s.seat] for s in standings if s.place == 1],
            "verdict": victory(standings, ties, lambda seat: names[seat]) if standings else "",
        }


@dataclass(frozen=True, slots=True)
class Status(Topic):
    """The position, asked for by the reader."""

    table: TableView


@dataclass(frozen=True, slots=True)
class Done(Topic):
    """A command was done, as it was understood, with a remark.

    `moved`: it was a move; then the mail tells what it led to. `ordered`: it was about standing
    orders; then it tells how they were understood (`given`), what they would do now (`tried`), and
    all that are in force.
    """

    game: int
    title: str
    said: str
    moved: bool = False
    remark: str = ""
    table: TableView | None = None
    ordered: bool = False
    given: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused(Topic):
    """A mail was not acted upon: why, and what could be written instead.

    `stale`: the turn it answers is over; then the mail tells what has happened since. `rule`:
    what forbids the move, in the words of the rulebook.
    """

    game: int
    title: str
    said: str
    reason: str
    hints: tuple[str, ...] = ()
    stale: bool = False
    rule: Rule | None = None
    table: TableView | None = None


@dataclass(frozen=True, slots=True)
class Help(Topic):
    """The commands, asked for by the reader."""

    game: int
    title: str
    table: TableView | None = None
    idle: frozenset[str] = frozenset()
    """Verbs that do nothing for this reader now."""

    def extras(self) -> dict[str, Any]:
        """Return all commands with what they do."""
        holds = [verb for word, verb in BY_WORD.items() if word not in self.idle]
        told = [(line, _(what)) for verb in holds for line, what in verb.help]
        return {"commands_help": told}


@dataclass(frozen=True, slots=True)
class Invite(Topic):
    """Somebody asks the reader to a table. `times`: its time settings in a line.

    `misses`: a turn can be missed; else the table waits for everybody.
    """

    invitation: int
    game: int
    title: str
    host: str
    seated: tuple[str, ...]
    free: int
    times: str
    rules: tuple[str, ...]
    misses: bool = True
    runs: str = ""
    """Of a game that runs: its round and whose seat is free, in a sentence."""

    def url(self, links: Links, user: int | None) -> str:
        return links.url(InviteLink(self.invitation))

    def extras(self) -> dict[str, Any]:
        free = ngettext("{n} place is free.", "{n} places are free.", self.free).format(n=self.free)
        seated = _("At the table: {names}; {free}").format(names=both(self.seated), free=free)
        return {"seated": seated, "answers": (Command("accept", ""), Command("decline", ""))}


@dataclass(frozen=True, slots=True)
class Notice(Topic):
    """Something about the reader's own seat or table; `heading` and `text` say what.

    `back`: the seat has a caretaker, and a link takes it back. `commands`: lines to answer with.
    """

    table: TableView
    heading: str
    text: str
    back: bool = False
    commands: tuple[str, ...] = ()

    def url(self, links: Links, user: int | None) -> str:
        view = self.table.view
        if not self.back or view.seat is None or user is None:
            return ""
        return links.url(BackLink(user, self.table.game_id, view.seat))

    def in_short(self) -> Also:
        table = self.table
        page, seat = _page(table.game_id), table.view.seat
        told = (self.text,)
        return Also(table.title, self.heading, told, page, table.game_id, seat, self.commands)


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat."""

    name: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Chat(Topic):
    """What was said at a table since the last chat mail."""

    game: int
    title: str
    lines: tuple[Said, ...]
    table: TableView | None = None

    def in_short(self) -> Also:
        count = len(self.lines)
        heading = ngettext("{n} new line at the table", "{n} new lines at the table", count)
        lines = tuple(f"{line.name}: {line.text}" for line in self.lines)
        return Also(self.title, heading.format(n=count), lines, _page(self.game))


@dataclass(frozen=True, slots=True)
class SignIn(Topic):
    """A link that signs its reader in, once, within some minutes."""

    token: str
    minutes: int

    def url(self, links: Links, user: int | None) -> str:
        return links.sign_in(self.token)


@dataclass(frozen=True, slots=True)
class NewAddress(Topic):
    """A link that brings a user's mails to the reader's address, within some minutes."""

    link: AddressLink
    minutes: int

    def url(self, links: Links, user: int | None) -> str:
        return links.url(self.link)


@dataclass(frozen=True, slots=True)
class OldAddress(Topic):
    """A user's mails go to another address than the reader's; a link undoes it for some days."""

    link: AddressLink
    days: int

    def url(self, links: Links, user: int | None) -> str:
        return links.url(self.link)


@dataclass(frozen=True, slots=True)
class Trial(Topic):
    """A test mail; its link says for some days that it has reached the reader."""

    link: ReachedLink
    days: int

    def url(self, links: Links, user: int | None) -> str:
        return links.url(self.link)


@dataclass(frozen=True, slots=True)
class Memo(Topic):
    """Something about the service itself. `path`: the page to look at, `button` says what for."""

    heading: str
    lines: tuple[str, ...]
    path: str = ""
    button: str = ""
    game: int | None = None
    answerable: bool = False
    """It asks for an answer, though it is about no table."""

    def url(self, links: Links, user: int | None) -> str:
        return links.page(self.path) if self.path else ""

    def in_short(self) -> Also:
        return Also("", self.heading, self.lines, self.path)


@dataclass(frozen=True, slots=True)
class Message:
    """One mail to write. `name` fixes its Message-ID, `answers` is the Message-ID it answers.

    `kind`: what its header calls it, where its topic alone does not say that.
    """

    topic: Topic
    reader: Reader
    name: str
    now: datetime
    answers: str = ""
    kind: str = ""

    @property
    def table(self) -> TableView | None:
        """The table it is about, where the game has begun."""
        return getattr(self.topic, "table", None)

    @property
    def game(self) -> int | None:
        """The game it is about."""
        table = self.table
        return table.game_id if table else getattr(self.topic, "game", None)

    @property
    def title(self) -> str:
        """The title of the table it is about."""
        table = self.table
        return table.title if table else getattr(self.topic, "title", "")
