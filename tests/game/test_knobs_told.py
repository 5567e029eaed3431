"""Knobs in sentences: all of them, with the values that load takes, as docs/variants.md says."""

import re
from pathlib import Path

import pytest

from core.game.errors import RulesError
from core.game.rulebook import rulebook
from core.game.rules import knobs
from core.game.rules.load import KNOBS, load

FUELS = {"coal", "oil", "garbage", "uranium"}
DOC = Path(__file__).parents[2] / "docs/variants.md"
BASE = load("germany")
ALL = [knob for group in knobs.groups(BASE) for knob in group.knobs]


def test_every_knob_is_told_once() -> None:
    keys = [knob.key.partition(".")[0] for knob in ALL]
    assert len(keys) == len(set(keys))
    assert set(keys) == set(KNOBS) - set(knobs.CHOSEN_ANYWAY)


def test_the_sentences_are_those_of_the_documentation() -> None:
    rows = re.findall(r"^\| `([a-z0-9_]+)` \| .*? \| (.*?) \|$", DOC.read_text(), re.MULTILINE)
    told = {key: says.replace("`", "") for key, says in rows}
    assert {k.key: k.says for k in ALL if "." not in k.key}.items() <= told.items()


@pytest.mark.parametrize("knob", ALL, ids=lambda knob: knob.key)
def test_the_example_of_a_knob_is_its_present_value(knob: knobs.Knob) -> None:
    assert load("germany", options={knob.key: knob.example}) == BASE


@pytest.mark.parametrize(
    ("key", "value"), [(knob.key, value) for knob in ALL for value in knob.values]
)
def test_every_value_that_is_offered_is_read_or_refused_for_its_company(
    key: str, value: str
) -> None:
    try:
        rules = load("germany", options={key: value})
    except RulesError as refusal:
        assert re.search(r"needs|only works|cannot be boxed", str(refusal))
    else:
        assert knobs.written(getattr(rules, key)) == value


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"garbage.start_from": "soon"}, "options: garbage: "),
        ({"garbage.start_form": "5"}, "options: garbage: start_form: "),
        ({"gas.start_from": "5"}, "options: gas: no such rule"),
        ({"end_cities": "21,17"}, "options: end_cities: "),
        ({"end_cities": "many"}, "options: end_cities: "),
        ({"market_insert": "future_first"}, 'together with rotation = "obsolete_else_largest"'),
        ({"discount_token": "true"}, 'needs obsolete_timing = "off"'),
        ({"tie_breaks": ""}, "must begin with"),
        ({"starting_elektro": "false"}, "options: starting_elektro: "),
    ],
)
def test_what_cannot_be_is_refused_with_key_and_reason(
    options: dict[str, object], reason: str
) -> None:
    with pytest.raises(RulesError) as refusal:
        load("germany", options=options)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("options", "key", "value"),
    [
        ({"garbage.start_from": "5"}, "garbage", 5),
        ({"end_cities": "20, 16,16,14,13"}, "end_cities", (20, 16, 16, 14, 13)),
        ({"end_cities": "20 16 16 14 13"}, "end_cities", (20, 16, 16, 14, 13)),
        ({"removed_plants": ""}, "removed_plants", ()),
        ({"removed_plants": "50"}, "removed_plants", (50,)),
        ({"coal_overflow_price": "false"}, "coal_overflow_price", None),
        ({"coal_overflow_price": "8"}, "coal_overflow_price", 8),
    ],
)
def test_text_is_read_as_a_form_and_a_command_write_it(
    options: dict[str, object], key: str, value: object
) -> None:
    found = getattr(load("germany", options=options), key)
    assert (found.start_from if key == "garbage" else found) == value


def test_k13_where_money_is_hidden_its_option_and_its_rule_say_that_the_log_tells_the_sum() -> None:
    (option,) = [knob.says for knob in ALL if knob.key == "hidden_money"]
    assert "the log tells the sum" in option
    chapters = rulebook(load("germany", options={"hidden_money": True}))
    said = [s for chapter in chapters for rule in chapter.rules for s in rule.sentences]
    assert [text for text in said if "whoever adds up the log knows the rest" in text]
