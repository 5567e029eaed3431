"""M71: where one move is legal, nobody is asked."""

import pytest

from core.game.moves import (
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    OpenAuction,
    Pass,
    PowerAll,
)
from core.game.offers import (
    BidOffer,
    BuildOffer,
    BuildTarget,
    DiscardChoice,
    DiscardOffer,
    FuelOffer,
    OpeningOffer,
    PlantOffer,
    PowerChoice,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.game.types import Fuel, Resource
from core.store.tables import Turn

NOTHING = PowerChoice((), Fuel(), 0, 10)
SOME = PowerChoice((4,), Fuel(coal=2), 1, 22)
PLANT = PlantOffer(13, 13)
CITY = BuildTarget("essen", 10, 0, ("essen",))


@pytest.mark.parametrize(("offer", "move"), [
    (RegionOffer(("north",)), ChooseRegion("north")),
    (RegionOffer(("north", "south")), None),
    (OpeningOffer((), 3, True, False), Pass()),
    (OpeningOffer((PLANT,), 20, True, False), None),
    (OpeningOffer((PLANT,), 13, False, False), OpenAuction(13, 13)),
    (OpeningOffer((PLANT,), 14, False, False), None),
    (OpeningOffer((PLANT, PlantOffer(14, 14)), 14, False, False), None),
    (BidOffer(13, 16, 15, False), Pass()),
    (BidOffer(13, 15, 15, True), None),
    (DiscardOffer((DiscardChoice(4, (Fuel(),)),)), DiscardPlant(4)),
    (DiscardOffer((DiscardChoice(4, (Fuel(coal=1), Fuel(oil=1))),)), None),
    (DiscardOffer((DiscardChoice(4, ()), DiscardChoice(5, ()))), None),
    (PurchaseOffer((), 50, Fuel(), 0), BuyResources(Fuel())),
    (PurchaseOffer((FuelOffer(Resource.COAL, (1,)),), 50, Fuel(), 0), None),
    (BuildOffer((), 9), BuildCities(())),
    (BuildOffer((CITY,), 10), None),
    (PowerOffer((NOTHING,)), PowerAll()),
    (PowerOffer((SOME, NOTHING)), None),
])  # fmt: skip
def test_m71_only_a_single_legal_move_is_played(offer, move):
    assert (offer.default if offer.forced else None) == move


def test_m71_a_forced_move_is_logged_and_mailed_to_nobody(house):
    """Who can pay for nothing is not asked to build."""
    options = {"starting_elektro": 45}
    game = house.start("Anna", "Ben", "Clara", options=options, auction="open")
    house.play(game)
    forced = house.all(Turn, game_id=game, closed_by="forced")
    assert forced
    asked = {(m.seat, m.turn) for m in house.mails(kind="turn")}
    assert not asked & {(t.seat, t.turn) for t in forced}
    house.log_is_whole(game)


def test_m71_nobody_is_asked_where_only_one_move_was_legal(house):
    from core.game import engine

    game = house.start("Anna", "Ben", "Clara")
    while house.game(game).status == "running":
        state = house.state(game)
        for turn in house.asked(game):
            assert not engine.options(state, turn.seat).forced
        house.play(game, moves=1)
