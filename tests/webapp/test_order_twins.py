"""K3: nothing tells an ordered bid from a typed one before the plant is sold, nor does its time.

Twins of a table: the same seed, the same public bids; in one they are typed, in the others limits
or sheets of orders make them, with different unused rests. What others get must be equal byte by
byte, the answers of the API, the feed, the export and the mails among it.
"""

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.game.events import BidPlaced, MoveOrdered, PlantBought, SealedBidGiven
from core.game.judge import judge
from core.game.log.jsonl import read as read_log
from core.game.types import Seat
from core.mail.addresses import Links
from core.mail.outbox import NotWanted, owe
from core.orders.notation import parse
from core.statuses import ClosedBy
from core.store.tables import OutboxMail, Turn, WebhookCall
from core.table.acts import lobby
from core.table.notify import webhooks
from core.table.record import gamelog, standing_orders
from core.table.views import webhook_calls
from core.table.views.render import renderer
from core.terms import Terms
from tests.support.mails import MAILBOX
from tests.support.site import Site, open_site
from tests.support.twins import read
from tests.webapp.test_leaks import _filled

NOON = datetime(2026, 11, 30, 12, 10, tzinfo=UTC)
LOOKED_AT = NOON + timedelta(minutes=40)
NOT_VISITED = {"static", "ops.metrics", "ops.healthz"}
BANK = Terms(clock="bank", graces=0)
WAYS = {
    "typed": None,
    "limit": "limit 4 to 9",
    "another rest": "limit 4 to 44",
    "a sheet": "order auction 4 to 30",
}
DRAWN = re.compile(rb"[0-9a-f]{32}@")
"""Names of mails are drawn."""
Seen = dict[tuple[str, str], bytes]


@contextmanager
def site_of(folder: Path) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch, open_site(folder, patch) as site:
        patch.setattr("webapp.web.now", lambda: LOOKED_AT)
        gamelog.forget()  # a game of the same seed is in another twin
        site.house._now = NOON
        yield site


def bids(site: Site, order: str | None, *, minutes: int = 0, **settings: object) -> tuple[int, int]:
    """A running auction in which the second of three has bid 5; the third is asked."""
    house = site.house
    settings.setdefault("auction", "open")
    game_id = house.open("Ann", "Ben", "Cem", **settings)
    with house.write() as s:
        lobby.start(s, gamelog.find(s, game_id), house.now, seed="1e" * 32)
    house.adjudicate(game_id)
    opener = house.asked(game_id)[0].seat
    second = (opener + 1) % 3
    if order:
        with house.write() as s:
            game, state = gamelog.lock(s, game_id), gamelog.load(s, game_id)
            standing_orders.give(
                s, game, state, Seat(second), parse(order, state.ruleset), house.now
            )
    house.move(game_id, opener, "auction 4 for 4")
    if not order:
        house.pass_time(minutes=minutes)
        assert house.asked(game_id)[0].seat == second
        house.move(game_id, second, "bid 5")
    bid = house.events(game_id)[-1]
    assert bid in (BidPlaced(second, 5), SealedBidGiven(second))
    assert house.asked(game_id)[0].seat == (opener + 2) % 3
    return game_id, opener


def seen(site: Site, game_id: int, opener: int, *, asked: bool = True) -> Seen:
    """All that others get: the opener, the one who is asked, and a spectator."""
    length = site.house.game(game_id).seq
    fill = {"game_id": game_id, "n": length, "seq": length, "number": 1, "user_id": 1}
    paths = [
        _filled(rule, fill)
        for rule in site.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and rule.endpoint not in NOT_VISITED
    ]
    paths += [f"/games/{game_id}/at/{n}" for n in range(1, length + 1)]
    paths += [f"/players/{n}" for n in (1, 2, 3)]
    readers = {"opener": site.at(game_id, opener), "spectator": site.visitor("Eve")}
    if asked:
        readers["asked"] = site.at(game_id, (opener + 2) % 3)
    return {(who, path): read(by, path) for who, by in readers.items() for path in paths}


def mails(site: Site, game_id: int, opener: int) -> dict[tuple[str, int], bytes]:
    """What the two others are sent, now and when they ask for it."""
    house = site.house
    with house.write() as s:
        for seat in (opener, (opener + 2) % 3):
            user = house.owner(game_id, seat)
            for kind in ("status", "start", "help"):
                owe(
                    s, kind, key=f"twin:{kind}:{seat}", now=house.now, user=user,
                    game_id=game_id, seat=seat,
                )  # fmt: skip
    random.seed(1)  # boundaries between the parts of a mail are drawn
    others = {house.owner(game_id, seat).id for seat in (opener, (opener + 2) % 3)}
    came = {}
    for row in house.all(OutboxMail):
        with house.read() as s, suppress(NotWanted):
            if row.user_id in others:
                text = renderer(MAILBOX)(s, row, LOOKED_AT).as_bytes()
                came[row.key, row.user_id] = DRAWN.sub(b"@", text)
    return came


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory):
    with site_of(tmp_path_factory.mktemp("typed")) as site:
        table = bids(site, None)
        return seen(site, *table), mails(site, *table), len(site.house.all(WebhookCall))


@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way]])
def test_k3_an_ordered_bid_looks_like_a_typed_one(typed, way: str, tmp_path: Path):
    with site_of(tmp_path / "twin") as site:
        table = bids(site, WAYS[way])
        found, sent = seen(site, *table), mails(site, *table)
    pages, letters, _calls = typed
    assert len(pages) > 100
    assert [key for key in pages if found[key] != pages[key]] == []
    assert sent.keys() == letters.keys()
    assert [key for key in letters if sent[key] != letters[key]] == []


@pytest.mark.parametrize(("minutes", "asked"), [(35, False), (0, True)])
def test_k3_an_ordered_envelope_looks_like_a_typed_one(minutes: int, asked: bool, tmp_path: Path):
    """Who is asked at the same time learns nothing from the number of the question either."""
    came = []
    for n, (order, took) in enumerate([(None, minutes), ("limit 4 to 9", 0), ("limit 4 to 44", 0)]):
        with site_of(tmp_path / str(n)) as site:
            table = bids(site, order, minutes=took, auction="sealed")
            came.append(seen(site, *table, asked=asked))
    typed, low, high = came
    assert [key for key in typed if typed[key] != low[key]] == []
    assert [key for key in typed if typed[key] != high[key]] == []


@pytest.mark.parametrize("terms", [Terms(graces=0), BANK])
def test_k3_no_time_in_a_running_auction_tells_how_long_a_bid_took(terms: Terms, tmp_path: Path):
    came = []
    for n, (order, minutes) in enumerate([(None, 35), ("limit 4 to 9", 0)]):
        with site_of(tmp_path / str(n)) as site:
            table = bids(site, order, minutes=minutes, terms=terms)
            came.append(seen(site, *table, asked=False))
    slow, at_once = came
    assert [key for key in slow if slow[key] != at_once[key]] == []


class Calls:
    """Takes what is sent to webhooks, by address."""

    def __init__(self) -> None:
        self.made: list[tuple[str, bytes]] = []

    def post(self, url: str, body: bytes, _headers: object) -> None:
        self.made.append((url, body))


def test_k3_webhooks_of_others_are_told_the_same(tmp_path: Path):
    came = []
    for n, order in enumerate([None, *filter(None, WAYS.values())]):
        with site_of(tmp_path / str(n)) as site:
            house, calls = site.house, Calls()
            users = [house.user(name) for name in ("Ann", "Ben", "Cem")]
            with house.write() as s:
                for user in users:
                    url = f"https://hooks.example.org/{user.name}"
                    webhooks.add(s, s.merge(user), "generic", url, house.now)
            game_id, opener = bids(site, order)
            links = Links(site.settings.secret_key, site.settings.public_url)
            webhook_calls.deliver(house.engine, calls, links, lambda: LOOKED_AT)
            others = {house.owner(game_id, seat).name for seat in (opener, (opener + 2) % 3)}
            came.append([made for made in calls.made if made[0].rpartition("/")[2] in others])
    assert came[0]
    assert all(one == came[0] for one in came)


def test_k3_a_record_does_not_count_the_bids_of_a_running_auction(tmp_path: Path):
    came = []
    for n, order in enumerate([None, "limit 4 to 9"]):
        with site_of(tmp_path / str(n)) as site:
            game_id, opener = bids(site, order)
            second = (opener + 1) % 3
            with site.house.write() as s:
                missed = {"user_id": site.house.owner(game_id, second).id, "seat": second}
                for turn in (901, 902):
                    s.add(Turn(
                        game_id=game_id, turn=turn, asked_at=NOON, allowed_seconds=1, deadline=NOON,
                        first_deadline=NOON, closed_at=NOON, closed_by=ClosedBy.MISSED,
                        closed_seq=0, **missed,
                    ))  # fmt: skip
            other = site.house.open("Dora", "Ben", "Cem", "Ann", players=5)
            eve = site.visitor("Eve")
            records = re.findall(r".*in time.*", eve.page(f"/games/{other}"))  # the seed is drawn
            came.append((read(eve, f"/games/{game_id}"), records))
    assert b"0 of the last 2 turns answered in time" in came[0][0]
    assert any(re.search(r"\b0 %", line) for line in came[0][1])
    assert came[0] == came[1]


def test_k3_the_sale_tells_which_bids_were_ordered_and_when(tmp_path: Path):
    with site_of(tmp_path / "sold") as site:
        game_id, opener = bids(site, "limit 4 to 9")
        house = site.house
        assert "MoveOrdered" not in house.kinds(game_id)
        house.pass_time(minutes=3)
        house.move(game_id, (opener + 2) % 3, "pass")
        house.move(game_id, opener, "pass")
        log = house.events(game_id)
        made = next(n for n, e in enumerate(log, 1) if isinstance(e, BidPlaced))
        assert [e for e in log if isinstance(e, MoveOrdered)] == [
            MoveOrdered(Seat((opener + 1) % 3), "limit", made=made)
        ]
        assert judge(log).sound
        file = site.visitor("Eve").get(f"/games/{game_id}/log.jsonl")
        entries = read_log(file.get_data()).entries
        passed = next(e for e in entries if e.event.type == "BidPassed")
        sold = next(e for e in entries if isinstance(e.event, PlantBought))
        assert entries[made - 1].at == NOON
        assert passed.at == sold.at == NOON + timedelta(minutes=3)


def test_k3_the_page_of_orders_says_what_a_limit_still_tells(tmp_path: Path):
    with site_of(tmp_path / "page") as site:
        game_id, opener = bids(site, "limit 4 to 9")
        text = site.at(game_id, (opener + 2) % 3).page(f"/games/{game_id}/orders")
    assert "a quick answer at night tells something" in text
