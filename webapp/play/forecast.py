"""What a position means for the rest of the round: the race, the market, who has done what."""

from dataclasses import dataclass
from datetime import datetime

from core.game.board.storage import capacity
from core.game.narrate import wording
from core.game.narrate.lines import Narrator
from core.game.observe import PlayerView
from core.game.rewind import standing
from core.game.types import STEP_3_CARD, Phase, Seat
from core.tableview import TableView
from core.text import _, ngettext
from webapp.play.report import Told

LEADERS_NAMED = 2


@dataclass(frozen=True, slots=True)
class Activity:
    """A seat's last act, since when it is waited for, and the tokens that its plants hold."""

    act: Told | None
    since: datetime | None
    room: int


def activity(table: TableView) -> dict[Seat, Activity]:
    """All seats."""
    view, acts = table.view, _last_acts(table)
    since = {asked.seat: asked.since for asked in table.asked}
    return {
        s.seat: Activity(acts.get(s.seat), since.get(s.seat), _room(view, s.seat))
        for s in table.seats
    }


def _last_acts(table: TableView) -> dict[Seat, Told]:
    """What each seat did last, looked for from the end: most of a long log need not be told."""
    tell = Narrator(table.view.ruleset, table.names)
    acts: dict[Seat, Told] = {}
    for entry in reversed(standing(table.log)):
        seat = getattr(entry.event, "seat", None)
        if seat is None or seat in acts:
            continue
        if text := tell.line(entry.event):
            acts[seat] = Told(entry.seq, entry.at, text)
        if len(acts) == len(table.seats):
            break
    return acts


def _room(view: PlayerView, seat: Seat) -> int:
    pure, hybrid = capacity(view.plants_of(seat))
    return pure.total + hybrid


def race(table: TableView) -> list[str]:
    """The numbers in force now (M74)."""
    view, numbers = table.view, table.view.numbers
    facts = [_("end at {n}").format(n=numbers.end_cities)]
    if view.step == 1:
        facts.insert(0, _("Step 2 at {n} cities").format(n=numbers.step2_cities))
    facts[0] += f" ({_leaders(table)})"
    facts.append(ngettext("{n} house a city", "{n} houses a city", view.step).format(n=view.step))
    facts.append(_("{n} plants each").format(n=numbers.plant_limit))
    facts.append(_refills(view))
    return facts


def _leaders(table: TableView) -> str:
    players = table.view.players
    most = max(len(player.cities) for player in players)
    names = [table.names[p.seat] for p in players if len(p.cities) == most]
    if not most:
        return _("nobody has one")
    if len(names) > LEADERS_NAMED:
        return _("most now {n}").format(n=most)
    return _("{names} {n}").format(names=wording.both(names), n=most)


def _refills(view: PlayerView) -> str:
    """The row of this Step and of the next: coal, oil, garbage, uranium."""
    rows = {
        step: "/".join(map(str, view.ruleset.refill(len(view.players), step).counts()))
        for step in (1, 2, 3)
    }
    if view.step == 3:
        return _("refill {now}").format(now=rows[3])
    text = _("refill now {now}, in Step {step} {later}")
    return text.format(now=rows[view.step], step=view.step + 1, later=rows[view.step + 1])


def leaving(view: PlayerView) -> str:
    """Which plant the end of the round takes away, as the market lies now (R10.5)."""
    rules = view.ruleset
    if view.phase is Phase.FINISHED:
        return ""
    if view.step == 3:
        cards = view.market.cards if rules.step3_rotation == "box_lowest" else ()
        text = _("{plant} leaves the game at the end of the round.")
        return text.format(plant=min(cards)) if cards else ""
    plants = [card for card in view.market.future if card != STEP_3_CARD]
    if not plants:
        return ""
    text = _("{plant} goes under the stack at the end of the round.")
    if rules.rotation != "largest_under_stack":
        text = _("{plant} goes under the stack at the end of the round, unless outgrown ones go.")
    return text.format(plant=max(plants))
