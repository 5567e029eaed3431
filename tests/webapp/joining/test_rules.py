"""The rulebook as pages, the way to it from every refusal, and what is said of fair dealing."""

import re
from dataclasses import is_dataclass
from html import unescape

import pytest

from core.game.log.jsonl import load as load_log
from core.game.rulebook import RULE_OF
from core.game.rules import catalog
from core.game.types import Phase
from core.game.verify import verify
from core.mail import commands
from tests.support.site import Site

PRESETS = [info.key for info in catalog.variants()]
MAPS = [info.key for info in catalog.maps()]
NUMBERS = re.compile(r'<div class="rule" id="(R[0-9.]+)">')


def text(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize("variant", PRESETS)
def test_each_preset_has_a_page_with_every_rule_that_refusals_name(site: Site, variant: str):
    page = site.visitor().page(f"/rules/{variant}")
    assert set(RULE_OF.values()) <= set(NUMBERS.findall(page))
    assert ("not as printed" in page) is (variant != catalog.STANDARD)


def test_rules_that_the_printed_edition_has_not_are_marked(site: Site):
    page = site.visitor().page("/rules/recharged?map=germany")
    for number, marked in (("R17.3", True), ("R11.1", True), ("R3.5", True), ("R8.1", False)):
        rule = page.partition(f'<div class="rule" id="{number}">')[2].partition("</p>")[0]
        assert ("not as printed" in rule) is marked, number


def test_the_index_leads_to_the_printed_rules(site: Site):
    assert "Rules: Printed rules" in site.visitor().page("/rules")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "reaches 21, 17, 17, 15, 14 (with 2 to 6 players) cities"),
        ("?players=2", "reaches 21 cities"),
        ("?players=6", "reaches 14 cities"),
        ("?players=9", "reaches 21, 17, 17, 15, 14 (with 2 to 6 players) cities"),
        ("?map=italy", "15, the cheapest at 4"),
        ("?map=france&players=3", "Plant 11 lies on top of the stack."),
    ],
)
def test_numbers_are_those_of_the_map_and_of_the_players(site: Site, query: str, said: str):
    assert said in text(site.visitor().page(f"/rules/standard{query}"))


@pytest.mark.parametrize("path", ["/rules/chess", "/rules/standard?map=atlantis", "/rules/../x"])
def test_there_is_no_page_for_what_is_not_there(site: Site, path: str):
    assert site.visitor().get(path).status_code == 404


@pytest.mark.parametrize("begun", [False, True])
def test_a_table_has_its_own_rules_before_and_in_its_game(site: Site, begun: bool):
    seat = site.house.start if begun else site.house.open
    game_id = seat("Ann", "Ben", options={"hidden_money": "false", "end_cities": "11,9,9,9,9"})
    page = text(site.visitor().page(f"/games/{game_id}/rules"))
    assert "Everybody sees everybody's money. Plants" in page
    assert "reaches 11 cities" in page


def test_the_rules_of_a_game_are_those_it_began_with(site: Site):
    game_id = site.house.start("Ann", "Ben")
    with site.house.write() as s:
        game = s.get_one(type(site.house.game(game_id)), game_id)
        game.options = {**game.options, "hidden_money": "false"}
        s.add(game)
    assert "Money is hidden" in text(site.visitor().page(f"/games/{game_id}/rules"))


def test_a_refusal_leads_to_its_rule(site: Site):
    game_id = site.house.start("Ann", "Ben", auction="open")
    asked = site.house.asked(game_id)[0]
    visitor = site.at(game_id, asked.seat)
    fields = {"turn": asked.turn, "line": "auction 6 for 2"}
    anchor = f'href="/games/{game_id}/rules#R7.5"'
    tried = visitor.post(f"/games/{game_id}/turn", {"do": "preview", **fields})
    assert (tried.status_code, anchor in tried.text) == (422, True)
    sent = visitor.post(
        f"/games/{game_id}/turn", {"do": "send", "nonce": "n", **fields}, follow_redirects=True
    )
    assert "Refused:" in sent.text
    assert anchor in sent.text
    unread = visitor.post(f"/games/{game_id}/turn", {**fields, "do": "preview", "line": "what?"})
    assert (unread.status_code, "/rules#" in unread.text) == (422, False)


def test_a_running_game_shows_its_commitment_and_a_finished_one_its_seed(site: Site):
    game_id = site.house.start("Ann", "Ben")
    seed, commitment = site.house.game(game_id).seed, site.house.events(game_id)[0].commitment
    visitor = site.visitor()
    for path in ("", "/at/1"):
        page = visitor.page(f"/games/{game_id}{path}")
        assert commitment in page
        assert seed not in page
    site.house.play(game_id)
    assert site.house.state(game_id).phase is Phase.FINISHED
    last = site.house.game(game_id).seq
    for path, seen in (("", True), (f"/at/{last}", True), ("/at/1", False)):
        page = visitor.page(f"/games/{game_id}{path}")
        assert commitment in page
        assert (seed in page) is seen


def test_the_log_can_be_fetched_and_verified_by_anybody_who_may_look(site: Site):
    game_id = site.house.start("Ann", "Ben")
    path = f"/games/{game_id}/log.jsonl"
    running = site.visitor().get(path)
    assert site.house.game(game_id).seed not in running.text
    assert set(load_log(running.text.splitlines()).events[0].stack) == {0}
    site.house.play(game_id)
    answer = site.visitor().get(path)
    assert answer.headers["Content-Disposition"].endswith(f"kraftpost-{game_id}.jsonl")
    assert verify(load_log(answer.text.splitlines()).events).fair
    waiting = site.house.open("Ann", players=2)
    assert site.visitor().get(f"/games/{waiting}/log.jsonl").status_code == 422


def test_the_help_page_names_every_kind_of_command_that_a_mail_may_hold(site: Site):
    page = site.visitor().page("/help/rules")
    written = re.findall('class="line">([^<]+)<', page)
    read = {type(commands.read_command(unescape(line))) for line in written}
    known = {one for one in vars(commands).values() if isinstance(one, type) and is_dataclass(one)}
    assert known - read <= {commands.Unknown, commands.Ready}  # a plan's mail names `ready`
