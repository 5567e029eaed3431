"""How much fuel to buy, and which plants to run."""

from core.bots.engineer.outlook import Outlook, Plants
from core.game.moves import BuyResources, Move, PowerPlants, Run
from core.game.offers import PowerChoice, PowerOffer, PurchaseOffer
from core.game.types import Fuel
from core.questions.fuel import Shop, sets_of


def buy(outlook: Outlook, offer: PurchaseOffer) -> Move:
    """Fuel for the set of plants that earns most this round, and more where it is cheap."""
    shop = Shop(outlook.plants, offer)
    best, most = Fuel(), float("-inf")
    for plants in sets_of(outlook.plants):
        income = _income(outlook, plants) - _running_costs(outlook, plants)
        for amounts in shop.missing(plants):
            price = shop.price(amounts)
            if price is not None and income - price > most:
                best, most = amounts, income - price
    return BuyResources(_ahead(outlook, shop, best))


def _running_costs(outlook: Outlook, plants: Plants) -> float:
    """What the burned fuel would have been worth later."""
    return outlook.habits.fuel_kept * sum(outlook.running_cost(plant) for plant in plants)


def _income(outlook: Outlook, plants: Plants) -> float:
    """What running these plants will bring; near the end capacity counts for more."""
    soon = len(outlook.me.cities) + max(1, outlook.purse // outlook.habits.city_price)
    powered = min(soon, outlook.goal, sum(p.cities for p in plants))
    return outlook.view.ruleset.payment[powered] + outlook.final_city * powered


def _ahead(outlook: Outlook, shop: Shop, bought: Fuel) -> Fuel:
    """Single tokens more, cheapest first, while they are cheap and money is left for cities."""
    most = outlook.purse - _building_fund(outlook)
    while outlook.rounds_left > 1:
        now = shop.price(bought) or 0
        more = [
            (price - now, fuel)
            for fuel in shop.costs
            if (price := shop.price(bought + Fuel.of(fuel, 1))) is not None
            and price <= most
            and price - now <= outlook.habits.cheap * outlook.prices[fuel]
        ]
        if not more:
            break
        bought += Fuel.of(min(more)[1], 1)
    return bought


def _building_fund(outlook: Outlook) -> int:
    """Money that is kept for the cities that the plants can power."""
    return outlook.habits.city_price * max(0, outlook.capacity - len(outlook.me.cities))


def run(outlook: Outlook, offer: PowerOffer) -> Move:
    """Run what brings most beyond the fuel that is burned for it."""

    def profit(choice: PowerChoice) -> float:
        return choice.income - outlook.habits.fuel_kept * outlook.fuel_value(choice.burned)

    must = not outlook.view.ruleset.may_underpower
    best = offer.choices[0]
    choices = [c for c in offer.choices if not must or c.powered == best.powered]
    chosen = max(choices, key=profit)
    return PowerPlants(tuple(Run(plant) for plant in chosen.plants))
