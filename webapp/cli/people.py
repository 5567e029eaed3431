"""``kraftpost people``: find, block, bar, readdress; mails of somebody, and sending them again."""

import getpass
import json
from collections.abc import Callable
from datetime import UTC, datetime

import click
from sqlmodel import Session

from core.settings import Settings
from core.store.session import read, write
from core.store.tables import User
from core.table.people import operator
from core.table.record.errors import TableError
from webapp.cli.common import database, fail, json_option, with_settings

Act = Callable[[Session, User, str, datetime], None]


@click.group()
def people() -> None:
    """Look after the people of this installation; all that is done is written down."""


@people.command()
@click.argument("text")
@json_option
@with_settings
def find(settings: Settings, text: str, as_json: bool) -> None:
    """List the people whose address or name holds TEXT."""
    with database(settings) as engine, read(engine) as session:
        found = [_facts(user) for user in operator.find(session, text)]
    lines = (f"{one['id']:>6}  {one['address']}  {one['name']}  {one['state']}" for one in found)
    click.echo(json.dumps(found) if as_json else "\n".join(lines) or "Nobody.")


def _facts(user: User) -> dict[str, object]:
    marks = {
        "blocked": user.blocked_at, "barred": user.barred_at, "unreached": user.undeliverable_at,
    }  # fmt: skip
    state = ", ".join(f"{mark} {at:%Y-%m-%d}" for mark, at in marks.items() if at)
    return {"id": user.id, "address": user.email, "name": user.name, "state": state}


def _do(settings: Settings, address: str, act: Act) -> None:
    try:
        with database(settings) as engine, write(engine) as session:
            user = operator.person(session, address)
            act(session, user, f"command: {getpass.getuser()}", datetime.now(UTC))
    except TableError as error:
        fail(str(error))
    click.echo("Done.")


def _command(name: str, act: Act, told: str) -> None:
    @people.command(name, help=told)
    @click.argument("address")
    @with_settings
    def command(settings: Settings, address: str) -> None:
        _do(settings, address, act)


_command("block", operator.block, "Sign somebody out for good.")
_command("unblock", operator.unblock, "Let a blocked person sign in again.")
_command("bar", operator.bar, "Keep somebody from others' tables for a week.")
_command("unbar", operator.unbar, "Lift a bar before its end.")


@people.command()
@click.argument("address")
@click.argument("new")
@with_settings
def readdress(settings: Settings, address: str, new: str) -> None:
    """Give the person with ADDRESS the address NEW; be sure that it is theirs."""
    _do(settings, address, lambda s, user, by, now: operator.readdress(s, user, new, by, now))


@people.command()
@click.argument("address")
@json_option
@with_settings
def mails(settings: Settings, address: str, as_json: bool) -> None:
    """List the last mails to ADDRESS: what became of each, and why."""
    with database(settings) as engine, read(engine) as session:
        found = [
            {"id": m.id, "kind": m.kind, "status": m.status, "at": f"{m.created_at:%Y-%m-%d %H:%M}",
             "why": m.error}
            for m in operator.mails_of(session, address)
        ]  # fmt: skip
    lines = (f"{m['id']:>7}  {m['at']}  {m['kind']:<8} {m['status']:<8} {m['why']}" for m in found)
    click.echo(json.dumps(found) if as_json else "\n".join(lines) or "None.")


@people.command()
@click.argument("mail_id", type=click.IntRange(1, 2**31 - 1), metavar="MAIL")
@with_settings
def resend(settings: Settings, mail_id: int) -> None:
    """Try a mail again that was given up or waits, by its number in `mails`."""
    by = f"command: {getpass.getuser()}"
    try:
        with database(settings) as engine, write(engine) as session:
            operator.resend(session, mail_id, by, datetime.now(UTC))
    except TableError as error:
        fail(str(error))
    click.echo("It goes out with the next delivery.")


@people.command()
@json_option
@with_settings
def journal(settings: Settings, as_json: bool) -> None:
    """List what operators did last."""
    with database(settings) as engine, read(engine) as session:
        found = [
            {"at": f"{a.at:%Y-%m-%d %H:%M}", "by": a.by, "what": a.what, "about": a.about}
            for a in operator.journal(session)
        ]
    lines = (f"{a['at']}  {a['by']}  {a['what']}  {a['about']}" for a in found)
    click.echo(json.dumps(found) if as_json else "\n".join(lines) or "Nothing.")
