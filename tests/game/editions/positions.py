"""Fixed games and positions whose decisions make the fingerprint of an edition.

``python -m tests.game.editions.positions`` writes the file of the present edition: for whoever has
raised it (docs/editions.md), or has changed only how an event is written.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields
from hashlib import sha256
from pathlib import Path

from core.game.chance import Chance
from core.game.edition import EDITION
from core.game.engine import options, start
from core.game.events import Event, GameStarted
from core.game.log.codec import encode
from tests.game.properties.random_play import PRESETS, Setting, turns
from tests.game.rules.kit import (
    BUILDING,
    BUREAUCRACY,
    NOTHING,
    PASS,
    POWER_ALL,
    A,
    B,
    C,
    Table,
    lay,
    opens,
    owner,
    rules,
)

FOLDER = Path(__file__).parent
MAPS = ("germany", "usa", "france", "italy")
"""The maps of the first edition."""
GAMES = tuple(
    Setting(
        MAPS[n % 4], PRESETS[n % 6], ("open", "sealed")[n % 2], n % 5 + 2, 1000 + n,
        ("random", "draft")[n // 6 % 2],
    )
    for n in range(18)
)  # fmt: skip


def whole_game(setting: Setting) -> Iterator[object]:
    """What was offered at each move, and every event."""
    chance = Chance(f"{setting.seed:064x}")
    yield from start(setting.ruleset, setting.players, chance)
    for turn in turns(setting):
        yield repr(options(turn.state, turn.seat))
        yield from turn.events


def laid() -> Iterator[tuple[str, Table]]:
    """Positions that random games hardly ever reach."""
    done = {"phase": BUILDING, "step": 2}
    equal = (owner(17, "20 13", coal=3), owner(17, "25 18", coal=2), owner(17, "31", coal=3))
    yield "a tie by powered cities", lay(*equal, **done).all_play(NOTHING)
    money = (owner(17, "20", 30, coal=3), owner(17, "25", 40, coal=2), owner(16, "20", 40, coal=3))
    for variant in PRESETS:
        yield f"ties {variant}", lay(*money, **done, ruleset=rules(variant)).all_play(NOTHING)
    ranks = (owner("essen", 20), owner("fulda", "4 5"), owner("halle", 3), owner("berlin hamburg"))
    for variant in PRESETS:
        table = lay(*ranks, phase=BUREAUCRACY, ruleset=rules(variant)).all_play(POWER_ALL)
        yield f"turn order {variant}", table
    token = {"ruleset": rules("recharged"), "token": 20}
    yield "an unsold token", lay(**token).all_play(PASS)
    yield "a token that is used", lay(**token).plays(A, opens(20, 1)).plays(B, PASS).plays(C, PASS)
    yield (
        "a lower plant drawn",
        (lay(**token, stack="19 33 S3").plays(A, opens(21)).plays(B, PASS).plays(C, PASS)),
    )
    for variant in PRESETS:
        poor = (owner(elektro=2),) * 3
        yield f"no sale {variant}", lay(*poor, ruleset=rules(variant)).all_play(PASS)
        ruleset = rules(variant)
        card = lay(owner(8), phase=BUREAUCRACY, stack="S3 36 38", ruleset=ruleset)
        card.all_play(POWER_ALL)
        yield f"the Step 3 card {variant}", card
    hybrid = owner(6, "29 35", coal=2, oil=1)
    for own in (True, False):
        ruleset = rules(burn_own_storage=own)
        yield f"hybrids {own}", lay(hybrid, phase=BUREAUCRACY, ruleset=ruleset)
    full = owner(3, "5 10 21", coal=6, oil=4)
    yield "a purchase over the limit", lay(full).plays(A, opens(22)).plays(B, PASS).plays(C, PASS)


def written(part: object) -> str:
    """An event without what is as always; so a new field with a default is no new decision."""
    if not isinstance(part, Event):
        return str(part)
    usual = {one.name: one.default for one in fields(part) if one.default is not MISSING}
    body = encode(part)
    shown = {k: v for k, v in body.items() if k != "v" and getattr(part, k, None) != usual.get(k)}
    if isinstance(part, GameStarted):
        shown = {k: shown[k] for k in ("regions", "order", "market", "stack", "boxed")}
    return json.dumps(shown, sort_keys=True)


def fingerprint(parts: Sequence[object]) -> str:
    return sha256("\n".join(map(written, parts)).encode()).hexdigest()[:16]


def fingerprints() -> dict[str, str]:
    """By the name of a game or a position."""
    found = {
        f"{s.variant} {s.map} {s.auction} {s.players}": fingerprint(list(whole_game(s)))
        for s in GAMES
    }
    for name, table in laid():
        offers = [repr(table.offer(seat)) for seat in table.asked]
        found[name] = fingerprint([*table.events, *offers])
    return found


def file_of(edition: int) -> Path:
    return FOLDER / f"{edition}.json"


if __name__ == "__main__":
    file_of(EDITION).write_text(json.dumps(fingerprints(), indent=1) + "\n", "utf-8")
