"""What a form cannot take is refused by name, with the way out and everything that was typed."""

import pytest

from core.store.tables import Game, Vacation
from core.terms import Terms
from core.validation import parse

TABLE = {"title": "Slow", "map": "germany", "turn_hours": "48"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"bank_hours": "lots"}, "The bank has 0 to 336 hours."),
        ({"graces": "6", "cap_hours": "0"}, "The most a bank holds has 1 to 504 hours. Grace is"),
        ({"auction": "dutch"}, "auction cannot be dutch"),
        ({"clock": "sand"}, "clock cannot be sand"),
        ({"players": "some"}, "2 to 6 can play."),
    ],
)
def test_a_new_table_names_every_wrong_field_and_keeps_what_was_typed(site, fields, said):
    anna = site.visitor("Anna")
    page = anna.post("/tables/new", {**TABLE, "invitations": "ben@example.org", **fields})
    assert page.status_code == 422
    assert said in page.text
    assert 'value="Slow"' in page.text
    assert "ben@example.org</textarea>" in page.text
    if "bank_hours" in fields:
        assert 'value="lots"' in page.text
    assert site.house.all(Game) == []


def test_m25_no_length_is_reckoned_of_what_does_not_fit(site):
    fields = {**TABLE, "clock": "bank", "bank_hours": "lots"}
    anna = site.visitor("Anna")
    assert anna.post("/tables/new/length", fields).text == "The bank has 0 to 336 hours."
    assert anna.post("/tables/new", {**fields, "do": "reckon"}).status_code == 422


def test_an_empty_field_has_its_default(site):
    anna = site.visitor("Anna")
    assert anna.post("/tables/new", {**TABLE, "bank_hours": "", "graces": ""}).status_code == 303
    assert Terms.model_validate(site.house.all(Game)[0].terms).bank_hours == Terms().bank_hours


def test_a_box_that_is_not_ticked_is_off(site):
    anna = site.visitor("Anna")
    anna.post("/tables/new", {**TABLE, "rated": "yes"})
    kept = Terms.model_validate(site.house.all(Game)[0].terms)
    assert (kept.rated, kept.windows, kept.vacation) == (True, False, False)


def test_a_vacation_begins_on_a_day_that_can_be_read(site):
    anna = site.visitor("Anna")
    page = anna.post("/profile/vacation", {"days": "5", "first": "tomorrow"})
    assert page.status_code == 422
    assert "as in 2027-03-31" in page.text
    assert site.house.all(Vacation) == []


def test_terms_of_version_0_1_are_read():
    kept = {"claims": False, "bank_hours": 100, "no_such_term_any_more": 3}
    terms = Terms.model_validate(kept)
    assert (terms.deadlines_enforced, terms.bank_hours) == (False, 100)
    assert terms.to_json() == {"claims": False, "bank_hours": 100}


def test_what_is_wrong_is_kept_beside_what_is_right():
    terms, wrong = parse(Terms, {"bank_hours": "400", "graces": "2", "claims": "no"})
    assert (terms.bank_hours, terms.graces, terms.deadlines_enforced) == ("400", 2, False)
    assert wrong == "The bank has 0 to 336 hours."
