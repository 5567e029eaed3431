"""The what-if board: from the present, and from any position of the replay."""

import re
from dataclasses import dataclass
from html import unescape

import pytest

from core.bots import bot
from core.game import engine
from core.game.events import Event, PlantDrawn
from core.game.log.jsonl import log_of
from core.game.narrate.lines import Narrator
from core.game.notation import text
from core.game.observe import observe
from core.game.rules.load import load
from core.game.types import Seat
from core.store.tables import Submission
from core.table.people import archive
from core.table.record.timeline import timeline
from tests.support.site import Site
from webapp.instruments.selfplay import Match

NAMES = ("Ann", "Ben", "Cem")
LINE = re.compile(r'<button name="m" value="(\d+):([^"]+)"')


@dataclass
class Played:
    """A game that is over, and each move of it: after which event, by whom, what came of it."""

    site: Site
    game_id: int
    moves: list[tuple[int, int, str, tuple[Event, ...]]]


@pytest.fixture
def over(site: Site) -> Played:
    rules = load("germany", options={"auction": "open"})
    match, moves = Match(rules, 3, "ab" * 32), []
    while acting := engine.to_act(match.state):
        seat, before = acting[0], len(match.events)
        move = bot("engineer").move(observe(match.state, seat))
        match.play(seat, move)
        moves.append((before, seat, text(move, rules), tuple(match.events[before:])))
    with site.house.write() as s:
        log = log_of(match.events, NAMES)
        game_id = archive.import_log(s, log, site.house.now).id
    return Played(site, game_id, moves)


def offered(page: str) -> set[tuple[str, str]]:
    return {(seat, unescape(line)) for seat, line in LINE.findall(page)}


def test_after_the_game_what_was_played_leads_to_what_happened(over: Played):
    """All cards come as they lay: the true moves make the true events, draws among them."""
    visitor, drawn = over.site.visitor("Eve"), 0
    tell = Narrator(over.site.house.state(over.game_id).ruleset, NAMES)
    for before, seat, line, events in over.moves[::7]:
        tried = {"at": before, "m": f"{seat}:{line}"}
        page = visitor.get(f"/games/{over.game_id}/whatif", query_string=tried).text
        assert f"from event {before}" in page
        assert "as they really lay" in page
        drawn += any(isinstance(event, PlantDrawn) for event in events)
        told = unescape(page[page.index('class="tried"') :])
        for event in events:
            assert (tell.line(event) or "") in told
    assert drawn > 2


def test_it_begins_where_somebody_had_to_decide(over: Played):
    with over.site.house.read() as s:
        shown = timeline(s, over.site.house.game(over.game_id))
    turns = [before for before, *_rest in over.moves]
    last = len(shown.entries)
    for n in range(1, last):
        found = shown.asked_at(n)
        assert engine.to_act(shown.states[found - 1])
        assert found >= max((turn for turn in turns if turn <= n), default=1)
        assert found <= max(n, min(turns))
    page = over.site.visitor("Eve").page(f"/games/{over.game_id}/whatif?at={last}")
    assert "Here the game was over" in page


def test_while_the_game_runs_a_player_tries_with_what_he_saw(site: Site):
    """The position of then, its unseen cards mixed and others' money made up."""
    game_id = site.house.played("Ann", "Ben", "Cem", auction="open", moves=20)
    length = site.house.game(game_id).seq
    sent = site.house.all(Submission, game_id=game_id)[12]
    visitor, at = site.at(game_id, 0), f"/games/{game_id}/whatif?at={sent.turn}"
    page = visitor.page(at)
    assert "unseen cards are mixed anew" in page
    state = site.house.state(game_id, sent.turn)
    (asked,) = engine.to_act(state)
    assert {seat for seat, _line in offered(page)} == {str(asked)}
    view = observe(state, Seat(0))
    assert f"Round {view.round}" in page
    assert f'name="at" value="{sent.turn}"' in page
    tried = visitor.page(f"{at}&m={sent.seat}:{sent.text}")
    assert "Take back last" in tried
    assert f"/whatif?at={sent.turn}" in tried
    followed = visitor.get(
        f"/games/{game_id}/whatif/next", query_string={"at": sent.turn, "seat": 0, "line": "pass"}
    )
    assert f"at={sent.turn}" in followed.location
    assert site.house.game(game_id).seq == length


def test_others_wait_until_the_game_is_over(site: Site):
    game_id = site.house.played("Ann", "Ben", auction="open", moves=6)
    eve = site.visitor("Eve")
    assert eve.get(f"/games/{game_id}/whatif?at=5").status_code == 403
    assert site.visitor().get(f"/games/{game_id}/whatif?at=5").status_code == 303
    mine, length = site.at(game_id, 0), site.house.game(game_id).seq
    for n in (0, length + 1, 10**8):
        assert mine.get(f"/games/{game_id}/whatif?at={n}").status_code == 404
    assert "from event" not in mine.page(f"/games/{game_id}/whatif?at={length}")
    assert "What if from here" in mine.page(f"/games/{game_id}/at/5")
    assert "What if from here" not in eve.page(f"/games/{game_id}/at/5")
