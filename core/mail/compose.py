"""Writes a mail: subject, text, HTML, board picture and all headers, from a `Letter`.

The text part is complete in itself, the HTML part says the same. Both begin with the line above
which answers are read. No mail loads anything from elsewhere; every link leads to this service,
and opening it changes nothing.
"""

from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import Any, Final
from urllib.parse import quote

from css_inline import CSSInliner

from core.mail import threads
from core.mail.address import InviteToken, TableToken, TurnToken
from core.mail.board import Board, board
from core.mail.extras import extras
from core.mail.headers import POLICY, one_line
from core.mail.letter import (
    Chat,
    Done,
    End,
    Help,
    Invite,
    Letter,
    Mailbox,
    Memo,
    NewAddress,
    Notice,
    OldAddress,
    Plan,
    Refused,
    Reminder,
    SignIn,
    Start,
    Status,
    Topic,
    Trial,
    Turn,
)
from core.mail.links import (
    BackLink,
    DeclineLink,
    InviteLink,
    Scope,
    TurnLink,
    UnsubscribeLink,
)
from core.mail.page import Page
from core.mail.reply import MARKER
from core.mail.summary import Digest, Waiting
from core.mail.templating import render
from core.text import speaking
from core.when import exact, relative, until

KINDS: Final[dict[type[Topic], tuple[str, str, Scope | None]]] = {
    # topic: template, X-Kraftpost-Kind, what one unsubscribes from
    Turn: ("turn", "turn", "turns"),
    Plan: ("plan", "turn", "turns"),
    Reminder: ("reminder", "reminder", "turns"),
    Digest: ("digest", "digest", "turns"),
    Start: ("start", "start", "games"),
    End: ("end", "end", "games"),
    Invite: ("invite", "invite", "games"),
    Done: ("done", "done", "turns"),
    Refused: ("refused", "refused", "turns"),
    Status: ("status", "done", "turns"),
    Help: ("help", "done", "turns"),
    Notice: ("notice", "notice", "turns"),
    Chat: ("chat", "chat", "chat"),
    SignIn: ("signin", "signin", None),
    NewAddress: ("address", "signin", None),
    OldAddress: ("moved", "notice", None),
    Trial: ("test", "notice", None),
    Memo: ("memo", "notice", None),
}
_PICTURED: Final = (Turn, Plan, Start, End, Status)
_SUBJECT_LIMIT: Final = 160  # characters
_INLINER: Final = CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)


def compose(letter: Letter, mailbox: Mailbox) -> EmailMessage:
    """The whole message, in the reader's language and zone."""
    with speaking(letter.reader.locale):
        return _Composer(letter, mailbox).message()


class _Composer:
    """One letter on its way to a message."""

    def __init__(self, letter: Letter, mailbox: Mailbox) -> None:
        self.letter = letter
        self.mailbox = mailbox
        self.template, kind, self.scope = KINDS[type(letter.topic)]
        self.kind = letter.kind or kind
        table = letter.table
        self.page = Page(table, letter.reader.locale) if table else None
        pictured = table is not None and isinstance(letter.topic, _PICTURED)
        self.board = board(table) if pictured and table else None
        self.reply_to = self._reply_to()
        self.extras = extras(letter.topic, self.page)

    def message(self) -> EmailMessage:
        """Headers, then text, then HTML with its picture."""
        message = EmailMessage(policy=POLICY)
        self._address(message)
        self._mark(message)
        context = self._context(message["Subject"])
        message.set_content(_tidy(render(f"{self.template}/body.txt", **context)), cte=_CTE)
        html = _INLINER.inline(render(f"{self.template}/body.html", **context))
        message.add_alternative(html, subtype="html", cte=_CTE)
        if self.board:
            self._attach(message, self.board)
        return message

    def _address(self, message: EmailMessage) -> None:
        reader, domain = self.letter.reader, self.mailbox.domain
        name, address = parseaddr(self.mailbox.sender)
        message["From"] = Address(name, addr_spec=address)
        message["To"] = Address(one_line(reader.name), addr_spec=reader.address)
        if self.reply_to:
            message["Reply-To"] = self.reply_to
        subject = render(f"{self.template}/subject.txt", **self._basics())
        message["Subject"] = one_line(subject)[:_SUBJECT_LIMIT]
        message["Date"] = format_datetime(self.letter.now)
        message["Message-ID"] = threads.message_id(self.letter.name, domain)
        threads.place(message, self.letter.game, self.letter.answers, domain)

    def _mark(self, message: EmailMessage) -> None:
        """Say what kind of mail it is, for mail filters and for programs (M23)."""
        message["Auto-Submitted"] = "auto-generated"
        message["X-Auto-Response-Suppress"] = "All"
        message["X-Kraftpost-Kind"] = self.kind
        # By it a report of its coming back is known (core.mail.reports), also where a provider
        # gives the mail another Message-ID.
        message["X-Kraftpost-Mail"] = threads.message_id(self.letter.name, self.mailbox.domain)
        if self.letter.game is not None:
            message["X-Kraftpost-Game"] = str(self.letter.game)
            message["List-Id"] = threads.list_id(self.letter.game, self.mailbox.domain)
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
        return f"board.{self.letter.name}@{self.mailbox.domain}"

    def _reply_to(self) -> str:
        """The address of the reader's open turn; his address at the table while he has none."""
        if isinstance(self.letter.topic, Invite):
            return self.mailbox.reply.make(InviteToken(self.letter.topic.invitation))
        table = self.letter.table
        if table is None or table.view.seat is None or self.letter.reader.user is None:
            return ""
        seat, asked = table.view.seat, self.page.asked if self.page else None
        if asked is not None:
            return self.mailbox.reply.make(TurnToken(table.game_id, seat, asked.turn))
        return self.mailbox.reply.make(TableToken(table.game_id, seat))

    def _unsubscribe(self) -> str:
        links, user = self.mailbox.links, self.letter.reader.user
        if isinstance(self.letter.topic, Invite):
            return links.url(DeclineLink(self.letter.topic.invitation))
        if self.scope is None or user is None:
            return ""
        return links.url(UnsubscribeLink(user, self.scope))

    def _context(self, subject: str) -> dict[str, Any]:
        return {**self._basics(), **self._links(), "subject": subject}

    def _basics(self) -> dict[str, Any]:
        letter = self.letter
        zone, locale = letter.reader.zone, letter.reader.locale

        def at(moment: datetime) -> str:
            return exact(moment, zone, locale)

        def when(moment: datetime) -> str:
            return relative(moment, letter.now, locale)

        def left(moment: datetime) -> str:
            return until(moment, letter.now, locale)

        return {
            "topic": letter.topic,
            "page": self.page,
            "table": letter.table,
            "reader": letter.reader,
            "game": letter.game,
            "title": one_line(letter.title),
            "locale": locale,
            "exact": at,
            "relative": when,
            "until": left,
            "answerable": bool(self.reply_to),
            **self.extras,
        }

    def _links(self) -> dict[str, Any]:
        links, letter = self.mailbox.links, self.letter
        return {
            "marker": MARKER,
            "home": links.page("/"),
            "settings_url": links.page("/profile/mail"),
            "game_url": links.page(f"/games/{letter.game}") if letter.game is not None else "",
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
        user = self.letter.reader.user or 0
        return self.mailbox.links.url(TurnLink(user, waiting.game, waiting.seat, waiting.turn))

    def _personal_url(self) -> str:
        """Where a mail leads that is about its reader, seated nowhere yet or not as a player."""
        links = self.mailbox.links
        match self.letter.topic:
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
        links, topic, user = self.mailbox.links, self.letter.topic, self.letter.reader.user
        if personal := self._personal_url():
            return personal
        table = self.letter.table
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
