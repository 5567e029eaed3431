"""Commands: what the first own lines of an answer ask for.

One command a line. `#` starts a comment. Reading stops at an empty line, or at a courtesy like
"Thanks", that follows a command. A line that is no command is Unknown: nobody must guess at it,
since an answer counts whole or not at all. What people write around a command in any language is
known by its shape: a line of a few words, without a digit, near no verb.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from core.mail.reply import MAX_WRAP, WRAP
from core.mail.spelling import bare, distance, fold, trimmed
from core.mail.verbs import (
    BY_WORD,
    GAME_VERBS,
    Accept,
    CancelOrder,
    Chat,
    Command,
    Consent,
    Decline,
    GameMove,
    GiveOrder,
    GoAway,
    Help,
    ListOrders,
    OrderCommand,
    Ready,
    Status,
    TableCommand,
    Undo,
    Unknown,
    Wish,
)

__all__ = [
    "GAME_VERBS", "VERBS", "Accept", "CancelOrder", "Chat", "Command", "Consent", "Decline",
    "GameMove", "GiveOrder", "GoAway", "Help", "ListOrders", "OrderCommand", "Ready", "Status",
    "TableCommand", "Undo", "Unknown", "Wish", "read_command", "read_commands",
]  # fmt: skip

MAX_COMMANDS = 20
"""Commands that one mail may hold."""
MAX_JOINED = 2000
"""Characters of a line that was put together again."""

VERBS: Final = tuple(
    word for word, verb in BY_WORD.items() if not verb.talk or word in ("status", "help", "chat")
)
"""Words that begin a command wherever a line begins with them."""

_SECRET: Final = ("limit", "order", "auction", "bid")
"""Verbs of what the others must not read, where a number follows."""
_DIGIT: Final = re.compile(r"\d")
_TORN: Final = "\0"
_TYPEWRITTEN: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_VERB: Final = re.compile(r"((?:[^\W\d_]|[\u0300-\u036f])+)\s*[:：,，]?\s*(.*)")
_NUMBERED: Final = re.compile(r"^\(?\d{1,2}[.):]\s+(?=[^\W\d])")
_CHAT_COMMENT: Final = re.compile(r"(?:^|\s)#(?:\s.*)?$")  # in a chat, "#1" is a word
_COMMENT: Final = re.compile(r"#(?!\d).*$")  # "#13" is a plant
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_COURTESY_WORDS: Final = 5
_COURTESY_LENGTH: Final = 80
_LONGEST_WORD: Final = 30


def read_commands(lines: Iterable[str], names: Collection[str] = ()) -> tuple[Command, ...]:
    """Commands of an answer's own lines, in their order; of too many one more than may be.

    `names` are words that belong to commands, such as those of cities: a line that begins with
    one is no courtesy.

    >>> read_commands(["Hi,", "", "Chat no coal left?", "bid 15  # my last", "", "Anna"])
    (Chat(text='no coal left?'), GameMove(text='bid 15'))
    >>> read_commands(["Auctoin 13 for 15"])
    (Unknown(text='Auctoin 13 for 15', suggestions=('auction 13 for 15',)),)
    """
    commands: list[Command] = []
    known = frozenset(map(fold, names))
    for line in _joined(" ".join(line.replace(_TORN, " ").split()) for line in lines):
        if line.startswith(_TORN):
            commands.append(Unknown(line.removeprefix(_TORN), torn=True))
            continue
        apart = not line or _is_courtesy(line, known)
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
    if _is_no_line(text):
        return None
    match = _VERB.fullmatch(_plain_start(text))
    word = fold(match[1]) if match else ""
    if match and word == "chat":
        said = _CHAT_COMMENT.sub("", match[2])
        return BY_WORD[word].read(said) or Unknown(text)
    if match and word in BY_WORD:
        return BY_WORD[word].read(_move_text(match[2])) or _misread(text, word)
    return Unknown(text, _hints(text))


def _is_no_line(text: str) -> bool:
    folded = fold(text)
    return not folded or folded[0] in ">|#"


def _plain_start(text: str) -> str:
    """Return a line without what people and programs put before a command: "→ ", "1. ", "`"."""
    at = 0
    while at < len(text) and not text[at].isalnum():
        at += 1
    text = text[max(at - 1, 0) :] if text[at - 1 : at] == "(" else text[at:]
    return _NUMBERED.sub("", text, count=1).lstrip("( ")


def _move_text(rest: str) -> str:
    """Return what follows a verb, without comment, in plain signs, without closing punctuation."""
    plain = bare(unicodedata.normalize("NFKC", rest)).translate(_TYPEWRITTEN)
    plain = _COMMENT.sub("", plain).replace("#", "")
    return trimmed(" ".join(plain.split()))


def _misread(text: str, word: str) -> Unknown:
    """Return a line whose verb is right and the rest is not; the rest may hold the command."""
    rest = text.partition(" ")[2]
    inside = _hints(rest) if any(fold(part) in BY_WORD for part in rest.split()) else ()
    return Unknown(text, inside or (BY_WORD[word].example,))


def _hints(text: str) -> tuple[str, ...]:
    """Return lines that may have been meant: from a verb further on, or with verbs spelt nearly so.

    Only what reads as a command is a hint.
    """
    words = _move_text(_plain_start(text)).split()
    for at, word in enumerate(words):
        verb = BY_WORD.get(_letters(word))
        if verb and not verb.talk:
            line = " ".join([_letters(word), *words[at + 1 :]])
            return (line,) if _reads(line) else (verb.example,)
    rest = " ".join(words[1:])
    number = _DIGIT.search(rest)
    verbs = _near(_letters(words[0])) if words else []
    far = [v for v in verbs if rest and BY_WORD[v].talk and len(v) < 6]  # "what" is no "chat"
    fits = [v for v in verbs if v not in far and (number or not BY_WORD[v].number)]
    near = (f"{v} {rest}".rstrip() for v in fits)
    return tuple(line for line in near if _reads(line))


def _reads(line: str) -> bool:
    match = _VERB.fullmatch(line)
    verb = BY_WORD.get(match[1]) if match else None
    return bool(match and verb and verb.read(match[2]) and (not match[2] or not verb.alone))


def _letters(word: str) -> str:
    match = _WORD.search(fold(word))
    return match[0] if match else ""


def _near(word: str) -> list[str]:
    """Return verbs that a word may be a misspelling of, the nearest first."""
    found = []
    for verb in BY_WORD:
        most = 1 if len(verb) < 7 else 2
        off = distance(word[:_LONGEST_WORD], verb, most)
        if off <= most and len(word) > off + 1:
            found.append((off, verb))
        elif len(verb) > 4 and word.startswith(verb):
            found.append((most, verb))
    return [verb for _off, verb in sorted(found)]


def _is_courtesy(line: str, names: Collection[str]) -> bool:
    """Return whether a line is but a greeting, a closing, a name or a picture, by its shape.

    It has a few words, no digit, and is near no verb.
    """
    if _is_no_line(" ".join(line.split())):
        return False
    plain = fold(line)
    words = _WORD.findall(plain)
    if len(words) > _COURTESY_WORDS or len(plain) > _COURTESY_LENGTH or _DIGIT.search(plain):
        return False
    if any(" ".join(words[:n]) in names for n in range(1, len(words) + 1)):
        return False
    return not words or not _may_command(line, words)


def _may_command(line: str, words: list[str]) -> bool:
    """Return whether a line of a few words, without a digit, may have been meant as a command."""
    first = BY_WORD.get(words[0])
    if first is not None:
        strong = any(word in BY_WORD and not BY_WORD[word].talk for word in words[1:])
        chatty = first.talk and first.number and len(words) > 1 and not strong  # "no worries"
        return not chatty or not isinstance(read_command(line), Unknown)
    if any(word in BY_WORD and not BY_WORD[word].talk for word in words[1:]):
        return True
    return any(_is_misspelt(word, at, words) for at, word in enumerate(words[:2]))


def _is_misspelt(word: str, at: int, words: list[str]) -> bool:
    """Return whether a word may be a verb that needs no number, among as many words as it takes."""
    shortest = 4 if at else 3
    for near in _near(word) if len(word) >= shortest else ():
        verb = BY_WORD[near]
        if not verb.talk and not verb.number and len(near) > 3:
            behind = len(words) - at - 1
            if behind <= 1 if verb.alone else behind >= 1:
                return True
    return False


def _joined(lines: Iterable[str]) -> list[str]:
    """Return lines, with those put together again that a mail program broke for their length.

    Behind a chat line that looks broken, the next one goes with it even if it begins like a
    command: a word of the chat must not become a move. If it looks like a limit, an order or a bid
    it is `_TORN`: none of these must become a word of the chat, which all can read. A list of
    cities goes on behind its comma.
    """
    joined: list[str] = []
    last = ""
    for line in lines:
        verb = _verb(joined[-1]) if joined else ""
        chat = verb == "chat"
        begins = _begins(line)
        if _was_broken(last, line) and chat and begins in _SECRET and _DIGIT.search(line):
            joined.append(_TORN + line)
        elif _goes_on(last, line, verb) and (chat or not begins):
            joined[-1] = f"{joined[-1]} {line}"[:MAX_JOINED]
        else:
            joined.append(line)
        last = line
    return joined


def _goes_on(last: str, line: str, verb: str) -> bool:
    listed = verb == "build" and last.endswith(",") and bool(line)
    return listed or _was_broken(last, line)


def _was_broken(line: str, following: str) -> bool:
    """Return whether a program that breaks lines near WRAP made these two of one."""
    if not (line and following) or len(line) > MAX_WRAP:
        return False
    return len(line) + 1 + len(following.split()[0]) > WRAP


def _verb(line: str) -> str:
    match = _VERB.match(_plain_start(line))
    return fold(match[1]) if match else ""


def _begins(line: str) -> str:
    """Return the verb that a line begins with, unless it is a word that sentences begin with."""
    word = _verb(line)
    return word if word in BY_WORD and (not BY_WORD[word].talk or word == "chat") else ""
