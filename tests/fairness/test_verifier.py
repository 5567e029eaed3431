"""docs/fairness.md is enough to check a game without this program (K5)."""

import ast
import json
from pathlib import Path

import pytest

from core.bots import bot
from core.game.log.jsonl import dump, log_of
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.verify import verify
from tests.fairness.verifier import Unfair, Unsaid, check
from webapp.instruments.selfplay import play_game

FOLDER = Path(__file__).parent
GOLDEN = FOLDER.parent / "golden"
SEED = "0123456789abcdef" * 4


def text_of(variant: str, players: int, map: str = "germany", **options: str) -> str:
    rules = load(map, variant, options)
    events = play_game(rules, [bot("random", str(n)) for n in range(players)], SEED)
    return "".join(dump(log_of(events, [f"P{n}" for n in range(players)])))


def test_the_second_verifier_imports_nothing_of_this_program() -> None:
    tree = ast.parse((FOLDER / "verifier.py").read_text("utf-8"))
    named = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert named == {"hashlib", "hmac", "json", "itertools", "typing"}


@pytest.mark.parametrize("variant", [info.key for info in catalog.variants()])
@pytest.mark.parametrize(
    ("players", "map"), [(2, "germany"), (4, "usa"), (6, "france"), (3, "italy")]
)
def test_k5_a_fair_game_is_fair_by_the_text_alone(variant: str, players: int, map: str) -> None:
    for choice in ("random", "draft"):
        check(text_of(variant, players, map, region_choice=choice))


@pytest.mark.parametrize("map", [info.key for info in catalog.maps()])
@pytest.mark.parametrize(("variant", "players"), [("standard", 4), ("recharged", 3)])
def test_k5_the_text_lays_out_the_deck_of_every_map(map: str, variant: str, players: int) -> None:
    apart = load(map, variant).regions_touch != "yes"
    if apart:  # the text says so
        with pytest.raises(Unsaid):
            check(text_of(variant, players, map))
    else:
        check(text_of(variant, players, map))


@pytest.mark.parametrize("name", ["standard-open", "recharged-open", "standard-sealed"])
def test_games_of_version_0_1_are_fair_by_the_text(name: str) -> None:
    lines = (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[1])
    first["event"]["edition"] = 0  # what a log without it means
    check("\n".join([lines[0], json.dumps(first), *lines[2:]]))


@pytest.mark.parametrize("what", ["commitment", "order", "stack", "boxed", "market", "regions"])
@pytest.mark.parametrize("variant", ["standard", "recharged"])
def test_what_is_changed_is_noticed_by_both(what: str, variant: str) -> None:
    lines = text_of(variant, 3).splitlines()
    body = json.loads(lines[1])
    event = body["event"]
    told = event[what]
    if what == "commitment":
        event[what] = told[::-1]
    elif what == "market":
        event[what] = {"actual": told["actual"][::-1], "future": told["future"]}
    elif what == "regions":
        names = [r["id"] for r in event["ruleset"]["map"]["regions"]]
        event[what] = names[:3] if told != names[:3] else names[1:4]
    else:
        event[what] = [told[1], told[0], *told[2:]]
    lines[1] = json.dumps(body)
    with pytest.raises(Unfair) as unfair:
        check("\n".join(lines))
    assert unfair.value.seq == 1


def test_a_card_from_the_middle_and_another_shuffle_are_noticed() -> None:
    lines = text_of("standard", 3).splitlines()
    for kind, key in (("PlantDrawn", "plant"), ("StackShuffled", "stack")):
        n = next(n for n, line in enumerate(lines) if f'"type":"{kind}"' in line)
        body = json.loads(lines[n])
        told = body["event"][key]
        body["event"][key] = told + 1 if isinstance(told, int) else told[::-1]
        with pytest.raises(Unfair) as unfair:
            check("\n".join([*lines[:n], json.dumps(body), *lines[n + 1 :]]))
        assert unfair.value.seq == n


def test_both_verifiers_agree_on_a_whole_game() -> None:
    rules = load("germany")
    events = play_game(rules, [bot("random", str(n)) for n in range(3)], SEED)
    assert verify(events).fair
