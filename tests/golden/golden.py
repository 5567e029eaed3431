"""Whole games on file: the moves as lines, and every event that they led to.

``python -m tests.golden.golden`` writes digests and decks anew: only when the log means to change,
for old games must replay for ever (M49).
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from core.game.chance import Chance
from core.game.engine import play, start
from core.game.events import Event
from core.game.evolve import replay
from core.game.log.codec import encode
from core.game.log.jsonl import load
from core.game.moves import Move
from core.game.notation import parse
from core.game.rules.knobs import Ruleset
from core.game.types import Seat
from tests.game.properties.random_play import Setting, envelopes

FOLDER = Path(__file__).parent
GAMES = {
    "standard-open": Setting("germany", "standard", "open", 3, 4),
    "standard-sealed": Setting("usa", "standard", "sealed", 4, 1),
    "recharged-open": Setting("usa", "recharged", "open", 2, 2),
    "recharged-sealed": Setting("germany", "recharged", "sealed", 3, 3),
}
DECKS = [
    (map, variant, players)
    for map in ("germany", "france")
    for variant in ("standard", "recharged")
    for players in (2, 4, 6)
]
DECK_SEED = "00" * 31 + "2a"


def seed(setting: Setting) -> str:
    return f"{setting.seed:064x}"


def events_of(setting: Setting, ruleset: Ruleset, lines: list[str]) -> list[Event]:
    """Play these moves from the start, with the seed of the setting."""
    chance = Chance(seed(setting))
    events = list(start(ruleset, setting.players, chance))
    state, sealed = replay(events), {}
    for line in lines:
        seat, _, written = line.partition(" ")
        move: Move = parse(written, ruleset)
        new = play(state, Seat(int(seat)), move, chance, sealed)
        sealed = envelopes(sealed, Seat(int(seat)), move)
        events += new
        state = replay(new, state)
    return events


def digest(events: list[Event]) -> str:
    """SHA-256 over the events, written one by one."""
    lines = (json.dumps(encode(e), ensure_ascii=False, separators=(",", ":")) for e in events)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def deck(map: str, variant: str, players: int) -> dict[str, Any]:
    """What chance makes of one seed: order, regions, market, stack, boxed cards, commitment."""
    ruleset = Setting(map, variant, "open", players, 0).ruleset
    body = encode(start(ruleset, players, Chance(DECK_SEED))[0])
    keys = ("order", "regions", "market", "stack", "boxed", "commitment")
    return {key: body[key] for key in keys}


def main() -> None:
    """Write digests and decks; the games themselves are of version 0.1 and stay as they are."""
    digests = {}
    for name in GAMES:
        events = list(load((FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()).events)
        digests[name] = {"events": len(events), "sha256": digest(events)}
    decks = {" ".join(map(str, row)): deck(*row) for row in DECKS}
    for name, body in (("digests", digests), ("decks", decks)):
        (FOLDER / f"{name}.json").write_text(json.dumps(body, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
