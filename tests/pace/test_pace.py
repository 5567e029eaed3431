"""The six regimes at the real table: what they ask of people, and that their games are whole."""

import hashlib
from statistics import median

import pytest

from core.game.evolve import replay
from core.game.log import codec
from core.store.session import read
from core.table.record import gamelog
from webapp.instruments.pace import match
from webapp.instruments.pace.match import Pace, play_seed
from webapp.instruments.pace.regimes import REGIMES

TARGETS = {"limits": 135, "sheets": 60, "envelopes": 22}
"""Serial hand-offs a game of four, median."""


@pytest.fixture(scope="module")
def played() -> list[tuple[match.Table, Pace]]:
    """A game of four under each regime; each log is folded again from its rows."""
    tables: list[match.Table] = []
    start = match.Table.__init__

    def remembered(table: match.Table, *args, **more) -> None:
        start(table, *args, **more)
        tables.append(table)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match.Table, "__init__", remembered)
        games = []
        seed = hashlib.sha256(b"pace/0").hexdigest()
        for pace in play_seed("germany", "standard", 4, seed):
            _fold_again(tables[-1])
            games.append((tables[-1], pace))
    return games


def _fold_again(table: match.Table) -> None:
    """The log as its rows have it leads to the position that the table is in."""
    with read(table.engine) as s:
        events = [entry.event for entry in gamelog.events(s, table.game_id)]
        state = gamelog.load(s, table.game_id)
    assert replay([codec.decode(codec.encode(event)) for event in events]) == state
    assert state.standings


@pytest.mark.slow
@pytest.mark.parametrize(("regime", "most"), TARGETS.items())
def test_a_regime_waits_no_more_often_than_it_should(played, regime: str, most: int):
    assert median(p.hand_offs for _t, p in played if p.regime == regime) <= most


@pytest.mark.slow
def test_each_regime_waits_less_often_than_the_one_before(played):
    medians = [
        median(p.hand_offs for _t, p in played if p.regime == regime.name) for regime in REGIMES
    ]
    assert medians[:5] == sorted(medians[:5], reverse=True)


@pytest.mark.slow
def test_only_absences_make_the_table_wait_for_time(played):
    for _table, pace in played:
        assert (pace.waits > 0) == (pace.regime == "envelopes with absences")


@pytest.mark.slow
def test_mails_are_owed_for_each_question_and_for_beginning_and_end(played):
    for _table, pace in played:
        assert pace.mails >= pace.asked
