"""Why nothing could be read in an answer: told to its writer, so that the next one can be."""

from email.message import Message
from enum import StrEnum

from core.mail.reply import body_lines
from core.text import _

_MOST_PARTS = 100


class Unread(StrEnum):
    """What kept the lines of a message from being read."""

    HEAD = "head"
    NESTED = "nested"
    ENCRYPTED = "encrypted"
    WINMAIL = "winmail"
    ATTACHED = "attached"
    FORWARDED = "forwarded"
    NO_TEXT = "no text"
    QUOTED = "quoted"
    EMPTY = "empty"
    BROKEN = "broken"

    @property
    def reason(self) -> str:
        """The reason as a sentence, with the way out."""
        return {
            Unread.HEAD: _(
                "its head is larger than 64 KiB. Write a new mail to the address of this one."
            ),
            Unread.NESTED: _(
                "it has too many parts inside each other. Write a new mail, as plain text."
            ),
            Unread.ENCRYPTED: _("it is encrypted. Send it again without encryption."),
            Unread.WINMAIL: _(
                "its text lies in a file “winmail.dat” that only Outlook opens. Send it as plain "
                "text or HTML."
            ),
            Unread.ATTACHED: _(
                "its text is an attached file. Write the command into the mail itself."
            ),
            Unread.FORWARDED: _("it holds only a forwarded mail. Write the command above it."),
            Unread.NO_TEXT: _(
                "it holds no text, only a picture or a file. Write the command as text."
            ),
            Unread.QUOTED: _(
                "nothing of your own stands above or between what it quotes. Write the command "
                "above the quoted mail, on its own line. No command was found."
            ),
            Unread.EMPTY: _("it is empty. No command was found. Write one on the first line."),
            Unread.BROKEN: _("its form is broken. Send it again, as plain text."),
        }[self]


def why_unread(message: Message) -> Unread:
    """Return why a message has no lines of its own."""
    parts = [part for _number, part in zip(range(_MOST_PARTS), message.walk(), strict=False)]
    kinds = [part.get_content_type() for part in parts]
    files = [(part.get_filename() or "").lower() for part in parts]
    attached = [p.get_content_type() for p in parts if p.get_content_disposition() == "attachment"]
    lines = body_lines(message)
    sealed = any("-----BEGIN PGP MESSAGE-----" in line for line in lines)
    reasons = {
        Unread.ENCRYPTED: sealed or any("pkcs7-mime" in kind for kind in kinds),
        Unread.QUOTED: any(line.strip() for line in lines),
        Unread.WINMAIL: "winmail.dat" in files or any("ms-tnef" in kind for kind in kinds),
        Unread.FORWARDED: "message/rfc822" in kinds,
        Unread.ATTACHED: "text/plain" in attached or "text/html" in attached,
        Unread.EMPTY: all(kind.startswith(("text/", "multipart/")) for kind in kinds),
    }
    return next((reason for reason, holds in reasons.items() if holds), Unread.NO_TEXT)
