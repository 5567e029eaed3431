"""Write a mail: subject, text, HTML, board picture and all headers, from a `Message`.

The text part is complete in itself, the HTML part says the same. Both begin with the line above
which answers are read. No mail loads anything from elsewhere; every link leads to this service,
and opening it changes nothing.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import i18n

from core import text
from core.drawing.composed import picture
from core.drawing.scene import describe, scene
from core.game.narrate import wording
from core.mail import words
from core.mail.addresses import (
    DeclineLink,
    InviteToken,
    PlaceToken,
    TableToken,
    TurnLink,
    TurnToken,
    UnsubscribeLink,
)
from core.mail.kinds import written_as
from core.mail.message import (
    Also,
    Invite,
    Mailbox,
    Memo,
    Message,
    NewAddress,
    OldAddress,
    SignIn,
    Trial,
    Waiting,
)
from core.mail.page import Page
from core.mail.reply import MARKER
from core.places import TEMPLATES
from core.tableview import TableView
from core.text import _, one_line, speaking
from core.when import exact, until

_MOST_BYTES: Final = 55_000
"""A third more when encoded: with text and HTML the mail stays below 110 KB."""


PERSONAL: Final = (SignIn, NewAddress, OldAddress, Trial)
"""Mails that may reach somebody else than the user: nobody writes as the user by them."""


@dataclass(frozen=True, slots=True)
class Board:
    """The same board as picture and in words."""

    png: bytes
    text: str


def board(table: TableView) -> Board:
    """Return the board as the reader of this table may see it."""
    shown = scene(table.view, table.seats, look="light")
    return Board(picture(shown, _MOST_BYTES), describe(shown))


@cache
def templates(*, plain: bool) -> Environment:
    """Return the environment that renders a kind's template as plain text, or as HTML.

    Both parts come from the same blocks: `m` holds the macros of the part, `layout` its frame.
    """
    part = "txt" if plain else "html"
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "email"),
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
        "explained": words.explained,
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
        """Return one header as text, with its line end."""
        if name.lower() in _VERBATIM:
            return f"{name}: " + f"{self.linesep} ".join(str(value).split()) + self.linesep
        folded: str = super().fold(name, value)
        return folded

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return one header as bytes, with its line end."""
        if name.lower() in _VERBATIM:
            return self.fold(name, value).encode("ascii")
        folded: bytes = super().fold_binary(name, value)
        return folded


POLICY: Final = MailPolicy(linesep="\r\n")


def _is_message_id(text: str) -> bool:
    """Return True for a plain one: only that is repeated, as it comes from a stranger's header."""
    plain = text.isascii() and text.isprintable() and len(text) <= 250
    return plain and bool(re.fullmatch(r"<[^<> ]*>", text))


_SUBJECT_LIMIT: Final = 160  # characters
_INLINER: Final = CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)


def compose(mail: Message, mailbox: Mailbox) -> EmailMessage:
    """Return the whole message, in the reader's language and zone."""
    with speaking(mail.reader.locale):
        return _Composer(mail, mailbox).message()


class _Composer:
    """One mail, and what its headers and both parts need."""

    def __init__(self, mail: Message, mailbox: Mailbox) -> None:
        self.mail = mail
        self.mailbox = mailbox
        self.kind = written_as(mail.topic)
        table = mail.table
        self.page = Page(table, mail.reader.locale) if table else None
        self.board = board(table) if self.kind.board and table else None
        self.reply_to = self._reply_to()
        self.unsubscribe_url = self._unsubscribe_url()
        self.context = {**self._basics(), **self._links(), **mail.topic.extras()}

    def message(self) -> EmailMessage:
        """Return headers, then text, then HTML with its picture."""
        message = EmailMessage(policy=POLICY)
        text, html = (
            templates(plain=plain).get_template(f"{self.kind.template}.html")
            for plain in (True, False)
        )
        subject = text.blocks["subject"](text.new_context(self.context))
        self._add_headers(message, one_line("".join(subject))[:_SUBJECT_LIMIT])
        message.set_content(_tidy(text.render(self.context)), cte=_CTE)
        written = html.render(self.context, subject=message["Subject"])
        written = "\n".join(line.rstrip() for line in written.split("\n") if line.strip())
        message.add_alternative(_INLINER.inline(written), subtype="html", cte=_CTE)
        shown = message.get_body(("html",))
        if self.board and shown is not None:  # beside the part that shows it (RFC 2387)
            shown.add_related(
                self.board.png, "image", "png", cid=f"<{self._cid}>", filename="board.png",
                disposition="inline",
            )  # fmt: skip
        return message

    def _add_headers(self, message: EmailMessage, subject: str) -> None:
        """Address the message, and say what it is to mail filters and programs (M23)."""
        mail, domain = self.mail, self.mailbox.domain
        name, address = parseaddr(self.mailbox.sender)
        message["From"] = Address(name, addr_spec=address)
        message["To"] = Address(one_line(mail.reader.name), addr_spec=mail.reader.address)
        if self.reply_to:
            message["Reply-To"] = self.reply_to
        message["Subject"] = subject
        message["Date"] = format_datetime(mail.now)
        message["Message-ID"] = f"<{mail.name}@{domain}>"
        # All mails of a game are one thread, each below the mail that it answers, if any.
        references = [f"<game-{mail.game}@{domain}>"] if mail.game is not None else []
        references += [mail.answers] if _is_message_id(mail.answers) else []
        if references:
            message["In-Reply-To"] = references[-1]
            message["References"] = " ".join(references)
        message["Auto-Submitted"] = "auto-generated"
        message["X-Auto-Response-Suppress"] = "All"
        message["X-Kraftpost-Kind"] = mail.kind or self.kind.header
        # By it a report of its coming back is known (core.mail.bounces), also where a provider
        # gives the mail another Message-ID.
        message["X-Kraftpost-Mail"] = f"<{mail.name}@{domain}>"
        if mail.game is not None:
            message["X-Kraftpost-Game"] = str(mail.game)
            message["List-Id"] = f"Kraftpost game {mail.game} <game-{mail.game}.{domain}>"
        if self.unsubscribe_url:
            message["List-Unsubscribe"] = f"<{self.unsubscribe_url}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"

    @property
    def _cid(self) -> str:
        return f"board.{self.mail.name}@{self.mailbox.domain}"

    def _reply_to(self) -> str:
        """Return the address of the reader's open turn; that of their seat while they have none."""
        reply, topic, table = self.mailbox.reply, self.mail.topic, self.mail.table
        if isinstance(topic, Invite):
            return reply.make(InviteToken(topic.invitation))
        user = self.mail.reader.user
        if user is None or isinstance(topic, PERSONAL):
            return ""
        if isinstance(topic, Memo) and topic.game is None and not topic.answerable:
            return ""
        if table is None or table.view.seat is None:
            return reply.make(PlaceToken(self.mail.game or 0, user))
        seat, asked = table.view.seat, self.page.asked if self.page else None
        if asked is not None:
            return reply.make(TurnToken(table.game_id, seat, asked.turn))
        return reply.make(TableToken(table.game_id, seat))

    def _unsubscribe_url(self) -> str:
        links, user = self.mailbox.links, self.mail.reader.user
        if isinstance(self.mail.topic, Invite):
            return links.url(DeclineLink(self.mail.topic.invitation))
        if self.kind.scope is None or user is None:
            return ""
        return links.url(UnsubscribeLink(user, self.kind.scope))

    def _basics(self) -> dict[str, Any]:
        mail = self.mail
        zone, locale = mail.reader.zone, mail.reader.locale

        def at(moment: datetime) -> str:
            return exact(moment, zone, locale)

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
            "title": title,
            "locale": locale,
            "exact": at,
            "due": due,
        }

    def _links(self) -> dict[str, Any]:
        links, mail = self.mailbox.links, self.mail

        def turn_url(one: Waiting) -> str:
            return links.url(TurnLink(mail.reader.user or 0, one.game, one.seat, one.turn))

        def answer(command: str, to: str = "") -> str:
            """Return a link that opens an answer holding just this command."""
            return f"mailto:{quote(to or self.reply_to, safe='@+')}?body={quote(command)}"

        def address_of(one: Waiting | Also) -> str:
            """Return the address that answers one table of several."""
            token: TurnToken | TableToken = TableToken(one.game, one.seat or 0)
            if isinstance(one, Waiting):
                token = TurnToken(one.game, one.seat, one.turn)
            return self.mailbox.reply.make(token)

        return {
            "marker": MARKER,
            "answerable": bool(self.reply_to),
            "home": links.page("/"),
            "settings_url": links.page("/profile/mail"),
            "game_url": links.page(f"/games/{mail.game}") if mail.game is not None else "",
            "act_url": self._act_url(),
            "unsubscribe_url": self.unsubscribe_url,
            "board": self.board,
            "board_src": f"cid:{self._cid}",
            "answer": answer,
            "address_of": address_of,
            "turn_url": turn_url,
            "to": links.page,
        }

    def _act_url(self) -> str:
        """Return the page of the mail's one button; empty for kinds without one."""
        links, table, user = self.mailbox.links, self.mail.table, self.mail.reader.user
        if own := self.mail.topic.url(links, user):
            return own
        asked = self.page.asked if self.page else None
        if table is None or table.view.seat is None or user is None or asked is None:
            return ""
        return links.url(TurnLink(user, table.game_id, table.view.seat, asked.turn))


_CTE: Final = "quoted-printable"


def _tidy(text: str) -> str:
    """Strip blanks from the end of lines, and leave at most one empty line in a row."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n") + "\n"
