"""R15, M66: while a game runs, all that a reader is shown is the same whatever the secrets are.

Twins of a game differ in its unseen cards and in what other seats keep to themselves, and in
nothing else (tests.support.twins). Each address of the site and each mail must be equal in both,
byte by byte.
"""

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from werkzeug.routing import Rule

from core.game.events import SealedBidsOpened, StackShuffled
from core.game.evolve import replay
from core.game.observe import observe
from core.game.types import Seat
from core.mail.outbox import owe
from core.orders.notation import parse
from core.store.tables import Game, OutboxMail
from core.table.acts import lobby
from core.table.record import gamelog, standing_orders
from core.table.views.render import renderer
from tests.support.mails import MAILBOX
from tests.support.site import Site, Visitor, open_site
from tests.support.twins import mixed, read, twin

NOT_VISITED = {"static", "ops.metrics", "ops.healthz"}
"""Files, and counters of the process itself, which grow with every visit."""
TRIED = "m=0:pass&m=1:pass&m=2:pass"
MAILS = ("status", "turn", "start", "help")
"""All kinds that show a position."""


class Table:
    """A running game with secrets of every kind, seen by one of its seats."""

    def __init__(self, site: Site) -> None:
        self.site, house = site, site.house
        self.game_id = house.open("Ann", "Ben", "Cem", auction="sealed")
        with house.write() as s:
            lobby.start(s, gamelog.find(s, self.game_id), house.now, seed="1e" * 32)
        house.adjudicate(self.game_id)
        house.play(
            self.game_id, until=lambda s: s.round == 3 and bool(s.auction and s.auction.given)
        )
        asked = house.asked(self.game_id)[0]
        self.seat, at = asked.seat, f"/games/{self.game_id}"
        for seat in range(3):
            visitor = site.at(self.game_id, seat)
            visitor.post(f"{at}/note", {"text": f"note of {seat}"})
            self._order(seat, "limit 44 to 4321", "order fuel all every round")
        fields = {"do": "keep", "turn": asked.turn, "act": "bid", "amount": "17"}
        site.at(self.game_id, asked.seat).post(f"{at}/turn", fields)
        self.readers: dict[str, tuple[Visitor, int | None]] = {
            "player": (site.at(self.game_id, self.seat), self.seat),
            "spectator": (site.visitor("Eve"), None),
        }

    def _order(self, seat: int, *lines: str) -> None:
        with self.site.house.write() as s:
            game, state = gamelog.lock(s, self.game_id), gamelog.load(s, self.game_id)
            for line in lines:
                said = parse(line, state.ruleset)
                standing_orders.give(s, game, state, Seat(seat), said, self.site.house.now)

    def paths(self) -> list[str]:
        """All that can be opened, among it every position."""
        length = self.site.house.game(self.game_id).seq
        fill = {"game_id": self.game_id, "n": length, "seq": length, "number": 1}
        rules = self.site.app.url_map.iter_rules()
        found = [
            _filled(rule, fill)
            for rule in rules
            if "GET" in (rule.methods or ()) and rule.endpoint not in NOT_VISITED
        ]
        at = f"/games/{self.game_id}"
        turns = [f"{at}/turn/{number}" for number in range(1, 9)]
        more = [f"{at}?by=1", f"{at}/whatif?{TRIED}", f"{at}/whatif?at={length // 2}&{TRIED}"]
        return [*found, *turns, *more, *(f"{at}/at/{n}" for n in range(1, length + 1))]


def _filled(rule: Rule, numbers: dict[str, int]) -> str:
    path = re.sub(r"<(?:[^:<>]+:)?(\w+)>", lambda m: str(numbers.get(m[1], 1)), rule.rule)
    return path or "/"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("leaks"), patch) as site,
    ):
        made = Table(site)
        now = datetime.now(UTC)
        patch.setattr("webapp.web.now", lambda: now)  # no page may differ by the time
        yield made


@pytest.fixture(scope="module")
def seen(table: Table) -> dict[str, dict[str, bytes]]:
    """What each reader is shown, by address."""
    return {
        name: {path: read(visitor, path) for path in table.paths()}
        for name, (visitor, _seat) in table.readers.items()
    }


def test_a_twin_is_another_game_that_looks_the_same(table: Table):
    """Otherwise the tests below would show nothing."""
    house, game_id = table.site.house, table.game_id
    true, log = house.state(game_id), house.events(game_id)
    with twin(house, game_id, keep=table.seat, number=1):
        other, its_log = house.state(game_id), house.events(game_id)
        assert other.stack != true.stack
        assert [e for e in its_log if isinstance(e, SealedBidsOpened)] != [
            e for e in log if isinstance(e, SealedBidsOpened)
        ]
        assert sorted((*other.stack, *other.boxed)) == sorted((*true.stack, *true.boxed))
        assert [p.elektro for p in other.players if p != true.players[table.seat]] != [
            p.elektro for p in true.players if p != true.players[table.seat]
        ]
        for n in range(1, len(log) + 1):
            a, b = (observe(replay(events[:n]), Seat(table.seat)) for events in (log, its_log))
            assert a == b
    assert house.state(game_id) == true
    assert house.events(game_id) == log


def test_the_owner_of_a_secret_is_shown_another_page(table: Table, seen: dict):
    """Otherwise nothing could be found: to the others of a twin their own secrets are others."""
    visitor, _seat = table.readers["player"]
    with twin(table.site.house, table.game_id, keep=None, number=1):
        changed = [path for path, text in seen["player"].items() if read(visitor, path) != text]
    at = f"/games/{table.game_id}"
    assert {at, f"{at}/orders", f"{at}/at/{table.site.house.game(table.game_id).seq}"} <= {*changed}


@pytest.mark.parametrize(("reader", "number"), [("player", 1), ("spectator", 2)])
def test_m66_every_page_of_a_running_game_is_the_same_in_its_twins(
    table: Table, seen: dict, reader: str, number: int
):
    """Pages, every position of the replay, what-if board, story, export, feed and API."""
    visitor, seat = table.readers[reader]
    with twin(table.site.house, table.game_id, keep=seat, number=number):
        differ = [path for path, text in seen[reader].items() if read(visitor, path) != text]
    assert differ == []
    assert sum(text.startswith(b"200") for text in seen[reader].values()) > 100


def test_m66_every_mail_of_a_running_game_is_the_same_in_its_twins(table: Table):
    house, game_id = table.site.house, table.game_id
    user = house.owner(game_id, table.seat)
    turn = next(t.turn for t in house.asked(game_id) if t.seat == table.seat)
    with house.write() as s:
        for kind in MAILS:
            how = {"turn": turn} if kind == "turn" else {}
            owe(
                s, kind, key=f"leak:{kind}", now=house.now, user=user, game_id=game_id,
                seat=table.seat, **how,
            )  # fmt: skip
    at = house.now

    def mails() -> dict[str, bytes]:
        random.seed(1)  # boundaries between the parts of a mail are drawn
        with house.read() as s:
            rows = [row for row in house.all(OutboxMail) if row.key.startswith("leak:")]
            return {row.kind: renderer(MAILBOX)(s, row, at).as_bytes() for row in rows}

    true = mails()
    assert set(true) == set(MAILS)
    with twin(house, game_id, keep=table.seat, number=3):
        assert [kind for kind, text in mails().items() if text != true[kind]] == []


def test_late_in_a_game_its_shuffled_stack_is_unseen_too(table: Table):
    """R13: in Step 3 all know which cards are left, and nobody their order."""
    house = table.site.house
    game_id = house.played(
        "Ann",
        "Ben",
        "Cem",
        title="Late",
        auction="sealed",
        until=lambda s: s.step3_drawn and len(s.stack) > 1,
    )
    log, state = house.events(game_id), house.state(game_id)
    assert any(isinstance(event, StackShuffled) for event in log)
    assert house.game(game_id).status == "running"
    visitor, length = table.site.at(game_id, 0), house.get(Game, game_id).seq
    at = f"/games/{game_id}"
    paths = [
        at,
        f"{at}/log.jsonl",
        f"{at}/whatif?{TRIED}",
        *(f"{at}/at/{length - n}" for n in range(20)),
    ]
    true = {path: read(visitor, path) for path in paths}
    assert replay(mixed(log, state, 4)).stack != state.stack
    with twin(house, game_id, keep=0, number=4):
        assert house.state(game_id).stack != state.stack
        assert [path for path, text in true.items() if read(visitor, path) != text] == []
