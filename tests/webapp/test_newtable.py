"""The clock of a new table: what the form offers, what it says of it, what is kept."""

import pytest

from core.store.tables import Game
from core.terms import Terms

BASE = {
    "title": "Slow", "map": "germany", "variant": "standard", "players": "4", "auction": "sealed",
    "turn_hours": "48", "windows": "yes", "vacation": "yes", "rated": "yes",
}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "terms"),
    [
        ({}, Terms()),
        (
            {"clock": "bank", "bank_hours": "48", "increment_hours": "6", "cap_hours": "60"},
            Terms(clock="bank", bank_hours=48, increment_hours=6, cap_hours=60),
        ),
        ({"windows": "", "weekends_off": "yes"}, Terms(windows=False, weekends_off=True)),
        ({"claims": "no", "vacation": ""}, Terms(claims=False, vacation=False)),
        ({"on_miss": "draft", "planning": "round"}, Terms(on_miss="draft", planning="round")),
        (
            {"graces": "3", "least_reliability": "80", "rated": ""},
            Terms(graces=3, least_reliability=80, rated=False),
        ),
    ],
)
def test_every_term_of_the_form_is_kept(site, fields, terms):
    anna = site.visitor("Anna")
    page = anna.post("/tables/new", {**BASE, **fields})
    assert page.status_code == 303, page.text
    game = site.house.all(Game)[-1]
    assert Terms.of(game.terms) == terms


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"increment_hours": "0"}, "1 to 168 hours"),
        ({"clock": "bank", "bank_hours": "200", "cap_hours": "100"}, "must be able to hold"),
        ({"graces": "9"}, "5 times"),
        ({"least_reliability": "101"}, "percent"),
    ],
)
def test_terms_that_do_not_fit_are_refused_by_name(site, fields, said):
    anna = site.visitor("Anna")
    page = anna.post("/tables/new", {**BASE, **fields})
    assert page.status_code == 422
    assert said in page.text
    assert site.house.all(Game) == []


def test_m25_the_length_of_the_game_is_told_without_scripts_and_opens_no_table(site):
    anna = site.visitor("Anna")
    page = anna.post("/tables/new", {**BASE, "do": "reckon"})
    assert "A game of about 53 days." in page.text
    quick = anna.post("/tables/new", {**BASE, "do": "reckon", "planning": "round"})
    assert "A game of about 7 days." in quick.text
    assert site.house.all(Game) == []


def test_m25_the_script_asks_for_the_same_words(site):
    anna = site.visitor("Anna")
    assert anna.post("/tables/new/length", BASE).text == "A game of about 53 days."


def test_m30_the_settings_are_told_before_one_joins(site):
    anna = site.visitor("Anna")
    anna.post("/tables/new", {**BASE, "vacation": "", "weekends_off": "yes"})
    game = site.house.all(Game)[-1]
    ben = site.visitor("Ben")
    for address in ("/", f"/games/{game.id}"):
        said = ben.get(address).text
        for words in ("2 days a turn", "weekends off", "no vacations, no pauses", "about 74 days"):
            assert words in said
