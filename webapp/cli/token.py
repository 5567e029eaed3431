"""``kraftpost token``: tokens of the API from the command line."""

import json
from datetime import UTC, datetime

import click

from core.settings import Settings
from core.store.session import read, write
from core.store.tables import User
from core.table.people import accounts, tokens
from core.table.people.tokens import Scope
from webapp.cli.common import database, fail, json_option, with_settings


@click.group()
def token() -> None:
    """Make, list and revoke the tokens with which programs play."""


@token.command()
@click.argument("address")
@click.option("--name", required=True, help="Name of the program.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice([scope.value for scope in Scope]),
    default=[Scope.READ.value, Scope.PLAY.value],
    show_default=True,
    help="What it may do; can be given more than once.",
)
@json_option
@with_settings
def new(
    settings: Settings, address: str, name: str, scopes: tuple[str, ...], as_json: bool
) -> None:
    """Make a token for the account with this ADDRESS, and print it; nobody can read it again."""
    with database(settings) as engine, write(engine) as session:
        user = accounts.find_user(session, address) or fail(f"Nobody here has {address}.")
        row, secret = tokens.make(
            session, user, name, {Scope(scope) for scope in scopes}, datetime.now(UTC)
        )
        facts = {"id": row.id, "name": row.name, "scopes": row.scopes.split(), "token": secret}
    click.echo(json.dumps(facts) if as_json else secret)


@token.command("list")
@click.argument("address")
@json_option
@with_settings
def list_(settings: Settings, address: str, as_json: bool) -> None:
    """List the tokens of the account with this ADDRESS; what they are is known to nobody."""
    with database(settings) as engine, read(engine) as session:
        user: User = accounts.find_user(session, address) or fail(f"Nobody here has {address}.")
        rows = tokens.of(session, user)
    facts = [row.model_dump(mode="json", exclude={"digest", "user_id"}) for row in rows]
    if as_json:
        click.echo(json.dumps(facts))
    for row in () if as_json else rows:
        click.echo(f"{row.id:6}  {row.name}  ({row.scopes})")


@token.command()
@click.argument("address")
@click.argument("number", type=int)
@with_settings
def revoke(settings: Settings, address: str, number: int) -> None:
    """Make a token void at once, by its number in the list."""
    with database(settings) as engine, write(engine) as session:
        user = accounts.find_user(session, address) or fail(f"Nobody here has {address}.")
        tokens.revoke(session, user, number)
    click.echo("Revoked.")
