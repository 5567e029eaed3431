"""The rules in words: a short help, a page for each preset and each table; a table's log."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Flask, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.game.errors import RulesError
from core.game.rulebook import RULE_OF, Chapter, rulebook, special_rules
from core.game.rules import catalog, knobs
from core.game.rules.check import PLAYERS
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load
from core.store.tables import Game
from core.table.acts import lobby
from core.table.people import archive
from core.table.record import gamelog
from core.text import _
from webapp import web
from webapp.access import look
from webapp.errors import refusals

pages = Blueprint("rules", __name__)


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook to show.

    `news`: numbers of the rules that the printed edition has otherwise. `special`: what is peculiar
    to the map.
    """

    chapters: tuple[Chapter, ...]
    news: frozenset[str]
    special: tuple[str, ...]


def init_app(app: Flask) -> None:
    """Let templates find the rule behind a refusal's code."""
    app.jinja_env.globals.update(rule_of=lambda code: RULE_OF.get(code, ""))


@pages.get("/help/rules")
def help() -> ResponseReturnValue:
    """Show how a round goes and what to write in each phase."""
    return render_template("rules/help.html")


@pages.get("/rules")
def index() -> ResponseReturnValue:
    """Redirect to the rules from which all others differ."""
    return redirect(url_for("rules.preset", variant=catalog.STANDARD))


@pages.get("/rules/<variant>")
def preset(variant: str) -> ResponseReturnValue:
    """Show a preset, on any map and for any number of players (``?map=…&players=…``)."""
    board = request.args.get("map") or catalog.maps()[0].key
    try:
        rules = load(board, variant)
    except RulesError as error:
        raise NotFound from error
    players = _players(request.args)
    return render_template(
        "rules/preset.html",
        book=book(rules, players),
        rules=rules,
        players=players,
        about=next(_(v.description) for v in catalog.variants() if v.key == variant),
        sentences=catalog.sentences(variant),
        played=lambda key: knobs.written(_value(rules, key)),
        variants=catalog.variants(),
        maps=catalog.maps(),
        counts=list(PLAYERS),
    )


@pages.get("/games/<int:game_id>/rules")
def table(game_id: int) -> ResponseReturnValue:
    """Show by which rules this table plays, with its numbers."""
    with web.reading() as s, refusals():
        game = look(s, game_id).game
        rules = _rules_of(s, game)
    return render_template(
        "rules/table.html",
        book=book(rules, game.players),
        rules=rules,
        game=game,
    )


@pages.get("/games/<int:game_id>/log.jsonl")
def log(game_id: int) -> ResponseReturnValue:
    """Return the log as a file for ``kraftpost verify``; while the game runs, without secrets."""
    with web.reading() as s, refusals():
        text = "".join(archive.export(s, look(s, game_id).game))
    name = f"attachment; filename=kraftpost-{game_id}.jsonl"
    headers = {"Content-Disposition": name}
    return Response(text, mimetype="application/jsonl", headers=headers)


def book(rules: Ruleset, players: int | None) -> Book:
    """Return the rulebook, compared with that of the printed rules on the same map."""
    chapters = rulebook(rules, players)
    told = _numbered(chapters)
    printed = _numbered(rulebook(load(rules.map.key), players)) if _stored(rules) else told
    news = frozenset(n for n, text in told.items() if printed.get(n) != text)
    return Book(chapters, news, special_rules(rules, players))


def _value(rules: Ruleset, key: str) -> object:
    """Return what a knob is set to; of a fuel, where its market begins (B1)."""
    value = getattr(rules, key)
    return getattr(value, knobs.START_FROM, value)


def _stored(rules: Ruleset) -> bool:
    """Tell whether the map of these rules is on file; that of an old game may be gone."""
    return rules.map.key in {info.key for info in catalog.maps()}


def _numbered(chapters: tuple[Chapter, ...]) -> Mapping[str, Any]:
    return {rule.number: rule for chapter in chapters for rule in chapter.rules}


def _rules_of(session: Session, game: Game) -> Ruleset:
    """Return the rules that the game carries, once it has begun."""
    return gamelog.load(session, game.id).ruleset if game.seq else lobby.ruleset(game)


def _players(given: Mapping[str, str]) -> int | None:
    wanted = given.get("players", "")
    return next((n for n in PLAYERS if str(n) == wanted), None)
