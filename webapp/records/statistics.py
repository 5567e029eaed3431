"""Statistics: of one player, of two, of the whole site. Counted when asked, from results alone."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlmodel import Session, select
from werkzeug.exceptions import NotFound

from core.drawing.plots import Line, plots
from core.game.rules import catalog
from core.store.tables import Rating, User
from core.table.people import ratings
from core.table.people.ratings import Strength
from core.table.views import statistics
from core.table.views import statistics as site
from core.text import _
from webapp import web
from webapp.identity import current_user

pages = Blueprint("statistics", __name__)

_PLOTTED: Final = 60
"""The last so many rated games are drawn and listed."""


@pages.get("/statistics")
def overall() -> ResponseReturnValue:
    """Show public games by map, rules, players; who begins well; the strongest players."""
    board, variant = request.args.get("map", ""), request.args.get("variant", "")
    with web.reading() as s:
        return render_template(
            "statistics/overall.html",
            counted=site.overall(s, board, variant),
            board=board,
            variant=variant,
            maps=catalog.maps(),
            variants=catalog.variants(),
            trust=trust,
        )


@pages.get("/players/<int:user_id>")
def player(user_id: int) -> ResponseReturnValue:
    """Return one player."""
    viewer = current_user()
    with web.reading() as s:
        person = _known(s, user_id, viewer)
        history = ratings.history(s, person.id, _PLOTTED)
        return render_template(
            "statistics/player.html",
            person=person,
            record=statistics.record(s, person, viewer),
            strength=Strength.of(history[-1]) if history else None,
            trust=trust,
            history=[(row, Strength.of(row)) for row in history],
            picture=_picture(history, person.name),
        )


@pages.get("/players/<int:user_id>/vs/<int:other_id>")
def versus(user_id: int, other_id: int) -> ResponseReturnValue:
    """Return two players against each other (M76)."""
    if user_id == other_id:
        return redirect(url_for("statistics.player", user_id=user_id))
    viewer = current_user()
    with web.reading() as s:
        one, other = _known(s, user_id, viewer), _known(s, other_id, viewer)
        met = statistics.versus(s, one, other, viewer)
        return render_template("statistics/versus.html", one=one, other=other, met=met)


@pages.get("/players/<name>")
def named(name: str) -> ResponseReturnValue:
    """Show all users with this name; names are not unique."""
    viewer = current_user()
    with web.reading() as s:
        found = s.exec(select(User).where(User.name == name).order_by(User.id)).all()  # type: ignore[arg-type]
        known = [person for person in found if statistics.is_known(s, person, viewer)]
    if not known:
        raise NotFound
    if len(known) == 1:
        return redirect(url_for("statistics.player", user_id=known[0].id))
    return render_template("statistics/named.html", name=name, people=known)


def trust(strength: Strength) -> str:
    """Return how far a rating is to be trusted, in words."""
    return {
        "provisional": _("provisional, from fewer than {n} rated games"),
        "uncertain": _("still uncertain"),
        "rough": _("roughly known"),
        "certain": _("well known"),
    }[strength.certainty].format(n=ratings.PROVISIONAL)


def _known(session: Session, user_id: int, viewer: User | None) -> User:
    """Return a user that the viewer may know of; others look like none at all (404)."""
    person = session.get(User, user_id)
    if person is None or not statistics.is_known(session, person, viewer):
        raise NotFound
    return person


def _picture(history: Sequence[Rating], name: str) -> Markup:
    values: tuple[Any, ...] = tuple(Strength.of(row).points for row in history)
    line = Line(name[:1].upper() or "?", name, "navy", values)
    title = _("Rating of {name}, game by game").format(name=name)
    return Markup(plots(title, [row.games for row in history], [line]))  # noqa: S704 - escaped there
