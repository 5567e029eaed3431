"""What a form is filled in with: the draft of this turn, or what an earlier bid said of later."""

from sqlmodel import Session

from core.game import notation
from core.game.moves import DiscardPlant
from core.game.observe import PlayerView
from core.game.offers import BidOffer, DiscardOffer
from core.store.tables import Draft
from core.tableview import TableView
from webapp.play import giveup
from webapp.play.moves import Fields


def given(session: Session, table: TableView, turn: int) -> Fields:
    """The fields of the reader's open turn."""
    row = session.get(Draft, (table.game_id, table.view.seat))
    if row is None:
        return {}
    return row.fields if row.turn == turn else carried(row.fields, table.view)


def carried(fields: Fields, view: PlayerView) -> Fields:
    """Which plant and fuel go, chosen with a bid, for the next bid on it and for the discard."""
    drop, lose, plant = (
        _first(fields, "drop"),
        _first(fields, "lose"),
        _first(fields, "for") or _first(fields, "plant"),
    )
    match view.offer:
        case BidOffer(plant=number) if (drop or lose) and str(number) == plant:
            return {"drop": [drop], "lose": [lose]}
        case DiscardOffer(choices=choices) if view.me and str(view.me.plants[-1]) == plant:
            lines = [
                notation.text(
                    DiscardPlant(one.plant, giveup.kept(one, view.me.fuel, lose)), view.ruleset
                )
                for one in choices
                if str(one.plant) == drop
            ]
            return {"choice": lines} if lines else {}
    return {}


def _first(fields: Fields, name: str) -> str:
    return (fields.get(name) or [""])[0]
