"""A decision that changes without a new edition fails; `corpus check` names the games (K2)."""

import json
from collections.abc import Callable

import pytest

from core.game import engine
from core.game.edition import EDITION
from core.game.judge import SAME_DECISIONS, judge
from core.game.phases import auction, ending, player_order
from tests.game.editions.positions import file_of, fingerprints
from tests.game.test_judge import game

Patch = Callable[[pytest.MonkeyPatch], None]


def test_the_decisions_of_this_edition_are_what_they_were() -> None:
    kept = json.loads(file_of(EDITION).read_text("utf-8"))
    now = fingerprints()
    changed = sorted(name for name in {*kept, *now} if kept.get(name) != now.get(name))
    assert not changed, (
        "The rules decide otherwise. If that is meant, raise EDITION in core/game/edition.py and "
        "write its file; docs/editions.md says what else to do."
    )


def test_every_edition_has_a_file_of_its_own() -> None:
    files = [file_of(n).read_text("utf-8") for n in range(1, EDITION + 1)]
    assert len(set(files)) == EDITION
    assert EDITION in SAME_DECISIONS


def reverse_order(patch: pytest.MonkeyPatch) -> None:
    sort = player_order.turn_order
    for module in (player_order, auction):
        patch.setattr(module, "turn_order", lambda state: sort(state)[::-1])


def forget_the_token(patch: pytest.MonkeyPatch) -> None:
    """The plant with an unsold token stays."""
    patch.setattr(auction, "box", lambda *_args: None)


def break_ties_otherwise(patch: pytest.MonkeyPatch) -> None:
    rank = ending.standings

    def by_least_money(state: engine.GameState) -> tuple[engine.Event, ...]:
        found = rank(state)
        return tuple(sorted(found, key=lambda s: (-s.powered, s.elektro)))  # type: ignore[return-value]

    patch.setattr(ending, "standings", by_least_money)


CHANGES: list[tuple[Patch, str, str]] = [
    (reverse_order, "standard", "OrderChanged"),
    (forget_the_token, "recharged", "PlantBoxed"),
    (break_ties_otherwise, "standard", "GameEnded"),
]


@pytest.mark.parametrize(("change", "variant", "event"), CHANGES)
def test_k2_a_decision_made_otherwise_is_noticed(
    change: Patch, variant: str, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads(file_of(EDITION).read_text("utf-8"))
    logs = [game(variant, players) for players in range(2, 7)]
    change(monkeypatch)
    now = fingerprints()
    assert [name for name in kept if kept[name] != now[name]]
    found = [difference for log in logs if (difference := judge(log).difference)]
    assert found
    assert all(event in (one.what.partition(":")[0], one.ruled, one.logged) for one in found)
