"""Writes a mail: subject, text, HTML, board picture and all headers, from a `Message`.

The text part is complete in itself, the HTML part says the same. Both begin with the line above
which answers are read. No mail loads anything from elsewhere; every link leads to this service,
and opening it changes nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.ext import i18n

from core import text
from core.drawing import summary
from core.drawing.board import board as draw
from core.drawing.from_view import scene
from core.drawing.raster import png
from core.game.narrate import wording
from core.mail import words
from core.mail.addresses import (
    BackLink,
    DeclineLink,
    InviteLink,
    InviteToken,
    TableToken,
    TurnLink,
    TurnToken,
    UnsubscribeLink,
)
from core.mail.kinds import written_as
from core.mail.message import (
    Invite,
    Mailbox,
    Memo,
    Message,
    NewAddress,
    Notice,
    OldAddress,
    SignIn,
    Trial,
    Waiting,
)
from core.mail.page import Page, extras
from core.mail.reply import MARKER
from core.tableview import TableView
from core.text import _, speaking
from core.when import exact, relative, until

_WIDTHS: Final = (800, 640, 480)  # pixels
_MOST_BYTES: Final = 85_000
"""A third more when encoded: with text and HTML the mail stays below 150 KB."""
_KEPT: Final = 32
"""Pictures that a process remembers: all seats of a table get the same one."""


@dataclass(frozen=True, slots=True)
class Board:
    """The same board twice."""

    png: bytes
    text: str


def board(table: TableView) -> Board:
    """The board as the reader of this table may see it."""
    shown = scene(table.view, table.seats, look="light")
    return Board(_picture(draw(shown)), summary.describe(shown))


@lru_cache(maxsize=_KEPT)
def _picture(svg: str) -> bytes:
    pictures = (png(svg, width) for width in _WIDTHS)
    return next(one for one in pictures if len(one) <= _MOST_BYTES)


FOLDER: Final = Path(__file__).parents[2] / "templates" / "email"


@cache
def templates(*, plain: bool) -> Environment:
    """Return the environment that renders a kind's template as plain text, or as HTML.

    Both parts come from the same blocks: `m` holds the macros of the part, `layout` its frame.
    """
    part = "txt" if plain else "html"
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=not plain,  # noqa: S701 – plain text has nothing to escape
        extensions=[i18n],
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        text._, text.ngettext, newstyle=True, pgettext=text.pgettext
    )
    environment.filters |= {
        "fill": words.fill,
        "bullets": words.bullets,
        "columns": words.columns,
        "clip": words.clip,
        "answers": words.answers,
        "paragraphs": words.paragraphs,
        "outcome": words.outcome,
        "standing": words.standing,
    }
    environment.globals |= {
        "plain": plain,
        "layout": f"parts/layout.{part}",
        "words": words,
        "wording": wording,
    }
    environment.globals["m"] = environment.get_template(f"parts/macros.{part}").module
    return environment


_VERBATIM: Final = {
    "list-unsubscribe", "in-reply-to", "references", "message-id", "x-kraftpost-mail",
}  # fmt: skip


class MailPolicy(EmailPolicy):
    """SMTP's line ends; fields for programs are broken at spaces only, and never encoded."""

    def fold(self, name: str, value: Any) -> str:
        """One header as text, with its line end."""
        if name.lower() in _VERBATIM:
            return f"{name}: " + f"{self.linesep} ".join(str(value).split()) + self.linesep
        folded: str = super().fold(name, value)
        return folded

    def fold_binary(self, name: str, value: Any) -> bytes:
        """One header as bytes, with its line end."""
        if name.lower() in _VERBATIM:
            return self.fold(name, value).encode("ascii")
        folded: bytes = super().fold_binary(name, value)
        return folded


POLICY: Final = MailPolicy(linesep="\r\n")


def one_line(text: str) -> str:
    """A header's text without line breaks: no title or name ends it early."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def message_id(name: str, domain: str) -> str:
    """The Message-ID of an outbox row, from the name fixed in the row."""
    return f"<{name}@{domain}>"


def root(game_id: int, domain: str) -> str:
    """What every mail of one game refers to."""
    return f"<game-{game_id}@{domain}>"


def list_id(game_id: int, domain: str) -> str:
    """A name by which people's mail filters sort a game (RFC 2919)."""
    return f"Kraftpost game {game_id} <game-{game_id}.{domain}>"


def place(message: EmailMessage, game_id: int | None, answered: str, domain: str) -> None:
    """Put a message into the thread of its game, below the mail that it answers, if any."""
    references = [root(game_id, domain)] if game_id is not None else []
    if _is_message_id(answered):
        references.append(answered)
    if references:
        message["In-Reply-To"] = references[-1]
        message["References"] = " ".join(references)


def _is_message_id(text: str) -> bool:
    """Only a plain one is repeated: it comes from a stranger's header."""
    inside = text[1:-1]
    return (
        len(text) <= 250
        and text.startswith("<")
        and text.endswith(">")
        and inside.isascii()
        and inside.isprintable()
        and not set(inside) & set(" <>")
    )


_SUBJECT_LIMIT: Final = 160  # characters
_INLINER: Final = CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)


def compose(mail: Message, mailbox: Mailbox) -> EmailMessage:
    """The whole message, in the reader's language and zone."""
    with speaking(mail.reader.locale):
        return _Composer(mail, mailbox).message()


class _Composer:
    """One mail on its way to its bytes."""

    def __init__(self, mail: Message, mailbox: Mailbox) -> None:
        self.mail = mail
        self.mailbox = mailbox
        self.kind = written_as(mail.topic)
        table = mail.table
        self.page = Page(table, mail.reader.locale) if table else None
        self.board = board(table) if self.kind.board and table else None
        self.reply_to = self._reply_to()
        self.extras = extras(mail.topic, self.page)

    def message(self) -> EmailMessage:
        """Headers, then text, then HTML with its picture."""
        message = EmailMessage(policy=POLICY)
        self._address(message)
        self._mark(message)
        context = self._context(message["Subject"])
        message.set_content(_tidy(self._template(plain=True).render(context)), cte=_CTE)
        html = self._template(plain=False).render(context)
        html = _INLINER.inline(_without_empty_lines(html))
        message.add_alternative(html, subtype="html", cte=_CTE)
        if self.board:
            self._attach(message, self.board)
        return message

    def _template(self, *, plain: bool) -> Template:
        return templates(plain=plain).get_template(f"{self.kind.template}.html")

    def _address(self, message: EmailMessage) -> None:
        reader, domain = self.mail.reader, self.mailbox.domain
        name, address = parseaddr(self.mailbox.sender)
        message["From"] = Address(name, addr_spec=address)
        message["To"] = Address(one_line(reader.name), addr_spec=reader.address)
        if self.reply_to:
            message["Reply-To"] = self.reply_to
        template = self._template(plain=True)
        subject = template.blocks["subject"](template.new_context(self._basics()))
        message["Subject"] = one_line("".join(subject))[:_SUBJECT_LIMIT]
        message["Date"] = format_datetime(self.mail.now)
        message["Message-ID"] = message_id(self.mail.name, domain)
        place(message, self.mail.game, self.mail.answers, domain)

    def _mark(self, message: EmailMessage) -> None:
        """Say what kind of mail it is, for mail filters and for programs (M23)."""
        message["Auto-Submitted"] = "auto-generated"
        message["X-Auto-Response-Suppress"] = "All"
        message["X-Kraftpost-Kind"] = self.mail.kind or self.kind.header
        # By it a report of its coming back is known (core.mail.bounces), also where a provider
        # gives the mail another Message-ID.
        message["X-Kraftpost-Mail"] = message_id(self.mail.name, self.mailbox.domain)
        if self.mail.game is not None:
            message["X-Kraftpost-Game"] = str(self.mail.game)
            message["List-Id"] = list_id(self.mail.game, self.mailbox.domain)
        if unsubscribe := self._unsubscribe():
            message["List-Unsubscribe"] = f"<{unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"

    def _attach(self, message: EmailMessage, picture: Board) -> None:
        """Put the picture beside the HTML, where only that part shows it (RFC 2387)."""
        html = message.get_body(("html",))
        if html is None:
            raise ValueError("a message without its HTML part")
        html.add_related(
            picture.png, "image", "png", cid=f"<{self._cid}>", filename="board.png",
            disposition="inline",
        )  # fmt: skip

    @property
    def _cid(self) -> str:
        return f"board.{self.mail.name}@{self.mailbox.domain}"

    def _reply_to(self) -> str:
        """The address of the reader's open turn; his address at the table while he has none."""
        if isinstance(self.mail.topic, Invite):
            return self.mailbox.reply.make(InviteToken(self.mail.topic.invitation))
        table = self.mail.table
        if table is None or table.view.seat is None or self.mail.reader.user is None:
            return ""
        seat, asked = table.view.seat, self.page.asked if self.page else None
        if asked is not None:
            return self.mailbox.reply.make(TurnToken(table.game_id, seat, asked.turn))
        return self.mailbox.reply.make(TableToken(table.game_id, seat))

    def _unsubscribe(self) -> str:
        links, user = self.mailbox.links, self.mail.reader.user
        if isinstance(self.mail.topic, Invite):
            return links.url(DeclineLink(self.mail.topic.invitation))
        if self.kind.scope is None or user is None:
            return ""
        return links.url(UnsubscribeLink(user, self.kind.scope))

    def _context(self, subject: str) -> dict[str, Any]:
        return {**self._basics(), **self._links(), "subject": subject}

    def _basics(self) -> dict[str, Any]:
        mail = self.mail
        zone, locale = mail.reader.zone, mail.reader.locale

        def at(moment: datetime) -> str:
            return exact(moment, zone, locale)

        def when(moment: datetime) -> str:
            return relative(moment, mail.now, locale)

        def left(moment: datetime) -> str:
            return until(moment, mail.now, locale)

        def due(moment: datetime) -> str:
            text = _("Due {exact} ({relative}).")
            return text.format(exact=at(moment), relative=left(moment))

        title = one_line(mail.title)
        return {
            "topic": mail.topic,
            "page": self.page,
            "strip": f"{title} · {self.page.where}" if self.page else title,
            "table": mail.table,
            "reader": mail.reader,
            "game": mail.game,
            "title": title,
            "locale": locale,
            "exact": at,
            "relative": when,
            "until": left,
            "due": due,
            "answerable": bool(self.reply_to),
            **self.extras,
        }

    def _links(self) -> dict[str, Any]:
        links, mail = self.mailbox.links, self.mail
        return {
            "marker": MARKER,
            "home": links.page("/"),
            "settings_url": links.page("/profile/mail"),
            "game_url": links.page(f"/games/{mail.game}") if mail.game is not None else "",
            "act_url": self._act_url(),
            "unsubscribe_url": self._unsubscribe(),
            "board": self.board,
            "board_src": f"cid:{self._cid}",
            "answer": self._answer_link,
            "turn_url": self._turn_url,
            "to": links.page,
        }

    def _turn_url(self, waiting: Waiting) -> str:
        """The form of one of several turns."""
        user = self.mail.reader.user or 0
        return self.mailbox.links.url(TurnLink(user, waiting.game, waiting.seat, waiting.turn))

    def _personal_url(self) -> str:
        """Where a mail leads that is about its reader, seated nowhere yet or not as a player."""
        links = self.mailbox.links
        match self.mail.topic:
            case SignIn(token=token):
                return links.sign_in(token)
            case Invite(invitation=invitation):
                return links.url(InviteLink(invitation))
            case NewAddress(link=link) | OldAddress(link=link) | Trial(link=link):
                return links.url(link)
            case Memo(path=path) if path:
                return links.page(path)
        return ""

    def _act_url(self) -> str:
        """The page of the one button of the mail; empty for kinds without one."""
        links, topic, user = self.mailbox.links, self.mail.topic, self.mail.reader.user
        if personal := self._personal_url():
            return personal
        table = self.mail.table
        if table is None or table.view.seat is None or user is None:
            return ""
        seat, asked = table.view.seat, self.page.asked if self.page else None
        if isinstance(topic, Notice) and topic.back:
            return links.url(BackLink(user, table.game_id, seat))
        if asked is not None:
            return links.url(TurnLink(user, table.game_id, seat, asked.turn))
        return ""

    def _answer_link(self, command: str) -> str:
        """A link that opens an answer holding just this command: one tap on a phone."""
        return f"mailto:{quote(self.reply_to, safe='@+')}?body={quote(command)}"


_CTE: Final = "quoted-printable"


def _tidy(text: str) -> str:
    """No blanks at the end of lines, never more than one empty line."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n") + "\n"


def _without_empty_lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())
