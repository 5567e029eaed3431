"""How headers are written: Python's own way, but for those that programs read.

Python turns a long word without spaces into an encoded word, also in fields that may not hold one
(RFC 2047, 5): a one-click link or a Message-ID would be lost on the programs that need it.
"""

from email.policy import EmailPolicy
from typing import Any, Final

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
