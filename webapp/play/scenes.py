"""A table's position as a scene for the board: now, with a preview, or in the replay."""

from collections.abc import Iterable

from core.drawing.from_view import scene
from core.drawing.layout import layout
from core.drawing.scene import Scene
from core.game.events import CityConnected, Event
from core.game.types import CityId
from core.tableview import TableView


def now(table: TableView, previewed: Iterable[Event] = ()) -> Scene:
    """The present board: what the reader may build, and his previewed houses dashed."""
    built = [event for event in previewed if isinstance(event, CityConnected)]
    return scene(
        table.view,
        table.seats,
        planned=[event.city for event in built],
        paths=[event.path for event in built],
    )


def past(table: TableView, changed: Iterable[Event], ringed: Iterable[CityId]) -> Scene:
    """A board of the replay: cities that the last events changed ringed, their ways drawn."""
    built = [event for event in changed if isinstance(event, CityConnected)]
    return scene(
        table.view,
        table.seats,
        ringed=list(ringed),
        paths=[event.path for event in built],
    )


def tall(picture: Scene) -> bool:
    """Is the sheet higher than wide?"""
    sheet = layout(picture.board).sheet
    return sheet.bottom - sheet.top > sheet.right - sheet.left
