"""A turn's form and the preview of its move, as the templates of ``turn/`` show them.

Templates compute nothing: every choice and price is the question's.
"""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core import questions
from core.game.events import Event
from core.game.narrate import wording
from core.game.narrate.lines import Narrator
from core.game.observe import PlayerView
from core.game.phases.player_order import turn_order
from core.game.prices import runnable
from core.game.rules.knobs import Plant
from core.orders.model import LimitOff
from core.orders.notation import Said
from core.orders.notation import text as order_text
from core.orders.words import sentence
from core.questions.question import Fields, MoveQuestion, one
from core.store.tables import Draft
from core.table.play import submissions
from core.tableview import TableView
from core.text import _


@dataclass(frozen=True, slots=True)
class TurnForm:
    """The form of a question, with what was filled in before, and what is `wrong` with it."""

    question: MoveQuestion[Any]
    fields: Fields
    wrong: str = ""

    def one(self, name: str, otherwise: object = "") -> str:
        """Return the value of a text field or a select."""
        return one(self.fields, name) if self.fields.get(name) else str(otherwise)

    def has(self, name: str, value: str) -> bool:
        """Return True if this box is ticked."""
        return value in self.fields.get(name, [])

    def chosen(self, name: str, value: str, otherwise: bool) -> bool:
        """Return True if this radio button is on; `otherwise`: it is the one to begin with."""
        return self.has(name, value) if self.fields.get(name) else otherwise


def given(session: Session, table: TableView, turn: int) -> Fields:
    """Return the draft of the reader's open turn, or what an earlier one says of it."""
    row = session.get(Draft, (table.game_id, table.view.seat))
    if row is None:
        return {}
    if row.turn == turn:
        return row.fields
    question = questions.of(table.view)
    return question.carried(row.fields) if question else {}


@dataclass(frozen=True, slots=True)
class Preview:
    """A move tried out: its line, what it would do in words and sums, the events of it.

    `then`: the order for the building turn that is given with a purchase, if there is one.
    """

    line: str
    nonce: str
    lines: list[str]
    sums: list[str]
    events: tuple[Event, ...]
    then: str = ""

    @classmethod
    def of(
        cls,
        question: MoveQuestion[Any],
        tried: submissions.Preview,
        names: tuple[str, ...],
        then: Said | None = None,
    ) -> "Preview":
        """Say what a dry run of an answer did, compared with the position before it."""
        tell = Narrator(question.rules, names)
        told = (question.tell(event, tried.move) or tell.line(event) for event in tried.events)
        lines = [text for text in told if text]
        sums = _sums(question.view, tried.view, names)
        sums += question.stakes(tried.view, tried.move)
        if then is not None and not isinstance(then.order, LimitOff):
            said = sentence(then.order, question.rules)
            lines.append(_("Then, in the building phase: {order}").format(order=said))
        order = "" if then is None else order_text(then.order, question.rules)
        return cls(tried.line, secrets.token_hex(16), lines, sums, tried.events, order)


def _sums(before: PlayerView, after: PlayerView, names: tuple[str, ...]) -> list[str]:
    """Before → after, for what changes."""
    old, new = before.viewer, after.viewer
    owned, owns = before.plants_of(old.seat), after.plants_of(new.seat)
    ran = runnable(before.ruleset, owned, old.fuel)
    run = runnable(after.ruleset, owns, new.fuel)
    pairs = [
        (_("Elektro {a} → {b}"), old.elektro, new.elektro),
        (_("cities {a} → {b}"), len(old.cities), len(new.cities)),
        (_("plants {a} → {b} cities"), _cities(owned), _cities(owns)),
        (_("fuel for {a} → {b} cities"), _cities(ran), _cities(run)),
    ]
    sums = [text.format(a=a, b=b) for text, a, b in pairs if a != b]
    if before.step == 1 and len(new.cities) >= before.numbers.step2_cities > len(old.cities):
        sums.append(_("starts Step 2"))
    if len(new.cities) >= before.numbers.end_cities > len(old.cities):
        sums.append(_("ends the game after this round"))
    # overtaken in the order of the next round, as things stand (R7.2)
    ahead, still = turn_order(before), turn_order(after)
    behind = still[: still.index(old.seat)]
    passed = [names[seat] for seat in ahead[: ahead.index(old.seat)] if seat not in behind]
    if passed:
        sums.append(_("passes {names} in turn order").format(names=wording.both(passed)))
    return sums


def _cities(plants: tuple[Plant, ...]) -> int:
    return sum(plant.cities for plant in plants)
