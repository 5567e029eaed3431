"""The form for a new table: its fields, its choices, and opening the table it describes."""

from typing import Annotated, Final, Literal

from flask import request
from pydantic import AfterValidator, Field
from sqlmodel import Session

from core import bots
from core.game.rules import catalog, knobs
from core.game.rules.knobs import Region, Ruleset
from core.game.rules.load import load
from core.lists import sentences
from core.store.tables import Game, User
from core.table.acts import invitations, lobby
from core.table.people.accounts import pasted, refuse_own
from core.table.record.errors import TableError
from core.terms import Terms, expected_days
from core.text import _, ngettext
from core.validation import parse
from webapp import web
from webapp.forms import MOST, Form, Number, Text, Ticked, posted

CLOCKS: Final = (1, 4, 12, 24, 48, 72, 168, 336)
"""Hours for a turn that the form offers."""
MOST_BOTS: Final = 5
PRESET: Final = "preset"
"""The regions are chosen as the rules of the table say (B40)."""
MOST_ADDRESSES: Final = 12
BOXES: Final = ("windows", "weekends_off", "vacation", "rated")
"""Terms that are boxes of the form: one that is not ticked is not sent."""


def _known_map(key: str) -> str:
    known = [one.key for one in catalog.maps()]
    return key if key in known else known[0]


class NewTable(Form):
    """What the form says; the choices it offers are properties."""

    title: Text = ""
    map: Annotated[Text, AfterValidator(_known_map)] = ""
    variant: Text = catalog.STANDARD
    players: Number = 4
    auction: Literal["sealed", "open"] = "sealed"
    regions: Literal["preset", "random", "host", "draft"] = PRESET
    """Ways to choose the regions, as the rules call them (R3.1)."""
    chosen: tuple[Text, ...] = ()
    turn_hours: Number = 48
    private: Ticked = False
    chat: Ticked = False
    bots: Annotated[Number, AfterValidator(lambda bots: min(bots, MOST_BOTS))] = 0
    invitations: Text = ""
    start: Ticked = False
    options: dict[str, Text] = Field(default_factory=dict)
    terms: Terms = Terms()

    @property
    def length(self) -> str:
        """About how long the game will take (M25); empty where a number is none."""
        people = max(self.players - self.bots, 1)
        try:
            days = expected_days(self.terms, self.turn_hours, people, self.auction)
        except TypeError:
            return ""
        return ngettext("A game of about one day.", "A game of about {n} days.", days).format(
            n=days
        )

    @property
    def maps(self) -> tuple[catalog.MapInfo, ...]:
        """All maps."""
        return catalog.maps()

    @property
    def variants(self) -> tuple[catalog.VariantInfo, ...]:
        """All variants."""
        return catalog.variants()

    @property
    def clocks(self) -> tuple[int, ...]:
        """Hours to choose from."""
        return CLOCKS

    @property
    def most_bots(self) -> int:
        """Every place except the host's own."""
        return MOST_BOTS

    @property
    def expert(self) -> tuple[knobs.Group, ...]:
        """Single rules that may be changed; the examples are the printed rules on this map."""
        return knobs.groups(rules_of(self.map))

    def regions_of(self, key: str) -> tuple[Region, ...]:
        """Return the regions of a map."""
        return rules_of(key).map.regions

    def needed(self, players: int) -> int:
        """Regions in play for so many players."""
        return rules_of(self.map).numbers(players).regions


def rules_of(key: str) -> Ruleset:
    """Return the standard rules on a map."""
    return load(key)


def blank(host: User) -> NewTable:
    """Return the form before anything is filled in."""
    title = _("{name}'s table").format(name=host.name)
    return NewTable(title=title, map=catalog.maps()[0].key, chat=True)


def quick(kind: str, board: str, host: User) -> NewTable | None:
    """Return the table of one button, on a map; None for a button that there is not.

    `slow`: four friends by mail, days for a turn. `quick`: four friends, hours for a turn. `bots`:
    three bots, at once, without a clock.
    """
    table = NewTable(
        title=_("{name}'s table").format(name=host.name), map=board, chat=True, private=True
    )
    unhurried = Terms(claims=False, rated=False)
    tables = {
        "slow": {"turn_hours": 48, "terms": Terms(planning="round")},
        "quick": {"turn_hours": 4, "auction": "open"},
        "bots": {"auction": "open", "bots": 3, "start": True, "chat": False, "terms": unhurried},
    }
    return table.model_copy(update=tables[kind]) if kind in tables else None


def filled() -> tuple[NewTable, str]:
    """Return the form as it was sent, and what is wrong with it; lobby refuses what does not fit.

    Of the options those are given whose value is; the others are as the preset has them.
    """
    terms, unfit = parse(Terms, posted(Terms, boxes=BOXES))
    given = posted(NewTable)
    board = _known_map(given.get("map", ""))
    given |= {"map": board, "terms": terms, "chosen": (), "options": _options()}
    if given.get("regions") == "host":
        given["chosen"] = request.form.getlist(f"region-{board}")[:MOST]
    form, wrong = parse(NewTable, given)
    return form, sentences((wrong, unfit))


def _options() -> dict[str, str]:
    keys = [knob.key for group in knobs.groups(load(catalog.maps()[0].key)) for knob in group.knobs]
    given = {key: request.form.get(f"option-{key}", "").strip() for key in keys}
    return {key: value for key, value in given.items() if value}


def open_table(session: Session, host: User, form: NewTable) -> Game:
    """Open the table, seat the bots, ask the friends, begin if wanted; TableError as in `lobby`."""
    settings = lobby.TableSettings(
        title=form.title,
        map=form.map,
        variant=form.variant,
        players=form.players,
        auction=form.auction,
        regions=form.chosen,
        turn_hours=form.turn_hours,
        private=form.private,
        chat=form.chat,
        options=form.options | ({} if form.regions == PRESET else {"region_choice": form.regions}),
        terms=form.terms,
    )
    game = lobby.create_table(session, host, settings, web.now())
    for _number in range(form.bots):
        lobby.add_bot(session, game, bots.CARETAKER, web.now())
    own = web.settings()
    for name, address in addresses(form.invitations):
        refuse_own(address, own.mail_domain, own.mail_from)
        invitations.invite(session, game, address, name, web.now())
    return lobby.start(session, game, web.now()) if form.start else game


def addresses(text: str) -> list[tuple[str, str]]:
    """Return names and addresses as they were pasted; TableError names what is none (H9).

    >>> addresses("Anna <anna@example.org>; ben@example.org")
    [('Anna', 'anna@example.org'), ('', 'ben@example.org')]
    """
    found = pasted(text)
    if len(found) > MOST_ADDRESSES:
        told = _("{given} addresses are too many; invite {most} at once.")
        raise TableError("too-many-addresses", told.format(given=len(found), most=MOST_ADDRESSES))
    return found
