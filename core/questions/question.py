"""The base of all questions: what a seat is asked, and every way to say its answer.

The fields of a form, its draft, and a form sent back after a refusal are the same mapping of
names to lists of values. A form becomes one line of notation (ADR 13); whether that is legal the
rules decide later, as they do for a mail.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from core.game import notation
from core.game.events import Event
from core.game.moves import Move
from core.game.observe import PlayerView
from core.game.offers import Offer
from core.text import _

AnOffer = TypeVar("AnOffer", bound=Offer)
Fields = Mapping[str, list[str]]
Choice = dict[str, str]
"""One option of a select: its `value` and its `text`."""


class Unfilled(ValueError):
    """A field that a move needs is empty or no number; says which, to the player."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line of text that is legal now, and a `note` on its price and effect."""

    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Card:
    """The your-move card: a heading such as "Buy fuel", and what is asked in a few sentences."""

    heading: str
    text: str


class Question(ABC):
    """What the viewer's seat is asked."""

    def __init__(self, view: PlayerView) -> None:
        """Ask the seat of `view`. Raises ValueError for a spectator's."""
        self.view, self.rules, self.me = view, view.ruleset, view.viewer

    @abstractmethod
    def card(self, names: Sequence[str]) -> Card:
        """Return the card, which comes first in a mail; `names` of the players, by seat."""

    @abstractmethod
    def commands(self) -> tuple[Command, ...]:
        """Return complete lines that can be sent now: a useful choice, not all that is legal."""


class MoveQuestion(Question, Generic[AnOffer]):
    """A question that is answered with one move, chosen from `offer`."""

    template: ClassVar[str]
    """The form is ``turn/<template>.html``; it shows `rows` and whatever else it needs."""
    fields: ClassVar[tuple[str, ...]] = ("choice",)
    """Names of the form's fields, which a draft keeps."""

    def __init__(self, view: PlayerView, offer: AnOffer) -> None:
        """Ask the seat of `view` to choose from `offer`."""
        super().__init__(view)
        self.offer = offer

    @property
    @abstractmethod
    def doing(self) -> str:
        """What the turn is about, for a subject: ``buying fuel``."""

    @property
    @abstractmethod
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The choices of the form, each with its price; a `line` is the whole move."""

    @property
    def silence(self) -> str:
        """The line of the move that is made without an answer."""
        return notation.text(self.offer.default, self.rules)

    def line(self, fields: Fields) -> str:
        """Return the one line of notation that a filled form stands for. Raises Unfilled.

        A line that was typed, or chosen as a whole, goes first and is taken as it is.
        """
        for name in ("quick", "line", "choice"):
            if given := one(fields, name).strip():
                return given
        try:
            return notation.text(self.move(fields), self.rules)
        except KeyError as unknown:
            text = _("There is no city {name} on this map.").format(name=unknown)
            raise Unfilled(text) from None

    def move(self, fields: Fields) -> Move:
        """Return the move that the form's own fields say. Raises Unfilled, KeyError."""
        raise Unfilled(_("Choose one of the lines first."))

    def carried(self, earlier: Fields) -> Fields:
        """Return what the draft of an earlier question says of this one."""
        return {}

    def tell(self, event: Event, move: Move) -> str:
        """Return what the log must keep to itself of a move's event; empty if it tells all."""
        return ""

    def stakes(self, after: PlayerView, move: Move) -> list[str]:
        """Return what the move may lead to, beside what it does at once."""
        return []

    def command(self, move: Move, note: str) -> Command:
        """Return a move as its line."""
        return Command(notation.text(move, self.rules), note)


def one(fields: Fields, name: str) -> str:
    """Return the value of a field that has one; empty if it is missing."""
    return (fields.get(name) or [""])[0]


def number(fields: Fields, name: str, otherwise: int | None = None) -> int:
    """Return an amount of Elektro or tokens; `otherwise` for an empty field. Raises Unfilled."""
    text = one(fields, name).strip()
    if not text and otherwise is not None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise Unfilled(_("Give an amount of Elektro as a whole number."))
    return int(text)
