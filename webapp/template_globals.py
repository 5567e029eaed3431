"""Small drawings and names for the templates."""

from flask import Flask
from markupsafe import Markup

from core.drawing.board import house
from core.drawing.cards import card, fuel_icon, plant_card
from core.drawing.scene import Mark
from core.game.narrate.wording import fuel_name, plant_use
from core.game.rules import catalog
from core.game.rules.knobs import Plant, Ruleset
from core.game.types import PlantNumber, Resource
from core.lists import sentences, series
from core.table.views.terms import stakes, times
from core.tableview import SeatSeen
from core.text import _, ngettext

# core.drawing writes nothing into a picture that it has not escaped


def init_app(app: Flask) -> None:
    """Give the templates their pieces."""
    app.jinja_env.globals.update(
        seat_mark=seat_mark,
        icon=icon,
        card=card_of_plant,
        card_of=card_of,
        fuel_word=lambda key: fuel_name(Resource(key)),
        fuel_keys=[resource.value for resource in Resource],
        plant_words=plant_use,
        map_name=map_name,
        variant_name=variant_name,
        span=span,
        times=times,
        stakes=stakes,
    )
    app.jinja_env.filters.update(series=series, sentences=sentences)


def seat_mark(seat: SeatSeen) -> Markup:
    """Return a seat's house: its colour, shape and letter."""
    mark = Mark(seat.seat, seat.letter, seat.colour, seat.name)
    frame = '<svg class="map mark" viewBox="-11 -11 22 22" aria-hidden="true">{}</svg>'
    return Markup(frame).format(Markup(house(mark, (0, 0))))  # noqa: S704


def icon(fuel: str) -> Markup:
    """Return a fuel's picture, to stand before its word."""
    return Markup(fuel_icon(fuel))  # noqa: S704


def card_of_plant(plant: Plant) -> Markup:
    """Return a plant's card."""
    return Markup(plant_card(plant))  # noqa: S704


def card_of(number: PlantNumber, rules: Ruleset) -> Markup:
    """Return a card of the market, a plant or the Step 3 card."""
    return Markup(card(number, rules.plant))  # noqa: S704


def map_name(key: str) -> str:
    """Return a map's name; the key itself for a map that is gone."""
    return next((_(one.name) for one in catalog.maps() if one.key == key), key)


def variant_name(key: str) -> str:
    """Return a variant's name; the key itself for a variant that is gone."""
    return next((_(one.name) for one in catalog.variants() if one.key == key), key)


def span(hours: int) -> str:
    """Write hours as people say them: days where they are whole days."""
    if hours % 24 == 0:
        return ngettext("{n} day", "{n} days", hours // 24).format(n=hours // 24)
    return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
