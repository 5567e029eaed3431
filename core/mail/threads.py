"""Message-IDs: fixed for each mail, and one thread for each game.

All mails of a game refer to one root that was never sent; mail programs show what shares a root
as one thread. The answer to a player's own mail refers to that mail too.
"""

from email.message import EmailMessage


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
