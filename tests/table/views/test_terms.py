"""M30: each time setting of a table has its words in the one line that tells them all."""

import pytest

from core.store.tables import Game
from core.table.views.terms import times
from core.terms import Terms

TOLD = [
    (
        {"clock": "bank", "bank_hours": 48, "increment_hours": 6, "cap_hours": 60},
        "2 days at the start and 6 hours more for each turn, 60 hours at most",
    ),
    ({"graces": 3}, "3 times a game 24 hours more"),
    ({"windows": False}, ""),
    ({"weekends_off": True}, "weekends off"),
    ({"vacation": False}, "no vacations, no pauses"),
    ({"deadlines_enforced": False}, "no clock: the table waits for everybody"),
    ({"on_miss": "draft"}, "a saved draft is played when time is over"),
    ({"planning": "round"}, "each round is planned ahead"),
    ({"least_reliability": 80}, "for players who answer 80 % of turns in time"),
    ({"rated": False}, "unrated"),
]


def line(**terms: object) -> list[str]:
    kept = Terms(**terms).to_json()
    return times(Game(map="germany", players=4, turn_hours=24, terms=kept)).split(" · ")


@pytest.mark.parametrize(("terms", "words"), TOLD)
def test_m30_a_setting_that_is_not_the_usual_one_is_told(terms: dict, words: str) -> None:
    usual, told = line(), line(**terms)
    assert told != usual
    if words:
        assert any(words in part for part in told)
        assert not any(words in part for part in usual)


def test_m30_no_setting_is_forgotten() -> None:
    assert {name for terms, _words in TOLD for name in terms} == set(Terms.model_fields)
