"""``kraftpost table``: open tables from the command line."""

import json
import re
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

import click
from sqlmodel import Session

from core import bots
from core.game.rules import catalog
from core.mail.addresses import Links
from core.settings import Settings
from core.store.session import write
from core.store.tables import Game
from core.table.acts import invitations, lobby, replace
from core.table.acts.lobby import demo_table
from core.table.people.accounts import new_token, user_for
from tasks import enqueue
from webapp.cli.common import database, fail, json_option, with_settings

BOT: Final = "bot"
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24}


@click.group()
def table() -> None:
    """Open tables without the pages."""


@table.command()
@click.option("--map", "board", required=True, help="Key of the map.")
@click.option("--variant", default=catalog.STANDARD, show_default=True, help="Key of the rules.")
@click.option("--players", required=True, help="People and bots: 'Anna <anna@x.org>,ben@y.org,bot'")
@click.option(
    "--auction", type=click.Choice(["sealed", "open"]), default="sealed", help="Kind of auction."
)
@click.option("--turn", default="2d", show_default=True, help="Time for a turn: 12h, 1d, 2w.")
@click.option("--title", default="", help="What the table is called.  [default: the map's name]")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="One rule changed.")
@click.option("--regions", default="", help="Keys of regions; else they are drawn.")
@click.option("--public", is_flag=True, help="Anybody may look on.")
@click.option("--start", is_flag=True, help="Begin at once; else the players are invited.")
@json_option
@with_settings
def new(settings: Settings, players: str, start: bool, as_json: bool, **wishes: Any) -> None:
    """Open a table; the first address is its host.

    People are named as in a mail: 'Anna <anna@x.org>'; without a name a new one is called Player
    and a number until they choose one. A bot is `bot` or the name of one. With --start everybody is
    seated and the game begins; without it the others get an invitation and the host begins when
    all are there.
    """
    names = [name.strip() for name in players.split(",") if name.strip()]
    people = [name for name in names if "@" in name]
    if not people:
        raise click.UsageError("--players needs at least one address; the first is the host")
    with database(settings) as engine, write(engine) as session:
        game = _open(session, names, people[0], start, wishes)
        facts = {
            "game": game.id,
            "status": game.status,
            "page": f"{settings.public_url}/games/{game.id}",
        }
    enqueue.table(game.id)
    click.echo(json.dumps(facts) if as_json else f"Table {game.id}: {facts['page']}")


def _open(
    session: Session, names: list[str], host: str, start: bool, wishes: dict[str, Any]
) -> Game:
    now = datetime.now(UTC)
    called, address = _person(host)
    owner = user_for(session, address, now, called)
    game = lobby.create_table(session, owner, _wanted(len(names), wishes), now)
    for name in names:
        if name != host:
            _seat(session, game, name, start, now)
    return lobby.start(session, game, now) if start else game


def _seat(session: Session, game: Game, name: str, seated: bool, now: datetime) -> None:
    """Seat a bot; a person joins when the game begins at once, else is invited."""
    if "@" not in name:
        lobby.add_bot(session, game, bots.CARETAKER if name == BOT else name, now)
        return
    called, address = _person(name)
    invitation = invitations.invite(session, game, address, called, now)
    if seated:
        replace.accept_seat(session, invitation, now)


def _person(text: str) -> tuple[str, str]:
    """Name and address: of ``Anna <anna@x.org>``, or of the address alone."""
    called, bracket, rest = text.partition("<")
    return (called.strip(' "'), rest.rstrip("> ")) if bracket else ("", text)


def _wanted(players: int, wishes: dict[str, Any]) -> lobby.TableSettings:
    board = wishes["board"]
    named = next((m.name for m in catalog.maps() if m.key == board), board)
    return lobby.TableSettings(
        title=wishes["title"] or named,
        map=board,
        variant=wishes["variant"],
        players=players,
        auction=wishes["auction"],
        options=dict(_option(text) for text in wishes["options"]),
        regions=tuple(r.strip() for r in wishes["regions"].split(",") if r.strip()),
        turn_hours=_hours(wishes["turn"]),
        private=not wishes["public"],
    )


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--option {text}: write KEY=VALUE, e.g. hidden_money=false")
    return key.strip(), value.strip()


def _hours(text: str) -> int:
    found = re.fullmatch(r"(\d{1,4}) ?([hdw])", text.strip().lower())
    if found is None:
        raise click.UsageError(f"--turn {text}: write hours, days or weeks, e.g. 12h, 1d, 2w")
    return int(found[1]) * _HOURS[found[2]]


YOU: Final = "you"


@click.command()
@click.option("--map", "board", default="", help="Key of the map for a new table.")
@json_option
@with_settings
def demo(settings: Settings, board: str, as_json: bool) -> None:
    """Make a table with you and three bots, or find it; print a link that signs you in once.

    The link is worth as much as a password, so production has no such command.
    """
    if settings.production:
        fail("There is no demo table in production.")
    now = datetime.now(UTC)
    with database(settings) as engine, write(engine) as session:
        user, game = demo_table(session, f"{YOU}@{settings.mail_domain}", now, board)
        links = Links(settings.secret_key, settings.public_url)
        page = f"/games/{game.id}"
        link = f"{links.sign_in(new_token(session, user.email, now))}?next={quote(page)}"
        facts = {"sign_in": link, "game": links.page(page), "address": user.email}
    enqueue.adjudicate(game.id)  # bots may have to move first
    click.echo(json.dumps(facts) if as_json else f"{facts['game']}\n{link}")
