"""Commands: what the first own lines of an answer ask for.

One command a line. `#` starts a comment. Reading stops at an empty line, or at a closing like
"Thanks", that follows a command. A line that is no command is Unknown: nobody must guess at it,
since an answer counts whole or not at all. Only a greeting ahead of the commands is passed over.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.game.notation import EXAMPLES
from core.mail.reply import MAX_WRAP, WRAP, fold

MAX_COMMANDS = 20
"""Commands that one mail may hold."""
MAX_JOINED = 2000
"""Characters of a line that was put together again."""


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
    """Yes or no to the proposal of this number."""

    number: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class GoAway:
    """I am on vacation for so many days from now on; 0: I am back."""

    days: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that is no command, with the lines that may have been meant, best first.

    `torn`: it may be a secret command, or the rest of the line of chat above it.
    """

    text: str
    suggestions: tuple[str, ...] = ()
    torn: bool = field(default=False, repr=False)


OrderCommand = GiveOrder | CancelOrder | ListOrders | Ready
TableCommand = Undo | Consent | GoAway
Command = (
    GameMove | OrderCommand | TableCommand | Chat | Status | Help | Accept | Decline | Unknown
)  # fmt: skip

GAME_VERBS = tuple(EXAMPLES)
_LONE_VERBS: dict[str, Command] = {
    "status": Status(),
    "help": Help(),
    "accept": Accept(),
    "decline": Decline(),
    "orders": ListOrders(),
    "ready": Ready(),
    "undo": Undo(),
}


def _cancel(rest: str) -> Command | None:
    number = rest.removeprefix("order ")
    return CancelOrder(int(number)) if number.isdecimal() and len(number) < 6 else None


def _consent(rest: str, *, agrees: bool) -> Command | None:
    return Consent(int(rest), agrees) if rest.isdecimal() and len(rest) < 6 else None


def _vacation(rest: str) -> Command | None:
    words = rest.split()
    if words in (["end"], ["off"]):
        return GoAway(0)
    days = len(words) in (1, 2) and words[0].isdecimal() and 0 < int(words[0][:6]) < 1000
    return GoAway(int(words[0])) if days and words[1:] in ([], ["day"], ["days"]) else None


_WORDY_VERBS: dict[str, Callable[[str], Command | None]] = {
    "limit": lambda rest: GiveOrder(f"limit {rest}") if rest else None,
    "order": lambda rest: GiveOrder(f"order {rest}") if rest else None,
    "cancel": _cancel,
    "vacation": _vacation,
    "ok": lambda rest: _consent(rest, agrees=True),
    "no": lambda rest: _consent(rest, agrees=False),
}
"""What is read from the words behind a verb; None where they make no sense."""
_WORDY_EXAMPLES = {
    "limit": "limit 20 to 26",
    "order": "order auction 13 to 26",
    "cancel": "cancel 3",
    "vacation": "vacation 5 days",
    "ok": "ok 7",
    "no": "no 7",
}
_SMALL_TALK = ("ok", "no", "vacation")
"""Verbs only where a line begins with them: in a sentence they are words like any other."""
_SECRET = ("limit", "order", "auction", "bid")
"""Verbs of what the others must not read, where a number follows."""
_DIGIT = re.compile(r"\d")
_TORN = "\0"
VERBS = (*GAME_VERBS, *_LONE_VERBS, *(v for v in _WORDY_VERBS if v not in _SMALL_TALK), "chat")

_TYPEWRITTEN = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_VERB = re.compile(r"((?:[^\W\d_]|[\u0300-\u036f])+)\s*[:：,，]?\s*(.*)")
_BULLETS = " -–*•·_\"'“„«"
_ENDING = " .,;:!…。！*_\"'”“»"
_CHAT_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")  # in a chat, "#1" is a word
_COURTESIES = frozenset(
    fold(
        """
    hi hello hey dear hallo liebe lieber moin servus guten bonjour salut hola buenas ciao cześć
    witam привет здравствуйте こんにちは 你好 สวัสดี habari jambo olá oi hoi hej ahoj
    thanks thank thx cheers regards best kind greetings danke gruß grüße gruss viele liebe lg vg mfg
    beste schöne merci cordialement bien bises gracias saludos pozdrawiam pozdrowienia dzięki grazie
    saluti obrigado abraços groeten hälsningar спасибо よろしく ありがとう 谢谢 ขอบคุณ asante
    """
    ).split()
)
_COURTESY_WORDS = 5
_PUNCTUATION = str.maketrans(dict.fromkeys(".,;:!-、。，！", " "))
_LONGEST_WORD = 30  # for comparing words, which is quadratic


def read_commands(lines: Iterable[str]) -> tuple[Command, ...]:
    """Commands of an answer's own lines, in their order; of too many one more than may be.

    >>> read_commands(["Hi,", "", "Chat no coal left?", "bid 15  # my last", "", "Anna"])
    (Chat(text='no coal left?'), GameMove(text='bid 15'))
    >>> read_commands(["Auctoin 13 for 15"])
    (Unknown(text='Auctoin 13 for 15', suggestions=('auction 13 for 15',)),)
    """
    commands: list[Command] = []
    for line in _joined(" ".join(line.split()) for line in lines):
        if line.startswith(_TORN):
            commands.append(Unknown(line.removeprefix(_TORN), torn=True))
            continue
        apart = not line or _is_courtesy(line)
        if apart and not all(isinstance(command, Unknown) for command in commands):
            break
        command = None if apart else read_command(line)
        if command:
            commands.append(command)
        if len(commands) > MAX_COMMANDS:
            break
    return tuple(commands)


def read_command(line: str) -> Command | None:
    """Command of one line; None for an empty line, a comment, or a quoted line."""
    text = " ".join(unicodedata.normalize("NFC", line).split())
    if not fold(text) or fold(text)[0] in ">|#":
        return None
    match = _VERB.fullmatch(text.lstrip(_BULLETS))
    verb = fold(match[1]) if match else ""
    if match and verb == "chat":
        said = _CHAT_COMMENT.sub("", match[2])
        return Chat(said) if said else Unknown(text)
    rest = _move_text(match[2]) if match else ""
    if verb in GAME_VERBS:
        return GameMove(f"{verb} {rest}".rstrip())
    if verb in _WORDY_VERBS:
        return _WORDY_VERBS[verb](rest) or Unknown(text, (_WORDY_EXAMPLES[verb],))
    return _LONE_VERBS[verb] if verb in _LONE_VERBS and not rest else _unknown(text, verb, rest)


def _move_text(rest: str) -> str:
    """Return what follows a verb, without comment, in plain signs, without closing punctuation."""
    plain = unicodedata.normalize("NFKC", rest).translate(_TYPEWRITTEN).partition("#")[0]
    return " ".join(plain.split()).rstrip(_ENDING)


def _unknown(text: str, verb: str, rest: str) -> Unknown:
    """Return the line with a hint: a verb further on, or verbs spelt nearly so."""
    words = _move_text(text).split()
    inside = next((at for at, word in enumerate(words) if fold(word) in VERBS), 0)
    if inside:
        return Unknown(text, (" ".join(words[inside:]),))
    near = difflib.get_close_matches(verb[:_LONGEST_WORD], VERBS)
    return Unknown(text, tuple(v if v in _LONE_VERBS else f"{v} {rest}".rstrip() for v in near))


def _is_courtesy(line: str) -> bool:
    """Return whether a line is but a greeting or a closing.

    One that holds a verb or a number is not.
    """
    words = fold(line).translate(_PUNCTUATION).split()
    if not words or len(words) > _COURTESY_WORDS or words[0] not in _COURTESIES:
        return False
    return not any(word in VERBS or any(map(str.isdigit, word)) for word in words)


def _joined(lines: Iterable[str]) -> list[str]:
    """Return lines, with those put together again that a mail program broke for their length.

    Behind a chat line that looks broken, the next one goes with it even if it begins like a
    command: a word of the chat must not become a move. If it looks like a limit, an order or a bid
    it is `_TORN`: none of these must become a word of the chat, which all can read.
    """
    joined: list[str] = []
    last = ""
    for line in lines:
        chat = bool(joined) and _verb(joined[-1]) == "chat"
        if _was_broken(last, line) and chat and _verb(line) in _SECRET and _DIGIT.search(line):
            joined.append(_TORN + line)
        elif _was_broken(last, line) and (chat or _verb(line) not in VERBS):
            joined[-1] = f"{joined[-1]} {line}"[:MAX_JOINED]
        else:
            joined.append(line)
        last = line
    return joined


def _was_broken(line: str, following: str) -> bool:
    """Return whether a program that breaks lines near WRAP made these two of one."""
    if not (line and following) or len(line) > MAX_WRAP:
        return False
    return len(line) + 1 + len(following.split()[0]) > WRAP


def _verb(line: str) -> str:
    match = _VERB.match(line.lstrip(_BULLETS))
    return fold(match[1]) if match else ""
