"""``kraftpost demo``: a table to try the service at, and a link that signs you in."""

import json
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

import click

from core.mail.links import Links
from core.settings import Settings
from core.store.session import make_engine, write
from core.table.acts.lobby import demo_table
from core.table.people.accounts import new_token
from core.table.record.errors import TableError
from tasks.doorbell import ring_adjudicate
from webapp.cli.common import fail, json_option, with_settings

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
    engine = make_engine(settings.database_url)
    try:
        with write(engine) as session:
            user, game = demo_table(session, f"{YOU}@{settings.mail_domain}", now, board)
            links = Links(settings.secret_key, settings.public_url)
            page = f"/games/{game.id}"
            link = f"{links.sign_in(new_token(session, user.email, now))}?next={quote(page)}"
            facts = {"sign_in": link, "game": links.page(page), "address": user.email}
    except TableError as error:
        fail(str(error))
    finally:
        engine.dispose()
    ring_adjudicate(game.id)  # bots may have to move first
    click.echo(json.dumps(facts) if as_json else f"{facts['game']}\n{link}")
