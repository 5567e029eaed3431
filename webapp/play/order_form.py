"""What an order form says, as lines of `core.orders.notation`: the same words as in a mail.

A form is an envelope: limits, a sheet for the auction, fuel, building and powering, each only
where something is filled in; and lines that were typed.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session

from core.game import notation
from core.game.errors import InvalidMove
from core.game.observe import PlayerView
from core.game.offers import PurchaseOffer
from core.game.types import STEP_3_CARD, PlantNumber, Seat
from core.mail.commands import GiveOrder, read_command
from core.orders.notation import Said, parse
from core.table.record import gamelog, standing_orders
from core.table.record.errors import TableError
from core.table.record.order_runner import then_build
from core.tableview import TableView
from webapp.errors import Refused

Fields = Mapping[str, list[str]]
WISHES: Final = 4
"""Plants that the form's sheet has room for; a typed line has more."""


def order_lines(fields: Fields, view: PlayerView) -> list[str]:
    """All lines that a filled form stands for, in the order of the round."""
    every = " every round" if _one(fields, "every") else ""
    kinds = (_auction(fields), _fuel(fields), _build(fields), _power(fields))
    typed = map(_typed, _one(fields, "lines").splitlines())
    written = (*_limits(fields, view), *(f"{line}{every}" for line in kinds if line), *typed)
    return [line for line in written if line]


def _typed(line: str) -> str:
    """A line as the same line of a mail is read; empty where there is nothing but a comment."""
    command = read_command(line)
    return command.text if isinstance(command, GiveOrder) else line.strip() if command else ""


def then(fields: Fields, before: PlayerView, after: PlayerView) -> Said | None:
    """The building turn that is given with a purchase: an order at the prices of now.

    `after`: the view with the purchase made. Raises InvalidMove, IllegalMove.
    """
    cities = _one(fields, "then")
    if not cities or not isinstance(before.offer, PurchaseOffer):
        return None
    return then_build(notation.parse(f"build {cities}", before.ruleset), after)


def give_then(session: Session, game_id: int, seat: int, line: str, now: datetime) -> None:
    """Keep the order that was previewed with a purchase; nothing where there was none."""
    if not line:
        return
    game = gamelog.lock(session, game_id)
    state = gamelog.load(session, game_id)
    try:
        standing_orders.give(session, game, state, Seat(seat), parse(line, state.ruleset), now)
    except (InvalidMove, TableError) as error:
        raise Refused(str(error)) from error


def form(table: TableView, fields: Fields) -> dict[str, Any]:
    """What the template shows: plants with their limits, own plants, what was filled in."""
    view = table.view
    known = {o.line.split()[1]: o.line.split()[-1] for o in table.orders if o.line[:5] == "limit"}
    plants = [
        {
            "plant": view.ruleset.plant[number],
            "name": f"limit-{number}",
            "most": _one(fields, f"limit-{number}") if fields else known.get(str(number), ""),
            "future": number in view.market.future,
        }
        for number in on_show(view)
    ]
    mine = view.me.plants if view.me else ()
    return {"plants": plants, "mine": mine, "wishes": range(1, WISHES + 1), "known": known}


def on_show(view: PlayerView) -> list[PlantNumber]:
    """The plants of both markets."""
    return [number for number in view.market.cards if number != STEP_3_CARD]


def _limits(fields: Fields, view: PlayerView) -> list[str]:
    """A limit for each number given; one that was known and is emptied is taken back."""
    found = []
    for number in on_show(view):
        most, before = _one(fields, f"limit-{number}"), _one(fields, f"was-{number}")
        if most and most != before:
            found.append(f"limit {number} to {most}")
        elif before and not most:
            found.append(f"limit {number} off")
    return found


def _auction(fields: Fields) -> str:
    if _one(fields, "auction") == "pass":
        return _clauses("order auction nothing", fields, "auction", ())
    given = ((_one(fields, f"wish-{n}"), _one(fields, f"most-{n}")) for n in range(1, WISHES + 1))
    others = _one(fields, "auction-others")
    wishes = [f"{plant} to {most or plant}" for plant, most in given if plant]
    wishes += [f"others to {others}"] if others else []
    if not wishes or _one(fields, "auction") != "wishes":
        return ""
    said = ", ".join(wishes)
    return _clauses(f"order auction {said}", fields, "auction", ("keep", "discard"))


def _fuel(fields: Fields) -> str:
    how = _one(fields, "fuel")
    if how == "nothing":
        return "order fuel nothing"
    if how not in ("once", "twice"):
        return ""
    plants = " ".join(fields.get("fuel-plant", ())) or "all"
    line = f"order fuel {plants}" + (" twice" if how == "twice" else "")
    return _clauses(line, fields, "fuel", ("at most {} each", "at most {} in all", "keep"))


def _build(fields: Fields) -> str:
    how, cities = _one(fields, "build"), _one(fields, "cities")
    if how == "nothing":
        return "order build nothing"
    if how != "cities" or not cities:
        return ""
    line = _clauses(
        f"order build {cities}", fields, "build", ("at most {} each", "at most {} in all", "keep")
    )
    stop = _one(fields, "build-stop")
    parts = (line, f"stop at {stop}" if stop else "", *fields.get("build-how", ()))
    return " ".join(part for part in parts if part)


def _power(fields: Fields) -> str:
    how, plants = _one(fields, "power"), " ".join(fields.get("power-plant", ()))
    if how in ("all", "nothing"):
        return f"order power {how}"
    return f"order power {plants}" if how == "these" and plants else ""


_NAMES: Final = {"at most {} each": "each", "at most {} in all": "total"}


def _clauses(line: str, fields: Fields, kind: str, forms: tuple[str, ...]) -> str:
    """The line with the conditions that have a number: ``fuel-each``, ``build-keep``."""
    said = [line]
    for words in forms:
        value = _one(fields, f"{kind}-{_NAMES.get(words, words)}")
        if value:
            said.append(words.format(value) if "{}" in words else f"{words} {value}")
    return " ".join(said)


def _one(fields: Fields, name: str) -> str:
    return (fields.get(name) or [""])[0].strip()
