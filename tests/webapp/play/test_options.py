"""Rules chosen for a new table: single options over a preset, and who chooses the regions."""

import re

import pytest

from core.game.rules import knobs
from core.game.rules.load import load
from core.game.types import Phase
from core.store.tables import Game
from tests.support.site import Site, Visitor

MAP = "germany"
FORM: dict[str, object] = {
    "title": "T", "map": MAP, "variant": "standard", "players": "3", "bots": "2",
    "auction": "sealed", "regions": "random", "turn_hours": "48", "private": "no", "start": "yes",
}  # fmt: skip


def opened(site: Site, **fields: object) -> int:
    """Open a table by the form; its number."""
    answer = site.visitor("Host").post("/tables/new", {**FORM, **fields})
    assert answer.status_code == 303, re.search(r'id="wrong">([^<]*)', answer.text)
    return int(answer.location.rsplit("/", 1)[1])


def test_the_form_offers_every_knob_with_its_values_and_its_sentence(site: Site):
    page = site.visitor("Host").page("/tables/new")
    for group in knobs.groups(load("france")):
        for knob in group.knobs:
            part = page.partition(f'name="option-{knob.key}"')[2].partition("</div>")[0]
            assert part, knob.key
            assert [v for v in knob.values if f"<option>{v}</option>" not in part] == []
    assert "who answers a bid next (B10, R7.5)" in page


def test_single_options_are_laid_over_the_preset(site: Site):
    game_id = opened(
        site,
        variant="recharged",
        **{"option-end_timing": "immediate", "option-garbage.start_from": "5",
           "option-end_cities": "14, 12,12,11,10", "option-hidden_money": ""},
    )  # fmt: skip
    rules = site.house.state(game_id).ruleset
    assert (rules.variant, rules.discount_token, rules.hidden_money) == ("recharged", True, True)
    assert (rules.end_timing, rules.garbage.start_from) == ("immediate", 5)
    assert rules.numbers(3).end_cities == 12
    assert site.house.game(game_id).options.keys() == {
        "auction", "region_choice", "end_timing", "garbage.start_from", "end_cities",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("market_insert", "future_first", "only works together with rotation"),
        ("discount_token", "true", "needs obsolete_timing"),
        ("end_cities", "99,99,99,99,99", "more than cities or houses are there"),
        ("end_cities", "a few", "end_cities"),
        ("step2_cities", "20,20,20,20,20", "must lie between 1 and the end"),
        ("always_in_market", "11", "needs deck_setup"),
        ("bid_direction", "sideways", "bid_direction"),
    ],
)
def test_impossible_company_is_refused_on_the_form_with_the_reason(
    site: Site, key: str, value: str, reason: str
):
    answer = site.visitor("Host").post("/tables/new", {**FORM, f"option-{key}": value})
    assert answer.status_code == 422
    said = re.search(r'id="wrong"[^>]*>([^<]*)', answer.text)
    assert said is not None
    assert reason in said[1]
    assert key in said[1]
    assert (
        f'value="{value}"' in answer.text
        or f"<option selected>{value}" in answer.text
        or (value == "sideways")
    )
    assert site.house.all(Game) == []


def test_a_table_that_waits_says_what_was_changed(site: Site):
    game_id = opened(site, bots="0", start="", **{"option-may_underpower": "false"})
    page = site.visitor().page(f"/games/{game_id}")
    assert "<code>may_underpower = false</code>" in page
    assert "region_choice" not in page


def test_regions_by_chance_lead_to_the_first_auction(site: Site):
    state = site.house.state(opened(site, regions="random"))
    assert (len(state.regions), state.phase) == (3, Phase.AUCTION)


def test_regions_chosen_by_the_host_lead_to_the_first_auction(site: Site):
    chosen = ["green", "brown", "yellow"]
    state = site.house.state(opened(site, regions="host", **{f"region-{MAP}": chosen}))
    assert (set(state.regions), state.phase) == (set(chosen), Phase.AUCTION)


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [([], "Choose 3 regions"), (["green", "brown"], "Choose 3 regions"),
     (["green", "brown", "purple"], "not connected")],
)  # fmt: skip
def test_regions_that_do_not_fit_are_refused(site: Site, chosen: list[str], reason: str):
    fields = {**FORM, "regions": "host", f"region-{MAP}": chosen}
    answer = site.visitor("Host").post("/tables/new", fields)
    assert answer.status_code == 422
    assert reason in answer.text
    for region in chosen:  # what was ticked stays ticked
        assert f'name="region-{MAP}" value="{region}" checked' in answer.text


def _draft(site: Site, visitor: Visitor, game_id: int) -> str:
    """Add the last region that the form offers; its line."""
    at = f"/games/{game_id}"
    line = re.findall(r'name="choice" value="(region [^"]+)"', visitor.page(at))[-1]
    turn = visitor.hidden(at, "turn")
    shown = visitor.post(f"{at}/turn", {"do": "preview", "turn": turn, "choice": line})
    assert f'name="line" value="{line}"' in shown.text
    sent = {"do": "send", "turn": turn, "line": line, "nonce": f"n{turn}"}
    assert "Done:" in visitor.post(f"{at}/turn", sent, follow_redirects=True).text
    return line


@pytest.mark.parametrize("bots", [0, 2])
def test_regions_drafted_by_the_players_lead_to_the_first_auction(site: Site, bots: int):
    game_id = opened(site, regions="draft", bots=bots, start="yes" if bots else "")
    if not bots:
        assert "the players choose the regions in turn" in site.visitor().page(f"/games/{game_id}")
        for name in ("Ben", "Cem"):
            site.visitor(name).post(f"/games/{game_id}/join")
        site.visitor("Host").post(f"/games/{game_id}/start")
    lines = set()
    while site.house.state(game_id).phase is Phase.REGIONS:
        asked = site.house.asked(game_id)[0]
        lines.add(_draft(site, site.at(game_id, asked.seat), game_id))
    state = site.house.state(game_id)
    assert (len(state.regions), state.phase, state.round) == (3, Phase.AUCTION, 1)
    assert len(lines) == (1 if bots else 3)
