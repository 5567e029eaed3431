"""The rulebook's rounds: turn order and auctions (R7, R17.3)."""

from core.game.rulebook.model import Chapter, Rule, Told, rule
from core.text import _


def order(told: Told) -> Chapter:
    """What a round is, and who comes first in it."""
    tie = {
        "highest_plant": _("A tie goes to the one with the highest plant."),
        "plant_count": _("A tie goes to the one with more plants, then to the highest plant."),
    }[told.rules.order_tiebreak]
    again = {
        True: _("In round 1 the order is made anew after the auctions, by the plants bought."),
        False: _("The order drawn for round 1 stands for the whole round."),
    }[told.rules.reorder_after_first_auction]
    end = {
        "pay_fuel_plants": _("plants run and are paid, fuel comes, the plant market moves on"),
        "pay_plants_fuel": _("plants run and are paid, the plant market moves on, fuel comes"),
    }[told.rules.phase5_order]
    return Chapter(
        _("A round, and turn order (phase 1)"),
        (
            rule(
                "R7.1",
                _(
                    "A round has five phases: turn order, auctions, buying fuel, building, and "
                    "bureaucracy ({end})."
                ).format(end=end),
            ),
            rule("R7.2", _("Who has most cities is first."), tie),
            rule("R7.9", again),
        ),
    )


def auctions(told: Told) -> Chapter:
    """Phase 2."""
    rules = told.rules
    no_sale = {
        True: _(
            "When nobody has bought a plant, the smallest one leaves the game and is replaced."
        ),
        False: _("When nobody has bought a plant, none leaves the game for that."),
    }[rules.no_sale_boxes_lowest]
    first = {
        True: _("In round 1 everybody buys a plant: who has to open may not pass."),
        False: _("Passing is allowed in round 1, too."),
    }[rules.first_round_must_buy]
    return Chapter(
        _("Auctions (phase 2)"),
        (
            rule(
                "R7.3",
                _("In turn order, a player puts up a plant of the actual market, or passes."),
                _("Who passes here is out for the phase: he puts nothing up and bids no more."),
                _("The lowest bid is the plant's number."),
            ),
            rule(
                "R7.4",
                _("Nobody buys more than one plant a round."),
                _("If somebody else wins, the same player may put up another plant."),
            ),
            _bidding(told),
            rule("R7.8", first),
            rule("R7.10", no_sale),
            *_too_many(told),
            *_token(told),
        ),
    )


def _bidding(told: Told) -> Rule:
    way = {
        "clockwise": _("Bids go round clockwise, by seat."),
        "turn_order": _("Bids go round in turn order."),
    }[told.rules.bid_direction]
    if told.rules.auction == "open":
        sentences = (
            _("Each raises by 1 Elektro or more, or passes and is out of this auction only."),
            _("The last one left pays his bid."),
        )
    else:
        sentences = (
            _("Everybody gives a secret maximum at once, or passes."),
            _(
                "Then the bids are made for them, each time 1 Elektro more, as far as the maxima "
                "go: the winner pays no more than it takes."
            ),
        )
    return rule("R7.5", *sentences, way, _("Nobody bids more than he has."))


def _too_many(told: Told) -> tuple[Rule, ...]:
    which = {
        "old_only": _("Who has more gives up one of those he had before."),
        "any": _("Who has more gives up any of them, the new one included."),
    }[told.rules.discard_choice]
    fuel = {
        "may": _("Its fuel may move to plants that have room; what finds none is lost."),
        "must": _("Its fuel must move to plants that have room; what finds none is lost."),
    }[told.rules.discard_fuel_move]
    return (
        rule("R7.11", _("One may own {n} plants.").format(n=told.of("plant_limit")), which),
        rule("R7.12", fuel, _("Where that is a choice, the owner makes it.")),
    )


def _token(told: Told) -> tuple[Rule, ...]:
    if not told.rules.discount_token:
        return ()
    return (
        rule(
            "R17.3",
            _("When the auctions begin, a token lies on the smallest plant."),
            _("With the token its lowest bid is 1 Elektro."),
            _("When that plant is put up, the token is gone for the round."),
            _("If a smaller plant is drawn, that plant and the token go, and another is drawn."),
            _("If the token still lies there in the end, its plant leaves and is replaced."),
        ),
    )
