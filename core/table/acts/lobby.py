"""Tables before their game begins: who sits there, and by which rules they will play.

Every function takes a session in a write scope, locks the table it changes, and commits nothing.
"""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, select

from core import bots
from core.bots import BOTS
from core.game import engine
from core.game.chance import SEATS, Chance
from core.game.errors import RulesError
from core.game.rules import catalog
from core.game.rules.check import PLAYERS
from core.game.rules.choices import region_choices
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load
from core.game.types import RegionId
from core.statuses import GameStatus, InvitationStatus
from core.store.tables import Game, SeatRow, User
from core.table.acts import expiry, replace, vacation
from core.table.acts.invitations import (
    invitation_for,
    invited,
    withdraw,
)
from core.table.notify import mails
from core.table.people import guests, reliability
from core.table.people.accounts import clean_name, user_for
from core.table.play.play import Play
from core.table.record import seats
from core.table.record.errors import TableError
from core.terms import Terms
from core.text import _

TURN_HOURS: Final = range(1, 14 * 24 + 1)
"""What a host may choose as time for a turn, hours."""
TITLE_LENGTH: Final = 80
SILENT_HOST: Final = timedelta(hours=48)
"""For so long the host of a full table may let the others wait."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a host chooses.

    `regions`: chosen by them; none means drawn, or drafted where the variant says so. `options`:
    single knobs of the ruleset over the variant. `auction`: open or sealed.
    """

    title: str
    map: str
    variant: str = "standard"
    players: int = 4
    auction: str = "sealed"
    options: dict[str, Any] = field(default_factory=dict)
    regions: tuple[str, ...] = ()
    turn_hours: int = 48
    private: bool = False
    chat: bool = True
    terms: Terms = Terms()


def create_table(session: Session, host: User, settings: TableSettings, now: datetime) -> Game:
    """Open a table with the host at it; TableError says which setting does not fit."""
    _check(settings)
    if guests.is_guest(host) and not settings.private:
        text = _("Sign in with your address to open a table for others; as a guest you play bots.")
        raise TableError("guest", text)
    chosen = {"region_choice": "host"} if settings.regions else {}
    game = Game(
        title=clean_name(settings.title, TITLE_LENGTH),
        host_id=host.id,
        map=settings.map,
        variant=settings.variant,
        options={**settings.options, "auction": settings.auction, **chosen},
        regions=list(settings.regions),
        seed=secrets.token_hex(32),  # before anybody sits down: nobody can be dealt for or against
        players=settings.players,
        turn_hours=settings.turn_hours,
        terms=settings.terms.to_json(),
        private=settings.private,
        chat=settings.chat,
        created_at=now,
    )
    _check_regions(game, ruleset(game))
    session.add(game)
    session.flush()
    seats.sit_user(session, game, host, now)
    return game


def ruleset(game: Game) -> Ruleset:
    """Return the rules that a table's settings give; TableError if they do not go together."""
    try:
        return load(game.map, game.variant, game.options)
    except RulesError as error:
        raise TableError("rules-unfit", str(error)) from error


def may_see(session: Session, game: Game, user: User | None) -> bool:
    """Public tables are everybody's to see, private ones only for those who belong to them."""
    if not game.private:
        return True
    if user is None:
        return False
    at_it = game.host_id == user.id or seats.seat_of(session, game.id, user.id) is not None
    return at_it or invited(session, game, user)


def join(session: Session, game: Game, user: User, now: datetime) -> None:
    """Take a free place, once. At a private table only those who were invited can.

    Who has declined can think again where the table is anybody's; whom the host has sent away
    cannot (TableError `invitation-over`).
    """
    game = seats.open_table(session, game.id)
    invitation = invitation_for(session, game, user.email)
    if invitation is not None and (game.private or invitation.status != InvitationStatus.DECLINED):
        replace.accept_seat(session, invitation, now)
        return
    if game.private and user.id != game.host_id:
        raise TableError("not-invited", _("This table is private; its host can invite you."))
    if seats.seat_of(session, game.id, user.id) is None:
        reliability.admit(session, user, now, game)
        seats.sit_user(session, game, user, now)
        expiry.came(session, game, user, now)


def leave(session: Session, game: Game, user: User, now: datetime) -> None:
    """Give one's place up before the game begins; who is next at the table becomes its host (H3).

    A host who is there alone closes it.
    """
    game = seats.open_table(session, game.id)
    row = seats.seat_of(session, game.id, user.id)
    if row is not None:
        session.delete(row)
        session.flush()
    if game.host_id == user.id:
        game.host_id = seats.heir(session, game.id, user.id)
        session.add(game)
        if game.host_id is None:
            expiry.close(session, game, now, user)


def may_begin(session: Session, game: Game, user: User | None, now: datetime) -> bool:
    """Return True for the host, and for all at a table that has been full for two days (H21)."""
    if user is None or game.host_id == user.id:
        return user is not None
    rows = seats.seats(session, game.id)
    here = any(row.user_id == user.id for row in rows)
    last = max((row.joined_at for row in rows), default=now)
    return here and not seats.free(session, game) and now - last >= SILENT_HOST


def add_bot(session: Session, game: Game, bot: str, now: datetime) -> None:
    """Seat a bot, by its name in core.bots."""
    game = seats.open_table(session, game.id)
    if bot not in BOTS:
        raise TableError("bot-unknown", _("There is no such bot."))
    name = seats.bot_name(session, game.id, bot)
    seats.sit(session, game, SeatRow(game_id=game.id, bot=bot, name=name, joined_at=now))


def remove_seat(session: Session, game: Game, row_id: int) -> None:
    """Free a place again: the host's right, before the game begins. Who sat there stays away."""
    game = seats.open_table(session, game.id)
    row = session.get(SeatRow, row_id)
    if row is None or row.game_id != game.id:
        return
    session.delete(row)
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if user is not None and user.id != game.host_id:
        withdraw(session, game, user)


def cancel(session: Session, game: Game, now: datetime) -> None:
    """Close a table whose game has not begun, as its host."""
    game = seats.open_table(session, game.id)
    host = session.get(User, game.host_id) if game.host_id is not None else None
    expiry.close(session, game, now, host)


def start(session: Session, game: Game, now: datetime, seed: str = "") -> Game:
    """Begin the game: draw the seats and the cards, tell everybody, ask the first.

    All places must be taken (TableError `seats-free`). Bots move when the table is adjudicated.
    `seed`: only where a game is to be compared with another one; else nobody must know it.
    """
    game = seats.open_table(session, game.id)
    missing = seats.free(session, game)
    if missing:
        text = _("{missing} more must join first; bots can fill places.")
        raise TableError("seats-free", text.format(missing=missing))
    game.seed = seed or game.seed or secrets.token_hex(32)  # a table opened by 0.1 has none yet
    chance = Chance(game.seed)
    rows = chance.shuffled(seats.seats(session, game.id), SEATS)
    seats.mark(rows)
    session.add_all(rows)
    regions = tuple(RegionId(region) for region in game.regions) or None
    events = engine.start(ruleset(game), game.players, chance, regions)
    game.status, game.started_at = GameStatus.RUNNING, now
    expiry.begun(session, game)
    mails.owe_start(session, game, now)
    Play.begin(session, game, events, now).settle()
    vacation.tell_new(session, game, now)
    return game


def demand_hours(hours: int) -> None:
    """Raise TableError `hours-out-of-range` for what is no time for a turn."""
    if hours not in TURN_HOURS:
        text = _("A turn takes {least} to {most} hours.")
        least, most = TURN_HOURS[0], TURN_HOURS[-1]
        raise TableError("hours-out-of-range", text.format(least=least, most=most))


def _check(settings: TableSettings) -> None:
    demand_hours(settings.turn_hours)
    if settings.players not in PLAYERS:
        text = _("{least} to {most} can play.")
        least, most = PLAYERS[0], PLAYERS[-1]
        raise TableError("players-out-of-range", text.format(least=least, most=most))


def _check_regions(game: Game, rules: Ruleset) -> None:
    needed = rules.numbers(game.players).regions
    chosen = frozenset(RegionId(region) for region in game.regions)
    if rules.region_choice != "host":
        return
    if len(chosen) != needed or not chosen <= set(rules.region):
        text = _("Choose {needed} regions of this map.")
        raise TableError("regions-unfit", text.format(needed=needed))
    if chosen not in region_choices(rules, needed):
        raise TableError("regions-apart", _("The chosen regions are not connected."))


DEMO_BOTS: Final = 3
DEMO_TURN_HOURS: Final = 7 * 24


def demo_table(session: Session, address: str, now: datetime, board: str = "") -> tuple[User, Game]:
    """Return the person with this address and their demo table, the running one or a new one.

    A new one is played on the map with the key `board`, else the first by name, by the standard
    rules with a sealed auction. Seats are drawn, so others may have to move before them. TableError
    as in `lobby`.
    """
    user = user_for(session, address, now, _("Guest"))
    running = select(Game).where(Game.host_id == user.id, Game.status == GameStatus.RUNNING)
    if found := session.exec(running).first():
        return user, found
    settings = TableSettings(
        title=_("Demo game"),
        map=board or catalog.maps()[0].key,
        players=1 + DEMO_BOTS,
        turn_hours=DEMO_TURN_HOURS,
        private=True,
    )
    game = create_table(session, user, settings, now)
    for _number in range(DEMO_BOTS):
        add_bot(session, game, bots.CARETAKER, now)
    return user, start(session, game, now)
