"""The form for a new table: its fields, its choices, and opening the table it describes."""

from dataclasses import dataclass, field
from typing import Final

from sqlmodel import Session

from core import bots
from core.game.rules import catalog, knobs
from core.game.rules.knobs import Region, Ruleset
from core.game.rules.load import load
from core.store.tables import Game, User
from core.table.acts import invitations, lobby
from core.table.record import terms_limits
from core.terms import Terms
from core.text import _, ngettext
from webapp import web
from webapp.errors import every, number_of, text_of

CLOCKS: Final = (1, 4, 12, 24, 48, 72, 168, 336)
"""Hours for a turn that the form offers."""
REGIONS: Final = ("random", "host", "draft")
"""Ways to choose the regions, as the rules call them (R3.1)."""
MOST_ADDRESSES: Final = 12


@dataclass
class NewTable:
    """What the form says; the choices it offers are properties."""

    title: str
    map: str
    variant: str = catalog.STANDARD
    players: int = 4
    auction: str = "sealed"
    regions: str = "random"
    chosen: list[str] = field(default_factory=list)
    turn_hours: int = 48
    private: bool = False
    chat: bool = True
    bots: int = 0
    invitations: str = ""
    start: bool = False
    options: dict[str, str] = field(default_factory=dict)
    terms: Terms = Terms()

    @property
    def length(self) -> str:
        """About how long the game will take (M25)."""
        people = max(self.players - self.bots, 1)
        days = terms_limits.days(self.terms, self.turn_hours, people, self.auction)
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
        """Every place but the host's own."""
        return 5

    @property
    def expert(self) -> tuple[knobs.Group, ...]:
        """Single rules that may be changed; the examples are the printed rules on this map."""
        return knobs.groups(rules_of(self.map))

    def regions_of(self, key: str) -> tuple[Region, ...]:
        """The regions of a map."""
        return rules_of(key).map.regions

    def needed(self, players: int) -> int:
        """Regions in play for so many players."""
        return rules_of(self.map).numbers(players).regions


def rules_of(key: str) -> Ruleset:
    """The standard rules on a map."""
    return load(key)


def blank(host: User) -> NewTable:
    """The form before anything is filled in."""
    return NewTable(title=_("{name}'s table").format(name=host.name), map=catalog.maps()[0].key)


def filled() -> NewTable:
    """The form as it was sent."""
    known = [one.key for one in catalog.maps()]
    key = text_of("map") if text_of("map") in known else known[0]
    regions = text_of("regions") if text_of("regions") in REGIONS else "random"
    return NewTable(
        title=text_of("title"),
        map=key,
        variant=text_of("variant"),
        players=number_of("players", 4),
        auction="open" if text_of("auction") == "open" else "sealed",
        regions=regions,
        chosen=every(f"region-{key}") if regions == "host" else [],
        turn_hours=number_of("turn_hours"),
        private=text_of("private") == "yes",
        chat=text_of("chat") == "yes",
        bots=min(number_of("bots"), 5),
        invitations=text_of("invitations"),
        start=text_of("start") == "yes",
        options=_options(),
        terms=_terms(),
    )


def _terms() -> Terms:
    """Clock, absence and who may join, as the form says; lobby refuses what does not fit."""
    usual = Terms()
    return Terms(
        clock="bank" if text_of("clock") == "bank" else "turn",
        bank_hours=number_of("bank_hours", usual.bank_hours),
        increment_hours=number_of("increment_hours", usual.increment_hours),
        cap_hours=number_of("cap_hours", usual.cap_hours),
        graces=number_of("graces", usual.graces),
        windows=text_of("windows") == "yes",
        weekends_off=text_of("weekends_off") == "yes",
        vacation=text_of("vacation") == "yes",
        claims=text_of("claims") != "no",
        on_miss="draft" if text_of("on_miss") == "draft" else "default",
        planning="round" if text_of("planning") == "round" else "none",
        least_reliability=number_of("least_reliability"),
        rated=text_of("rated") == "yes",
    )


def _options() -> dict[str, str]:
    """Rules for which a value was given; the others are as the preset has them."""
    keys = [knob.key for group in knobs.groups(load(catalog.maps()[0].key)) for knob in group.knobs]
    given = {key: text_of(f"option-{key}").strip() for key in keys}
    return {key: value for key, value in given.items() if value}


def open_table(session: Session, host: User, form: NewTable) -> Game:
    """Open the table, seat the bots, ask the friends, begin if wanted; TableError as in lobby."""
    settings = lobby.TableSettings(
        title=form.title,
        map=form.map,
        variant=form.variant,
        players=form.players,
        auction=form.auction,
        regions=tuple(form.chosen),
        turn_hours=form.turn_hours,
        private=form.private,
        chat=form.chat,
        options={**form.options, "region_choice": form.regions},
        terms=form.terms,
    )
    game = lobby.create_table(session, host, settings, web.now())
    for _number in range(form.bots):
        lobby.add_bot(session, game, bots.CARETAKER, web.now())
    for name, address in addresses(form.invitations):
        invitations.invite(session, game, address, name, web.now())
    return lobby.start(session, game, web.now()) if form.start else game


def addresses(text: str) -> list[tuple[str, str]]:
    """Names and addresses, one a line: ``Anna <anna@example.org>`` or the address alone.

    >>> addresses("Anna <anna@example.org>; ben@example.org")
    [('Anna', 'anna@example.org'), ('', 'ben@example.org')]
    """
    found = []
    for part in text.replace(";", "\n").replace(",", "\n").splitlines()[:MOST_ADDRESSES]:
        name, bracket, rest = part.strip().partition("<")
        address = rest.partition(">")[0] if bracket else name
        if address.strip():
            found.append((name.strip(' "') if bracket else "", address.strip()))
    return found
