"""The clock of a new table: what the form offers, what it says of it, what is kept."""

import re
from contextlib import suppress

import pytest

from core.mail.message import Mailbox
from core.mail.outbox import NotWanted
from core.store.tables import Game
from core.table.views.render import renderer
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
        ({"claims": "no", "vacation": ""}, Terms(deadlines_enforced=False, vacation=False)),
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
    assert Terms.model_validate(game.terms) == terms


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


def test_m30_m44_listing_invitation_page_and_mail_footer_tell_all_settings(site):
    anna = site.visitor("Anna")
    chosen = {"players": "2", "vacation": "", "weekends_off": "yes", "least_reliability": "80"}
    anna.post("/tables/new", {**BASE, **chosen, "invitations": "ben@example.org"})
    game = site.house.all(Game)[-1]
    said = {
        "2 days a turn, once a game 24 hours more for who is late", "a game of about 37 days",
        "each player may set the hours in which his clock runs", "weekends off",
        "no vacations, no pauses",
        "for players who answer 80 % of turns in time",
    }  # fmt: skip
    ben = site.visitor("Ben")
    (invitation,) = mails(site, "invite")
    link = re.search(r"http://[^/]+(/invitation/\S+)", invitation)[1]
    told = [invitation, ben.page(link), ben.page("/"), ben.page(f"/games/{game.id}")]
    ben.post(f"/games/{game.id}/join")
    anna.post(f"/games/{game.id}/start")
    told += [ben.page("/"), ben.page(f"/games/{game.id}"), *mails(site, "start", "turn")]
    assert len(told) == 8
    for text in told:
        assert {words for words in said if words not in text} == set(), text


def test_m26_m30_no_mail_threatens_with_missed_turns_where_the_table_waits(site):
    anna = site.visitor("Anna")
    anna.post(
        "/tables/new",
        {**BASE, "players": "2", "claims": "no", "invitations": "ben@example.org"},
    )
    game, told = site.house.all(Game)[-1], mails(site, "invite")
    site.visitor("Ben").post(f"/games/{game.id}/join")
    anna.post(f"/games/{game.id}/start")
    told += mails(site, "start", "turn")
    assert len(told) == 3
    for text in told:
        assert "no clock: the table waits for everybody" in text
        assert "missed" not in text


def mails(site, *kinds):
    """The text parts of the mails of these kinds, each on one line."""
    with site.house.read() as s:
        write = renderer(Mailbox.of(site.settings))
        rows = [row for kind in kinds for row in site.house.mails(kind=kind)]
        parts = []
        for row in rows:
            with suppress(NotWanted):  # who begins has the start with the first turn
                parts.append(write(s, row, site.house.now).get_body(("plain",)))
    return [" ".join(part.get_content().split()) for part in parts]
