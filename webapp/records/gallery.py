"""The gallery of games that are over."""

from collections.abc import Collection

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from core.game.rules import catalog
from core.game.rules.check import PLAYERS
from core.store.tables import Result
from core.table.people import gallery
from core.table.people.gallery import Wanted
from core.text import _, ngettext
from webapp import web
from webapp.forms import whole

pages = Blueprint("gallery", __name__)

_POWERED = 1000  # closeness for each city that the winner powered more, see Result


@pages.get("/gallery")
def index() -> ResponseReturnValue:
    """Return games by what one looks for, a page at a time; the address says it all."""
    wanted = _wanted()
    before = request.args.get("before", "")
    with web.reading() as s:
        page = gallery.page(s, wanted, whole(before) or 0)
    asked = {key: value for key in Wanted.__slots__ if (value := getattr(wanted, key))}
    return render_template(
        "gallery/index.html",
        page=page,
        wanted=wanted,
        asked=asked,
        later=bool(before),
        choices=_choices(),
        margin=margin,
    )


def margin(result: Result) -> str:
    """Return how far the winner was ahead, in words; empty where nobody is known to have won."""
    if result.closeness is None:
        return ""
    cities, elektro = divmod(result.closeness, _POWERED)
    if cities:
        text = ngettext("won by {n} city powered", "won by {n} cities powered", cities)
        return text.format(n=cities)
    if elektro:
        return _("won by {n} Elektro").format(n=elektro)
    return _("won by a tie-break, or shared")


def _wanted() -> Wanted:
    """Return what the address asks for; what there is not asks for nothing."""
    players = _known("players", [str(n) for n in PLAYERS])
    return Wanted(
        map=_known("map", [info.key for info in catalog.maps()]),
        variant=_known("variant", [info.key for info in catalog.variants()]),
        players=int(players) if players else 0,
        length=_known("length", gallery.LENGTHS),
        close=_known("close", gallery.CLOSE),
        rated=_known("rated", ("yes", "no")),
    )


def _known(key: str, values: Collection[str]) -> str:
    value = request.args.get(key, "")
    return value if value in values else ""


def _choices() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the fields of the form: name, label, and the values with what they are called."""
    short, middle = gallery.LENGTHS["short"], gallery.LENGTHS["middle"]
    return [
        ("map", _("Map"), [(info.key, _(info.name)) for info in catalog.maps()]),
        ("players", _("Players"), [(str(n), str(n)) for n in PLAYERS]),
        ("variant", _("Rules"), [(info.key, _(info.name)) for info in catalog.variants()]),
        ("length", _("Length"), [
            ("short", _("up to {n} rounds").format(n=short[-1])),
            ("middle", _("{a} to {b} rounds").format(a=middle[0], b=middle[-1])),
            ("long", _("more than {n} rounds").format(n=middle[-1])),
        ]),
        ("close", _("Decided by"), [
            ("photo", _("5 Elektro or less")),
            ("close", _("Elektro, not by cities")),
        ]),
        ("rated", _("Rating"), [("yes", _("rated")), ("no", _("not rated"))]),
    ]  # fmt: skip
