"""How much is bid on the plant that is up, in the open or in secret (R7.5)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.game.moves import Bid, Move, Pass
from core.game.narrate import wording
from core.game.offers import BidOffer
from core.game.rules.knobs import Plant
from core.game.types import Elektro, PlantNumber
from core.questions.bidding import BiddingQuestion
from core.questions.question import Card, Choice, Command, Fields, number, one
from core.text import _

_RAISES: Final = (0, 1, 3, 5, 10)
"""Bids above the lowest one that are shown as examples."""
_SECRET_RAISES: Final = (0, 5, 10)
_CHIPS: Final = (0, 5)


class BidQuestion(BiddingQuestion[BidOffer]):
    """Raise the bid, or leave the plant to the others."""

    template = "bid"

    @property
    def doing(self) -> str:
        return _("bidding on plant {number}").format(number=self.offer.plant)

    def card(self, names: Sequence[str]) -> Card:
        offer, auction = self.offer, self.view.auction
        if offer.minimum > offer.maximum:
            text = _(
                "{holder} holds {plant} at {bid}. You have {money} Elektro: you can only pass."
            )
        elif offer.sealed:
            text = _(
                "{holder} put up {plant}. You have {money} Elektro: give, in secret, the most you "
                "would pay, {least} to {money}, or pass for good on this plant. The highest pays "
                "no more than it takes to win."
            )
        else:
            text = _(
                "{holder} holds {plant} at {bid}. You have {money} Elektro: bid {least} to "
                "{money}, or pass for good on this plant."
            )
        plant = _("plant {number} ({use})").format(
            number=offer.plant, use=wording.plant_use(self.plant)
        )
        text = text.format(
            holder=names[auction.leader] if auction else "",
            plant=plant,
            bid=auction.bid if auction else offer.minimum,
            money=offer.maximum,
            least=offer.minimum,
        )
        return Card(_("Bid on plant {number}").format(number=offer.plant), text)

    def commands(self) -> tuple[Command, ...]:
        """Return the lowest bid, some higher ones, and to pass."""
        raises = _SECRET_RAISES if self.offer.sealed else _RAISES
        bids = (Elektro(self.offer.minimum + more) for more in raises)
        lines = [self.command(Bid(b), self.left(b)) for b in bids if b <= self.offer.maximum]
        note = _("leave plant {plant} to the others").format(plant=self.offer.plant)
        return (*lines, self.command(Pass(), note))

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Nothing: an amount is typed, or picked from `chips`."""
        return ()

    @property
    def chips(self) -> Sequence[int]:
        """Amounts to pick: the lowest bid, a higher one, and all money."""
        raised = (self.offer.minimum + step for step in _CHIPS)
        chips = [amount for amount in raised if amount <= self.offer.maximum]
        if chips and self.offer.maximum not in chips:
            chips.append(self.offer.maximum)
        return chips

    @property
    def plant(self) -> Plant:
        """The plant that is up."""
        return self.rules.plant[self.offer.plant]

    @property
    def power(self) -> str:
        """What all plants could power before and with the one that is up."""
        return self.powers(self.plant)

    @property
    def candidates(self) -> Sequence[Plant]:
        return (self.plant,)

    @property
    def drops(self) -> Sequence[Choice]:
        total = sum(p.cities for p in self.surplus) + self.plant.cities
        text = _("{plant}: then {cities}")
        return [
            {
                "value": str(p.number),
                "text": text.format(plant=p.number, cities=wording.cities(total - p.cities)),
            }
            for p in self.surplus
        ]

    def move(self, fields: Fields) -> Move:
        if one(fields, "act") == "pass" or self.offer.forced:
            return Pass()
        return Bid(Elektro(number(fields, "amount")))

    def carried(self, earlier: Fields) -> Fields:
        """Return which plant and fuel go, if they were chosen with a bid on the same plant."""
        drop, lose = one(earlier, "drop"), one(earlier, "lose")
        on = one(earlier, "for") or one(earlier, "plant")
        same = str(self.offer.plant) == on
        return {"drop": [drop], "lose": [lose]} if same and (drop or lose) else {}

    def bid(self, move: Move) -> tuple[PlantNumber, Elektro | None]:
        return self.offer.plant, move.amount if isinstance(move, Bid) else None
