"""What is said to those who were late, have left, or come in place of somebody else."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.mail.letter import Memo
from core.store.tables import Game, User
from core.table.away import reliability
from core.table.joining import lobbying
from core.text import _
from core.when import exact

Said = tuple[str, str]
"""Heading and text."""


def to_seat(what: str, context: Mapping[str, Any], user: User, now: datetime) -> Said:
    """A notice to the owner of a seat, or to the host of a game that was stopped."""
    return _plain().get(what) or _of_absence(what, context, _barred(user, now))


def _plain() -> dict[str, Said]:
    return {
        "grace": (
            _("You were late and have more time"),
            _(
                "Your time for a turn was over. This table gives some more by itself, up to the "
                "deadline below, but only a few times in a game. It is in the log for all to see."
            ),
        ),
        "returned": (
            _("You play again"),
            _("The caretaker has left your seat: from now on you are asked."),
        ),
        "seated": (
            _("You play here now"),
            _(
                "The seat is yours, with all that belongs to it. Whenever it is asked you have "
                "the full time for the turn."
            ),
        ),
        "stopped": (
            _("Your game has been stopped"),
            _(
                "Something went wrong in it. Nothing is lost, no turn is missed meanwhile, and "
                "whoever runs the site can let it go on."
            ),
        ),
        "released": (
            _("Your game goes on"),
            _("The trouble has been mended. Who is asked has the whole time for the turn again."),
        ),
    }


def _of_absence(what: str, context: Mapping[str, Any], barred: str) -> Said:
    match what:
        case "caretaker":
            return _("A caretaker plays for you"), _(
                "You missed two turns in a row. A bot now moves for your seat until you return, "
                "and until then others may take it. {barred}"
            ).format(barred=barred).rstrip()
        case "offered":
            return _("The game waits for you"), _(
                "Your first turn is over, and you have not moved. Nothing was played for you: you "
                "can still make your move as if nothing had happened, until somebody else takes "
                "your seat, or a bot at the deadline below. {barred}"
            ).format(barred=barred).rstrip()
        case "draft":
            return _("Your saved move was played"), _(
                "Your time was over, so the table made the move that you had saved: {line}. It "
                "does not count as a missed turn."
            ).format(line=context["line"])
        case "asleep":
            return _("Everybody is away"), _(
                "All players are away, so the game stands still: bots wait, too. As soon as "
                "somebody returns it goes on; after {days} days it ends without a winner."
            ).format(days=context["days"])
    raise LookupError(what)


def to_user(what: str, context: Mapping[str, Any], game: Game, user: User) -> Memo:
    """A notice about a table at which the reader has no seat, or none yet."""
    heading, text = _about(what, context, game, user)
    return Memo(
        heading=f"{game.title} · {heading}",
        lines=(text,),
        path=f"/games/{game.id}",
        button=_("To the table"),
    )


def _of_places(name: str) -> dict[str, Said]:
    return {
        "withdrawn": (
            _("A place is free again"),
            _(
                "{name} has left another game by missing turns, and so gives up the place at "
                "your table. Invite somebody else, or seat a bot."
            ).format(name=name),
        ),
        "full": (
            _("All places are taken"),
            _(
                "The last place at your table has been taken. Begin the game on its page; it does "
                "not begin by itself."
            ),
        ),
    }


def _about(what: str, context: Mapping[str, Any], game: Game, user: User) -> Said:
    name = str(context.get("name", ""))
    if found := _of_places(name).get(what):
        return found
    closes = exact(lobbying.closes_at(game), user.zone, user.locale)
    match what:
        case "replaced":
            return _("Somebody else plays your seat"), _(
                "{name} plays your seat from now on, because you had missed a turn. The game goes "
                "on without you; you get no more mails about it."
            ).format(name=name)
        case "no-show":
            return _("{name} has not come").format(name=name), _(
                "{name} has not made the first move in time. The game waits, and nobody loses "
                "anything: {name} may still come, others can take the seat on the table's page, "
                "you can invite somebody or seat a bot. After a while a bot is seated by itself."
            ).format(name=name)
        case "idle":
            return _("Is anybody coming?"), _(
                "This table has waited for its players for ten days. If the game does not begin, "
                "and nobody presses “Keep it open” on its page, it closes on {when}."
            ).format(when=closes)
        case "closed" if name:
            return _("The table is closed"), _(
                "{name} has closed the table before its game began. Nothing else has happened."
            ).format(name=name)
    return _("The table is closed"), _(
        "Its game has not begun within fourteen days, so the table has been closed. Nothing else "
        "has happened; a new one is opened in a minute."
    )


def _barred(user: User, now: datetime) -> str:
    until = reliability.barred_until(user, now)
    if until is None:
        return ""
    return _(
        "New tables are closed to you until {when}, and your places at tables that have not begun "
        "are given up."
    ).format(when=exact(until, user.zone, user.locale))
