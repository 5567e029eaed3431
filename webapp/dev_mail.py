"""The mailbox of a machine without mail: what was sent lies here, and can be answered from here.

An answer goes the real way, by SMTP to the listener that takes mail in. Only for local play: where
strangers use the service, or mail really leaves, these pages do not exist.
"""

import smtplib
from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path
from typing import Final, cast

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from core.settings import Settings
from core.table.notify import quiet
from core.text import _
from webapp import web
from webapp.forms import Form, Text, read

pages = Blueprint("dev_mail", __name__, url_prefix="/dev/mail")

SHOWN: Final = 100
FRAME_POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
    " allow-popups allow-top-navigation-by-user-activation"
)
"""What a mail's HTML may do in its frame: show itself, and open links in the whole window."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that was sent."""

    name: str
    message: EmailMessage

    def header(self, name: str) -> str:
        """Return a header's value, empty if it is missing."""
        return str(self.message.get(name, ""))

    @property
    def sent(self) -> datetime | None:
        """When it was sent."""
        date = self.message["Date"]
        return None if date is None else cast(datetime, date.datetime)

    @property
    def text(self) -> str:
        """Its text part."""
        part = self.message.get_body(("plain",))
        return str(part.get_content()) if part else ""

    @property
    def html(self) -> str:
        """Its HTML part with its pictures inside, links opening in the whole window."""
        part = self.message.get_body(("html",))
        page = str(part.get_content()) if part else ""
        for picture in self.message.walk():
            if cid := str(picture.get("Content-ID", "")).strip("<> "):
                content = b64encode(cast(bytes, picture.get_payload(decode=True))).decode()
                page = page.replace(
                    f"cid:{cid}", f"data:{picture.get_content_type()};base64,{content}"
                )
        return f'<base target="_top">{page}'


def allowed(settings: Settings) -> bool:
    """Return True if these pages may exist here."""
    return (
        settings.dev_mail and not settings.production and settings.mail_server.directory is not None
    )


@pages.before_request
def _only_from_here() -> None:
    """Show nobody else's browser what is mailed, sign-in links among it (S6)."""
    if not web.from_here():
        raise NotFound


@pages.get("")
def mailbox() -> ResponseReturnValue:
    """Return all mails, the newest first."""
    mails = [_open(path) for path in _files()[:SHOWN]]
    minutes = quiet.ACTIVE // timedelta(minutes=1)
    return render_template("dev/mailbox.html", mails=mails, minutes=minutes)


@pages.get("/<name>")
def mail(name: str) -> ResponseReturnValue:
    """Return one mail: HTML, text, headers, and a box to answer it."""
    return render_template("dev/mail.html", mail=_find(name))


@pages.get("/<name>/html")
def html(name: str) -> ResponseReturnValue:
    """Return the HTML part alone, for the frame."""
    headers = {"Content-Security-Policy": FRAME_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(_find(name).html, headers=headers)


class ReplyForm(Form):
    """An answer to a mail."""

    text: Text = ""


@pages.post("/<name>/reply")
def reply(name: str) -> ResponseReturnValue:
    """Answer a mail as its receiver would, through the service's own mail server."""
    answered = _find(name)
    try:
        _send(answered, read(ReplyForm).text)
    except (OSError, smtplib.SMTPException) as error:
        flash(_("The answer was not taken: {reason}").format(reason=error), "bad")
    else:
        flash(_("The answer is in the post. What it did comes back as a new mail."), "good")
    return redirect(url_for("dev_mail.mailbox"), 303)


def _send(answered: Mail, text: str) -> None:
    settings = web.settings()
    sender = parseaddr(answered.header("To"))[1]
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = answered.header("Reply-To") or answered.header("From")
    message["Subject"] = f"Re: {answered.header('Subject')}"
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=settings.mail_domain)
    message["In-Reply-To"] = answered.header("Message-ID")
    message.set_content(text)
    server = smtplib.LMTP if settings.inbound_protocol == "lmtp" else smtplib.SMTP
    with server(*settings.inbound_address, timeout=10) as connection:
        connection.send_message(message)


def _files() -> list[Path]:
    folder = web.settings().mail_server.directory
    return sorted(folder.glob("*.eml"), reverse=True) if folder else []


def _find(name: str) -> Mail:
    for path in _files():
        if path.name == name:
            return _open(path)
    raise NotFound


def _open(path: Path) -> Mail:
    message = message_from_bytes(path.read_bytes(), policy=SMTP)
    return Mail(path.name, message)
