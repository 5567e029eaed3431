"""What an opening and a later bid have in common: what winning the plant would mean."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from core.game.board.storage import ways_to_keep
from core.game.events import Event, SealedBidGiven
from core.game.moves import Move
from core.game.observe import PlayerView
from core.game.offers import BidOffer, OpeningOffer
from core.game.rules.knobs import Plant
from core.game.types import Elektro, PlantNumber
from core.questions.question import Choice, MoveQuestion
from core.text import _

ABid = TypeVar("ABid", bound=OpeningOffer | BidOffer)


class BiddingQuestion(MoveQuestion[ABid]):
    """A question whose answer may win a plant, and make another one go.

    The form asks which plant and fuel go (`drop`, `lose`) as a draft for the question that comes
    then.
    """

    fields = ("plant", "amount", "act", "drop", "lose", "for")

    @property
    @abstractmethod
    def candidates(self) -> Sequence[Plant]:
        """The plants that can be won."""

    @property
    @abstractmethod
    def drops(self) -> Sequence[Choice]:
        """The plants one of which goes after a win; none while there is room for one more."""

    @abstractmethod
    def bid(self, move: Move) -> tuple[PlantNumber, Elektro | None]:
        """Return the plant that a move bids on, and how much; None if it bids nothing."""

    @property
    def surplus(self) -> tuple[Plant, ...]:
        """The viewer's plants if another one is one too many; a mine never is."""
        mine = self.view.plants_of(self.me.seat)
        counts = any(not plant.mine for plant in self.candidates)
        return mine if counts and len(mine) >= self.view.numbers.plant_limit else ()

    @property
    def losses(self) -> list[Choice]:
        """How much of the fuel that is lost may be coal; none if no candidate leaves a choice.

        Which fuel fits hangs on the plant won and the plant given up, so each value is tokens of
        coal, and oil makes up the rest.
        """
        held = self.me.fuel
        lost: set[int] = set()
        for won in (plant for plant in self.candidates if not plant.mine):
            for gone in self.surplus:
                others = (plant for plant in self.surplus if plant != gone)
                ways = ways_to_keep((*others, won), held)
                if len(ways) > 1:
                    lost |= {held.coal - kept.coal for kept in ways}
        some, none = _("{coal} coal, the rest oil"), _("only oil")
        return [
            {"value": str(coal), "text": some.format(coal=coal) if coal else none}
            for coal in sorted(lost)
        ]

    @property
    def won(self) -> str:
        """A text for {bid} and {left}, which change while the bid is typed."""
        return _("If you win at {bid}: {left} Elektro left.")

    def powers(self, plant: Plant) -> str:
        """Return what all plants could power before and with this one; the weakest makes room."""
        before = sum(p.cities for p in self.view.plants_of(self.me.seat))
        if plant.mine:
            return _("{before} cities as before: a mine").format(before=before)
        after = before + plant.cities - min((p.cities for p in self.surplus), default=0)
        return _("{before} → {after} cities").format(before=before, after=after)

    def left(self, bid: Elektro) -> str:
        """Return what a bid leaves of the money, as a note."""
        left = self.offer.maximum - bid
        if self.offer.sealed:
            return _("your secret maximum; at least {left} left").format(left=left)
        return _("{left} left").format(left=left)

    def tell(self, event: Event, move: Move) -> str:
        """Return what a sealed bid says; the log keeps it to itself until all are in."""
        if not isinstance(event, SealedBidGiven):
            return ""
        plant, bid = self.bid(move)
        if bid is None:
            return _("You leave plant {plant} to the others, for good.").format(plant=plant)
        return _("You would pay up to {most} for plant {plant}.").format(most=bid, plant=plant)

    def stakes(self, after: PlayerView, move: Move) -> list[str]:
        """Return what a bid would leave and power if it wins; nothing if it has won already."""
        plant, bid = self.bid(move)
        purse = self.me.elektro
        if bid is None or purse is None or purse != after.viewer.elektro:
            return []
        text = _("if you win at {bid}: {left} Elektro left")
        if self.offer.sealed:
            text = _("if you win: at least {left} Elektro left")
        change = self.powers(self.rules.plant[plant])
        return [text.format(bid=bid, left=purse - bid), _("plants {change}").format(change=change)]
