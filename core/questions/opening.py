"""Which plant is put up for auction, and for how much (R7.3)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.game.moves import Move, OpenAuction, Pass
from core.game.narrate import wording
from core.game.offers import OpeningOffer
from core.game.rules.knobs import Plant
from core.game.types import Elektro, PlantNumber
from core.lists import both
from core.questions.bidding import BiddingQuestion
from core.questions.question import Card, Choice, Command, Fields, Unfilled, number, one
from core.text import _, ngettext

_SECRET_RAISES: Final = (0, 5, 10)


class OpeningQuestion(BiddingQuestion[OpeningOffer]):
    """Put up a plant, or pass for this round."""

    template = "opening"

    @property
    def doing(self) -> str:
        return _("opening an auction")

    def card(self, names: Sequence[str]) -> Card:
        return Card(_("Put a plant up for auction"), self._asks())

    def _asks(self) -> str:
        offer = self.offer
        if not offer.plants:
            text = _("You have {money} Elektro, too little for any plant: you can only pass.")
            return text.format(money=offer.maximum)
        plants = both(str(p.plant) for p in offer.plants)
        can = ngettext(
            "Plant {plants} can be bought.", "Plants {plants} can be bought.", len(offer.plants)
        )
        text = _("You have {money} Elektro: bid {least} to {money}.")
        if offer.sealed:
            text = _(
                "You have {money} Elektro: name the plant and, in secret, the most you would pay "
                "for it, {least} to {money}. You pay no more than it takes to win."
            )
        choice = (
            _("Or pass: then you buy no plant this round.")
            if offer.may_pass
            else _("In this round everybody must buy a plant.")
        )
        text = text.format(money=offer.maximum, least=self.least)
        return f"{can.format(plants=plants)} {text} {choice}"

    def commands(self) -> tuple[Command, ...]:
        """Return every plant at its lowest bid, if sealed also at higher maxima; and to pass."""
        lines = []
        for plant in self.offer.plants:
            use = wording.plant_use(self.rules.plant[plant.plant])
            for more in _SECRET_RAISES if self.offer.sealed else (0,):
                bid = Elektro(plant.minimum + more)
                if bid <= self.offer.maximum:
                    note = _("{use}; {left}").format(use=use, left=self.left(bid))
                    lines.append(self.command(OpenAuction(plant.plant, bid), note))
        if self.offer.may_pass:
            lines.append(self.command(Pass(), _("no plant for you in this round")))
        return tuple(lines)

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"plant": plant, "minimum": offered.minimum, "power": self.powers(plant)}
            for offered, plant in zip(self.offer.plants, self.candidates, strict=True)
        ]

    @property
    def least(self) -> int:
        """The lowest bid of all plants; 0 if none can be bought."""
        return min((plant.minimum for plant in self.offer.plants), default=0)

    @property
    def candidates(self) -> Sequence[Plant]:
        return [self.rules.plant[plant.plant] for plant in self.offer.plants]

    @property
    def drops(self) -> Sequence[Choice]:
        return [{"value": str(p.number), "text": str(p.number)} for p in self.surplus]

    def move(self, fields: Fields) -> Move:
        plant = one(fields, "plant")
        if plant == "pass":
            return Pass()
        lowest = {str(p.plant): p.minimum for p in self.offer.plants}
        if plant not in lowest:
            raise Unfilled(_("Choose a plant, or pass."))
        amount = number(fields, "amount", otherwise=lowest[plant])
        return OpenAuction(PlantNumber(int(plant)), Elektro(amount))

    def bid(self, move: Move) -> tuple[PlantNumber, Elektro | None]:
        match move:
            case OpenAuction(plant, bid):
                return plant, bid
        return PlantNumber(0), None
