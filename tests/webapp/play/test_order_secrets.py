"""M66: with canaries in every order and sealed bid, nothing tells them to anybody else.

All addresses of the site that can be read are visited, by its own list of them, and all mails
that are owed are rendered, for each seat but the owner's, a spectator and a stranger.
"""

import re

import pytest
from werkzeug.routing import Rule

from core.game.types import Seat
from core.mail.addresses import TurnLink
from core.orders.notation import parse
from core.store.tables import Game
from core.table.record import gamelog, standing_orders
from tests.support.post_office import PostOffice, readable
from tests.support.site import Site
from webapp.access import links

PURSE = 90_009
LIMIT, WISH, KEEP, EACH, BUDGET, BID = 71_357, 72_468, 73_579, 74_681, 75_792, 76_813
CANARIES = tuple(map(str, (LIMIT, WISH, KEEP, EACH, BUDGET, BID)))
UNLIKELY_CITIES = ("Konstanz", "Flensburg")
ORDERS = (
    f"limit 50 to {LIMIT}", f"order auction 46 to {WISH} keep {KEEP} every round",
    f"order fuel all at most {EACH} each every round",
    f"order build Konstanz, Flensburg at most {BUDGET} every round", "order power all every round",
)  # fmt: skip
NOT_VISITED = {"static"}


class Spied:
    """A sealed auction; one seat has bid and has left orders of every kind."""

    def __init__(self, site: Site) -> None:
        self.site, house = site, site.house
        self.game_id = house.start(
            "Ann", "Ben", "Cem", auction="sealed", options={"starting_elektro": PURSE}
        )
        self.owner = house.asked(self.game_id)[0].seat
        plant = house.state(self.game_id).market.actual[0]
        house.move(self.game_id, self.owner, f"auction {plant} for {BID}")
        with house.write() as s:
            row, state = gamelog.lock(s, self.game_id), gamelog.load(s, self.game_id)
            for line in ORDERS:
                said = parse(line, state.ruleset)
                standing_orders.give(s, row, state, Seat(self.owner), said, house.now)

    def paths(self) -> list[str]:
        """Every address that answers GET, with this game's numbers filled in."""
        with self.site.house.write() as s:
            length = s.get_one(Game, self.game_id).seq
        fill = {"game_id": self.game_id, "n": length, "seq": length, "number": 1}
        found = [
            _filled(rule, fill)
            for rule in self.site.app.url_map.iter_rules()
            if "GET" in (rule.methods or ()) and rule.endpoint not in NOT_VISITED
        ]
        positions = [f"/games/{self.game_id}/at/{n}" for n in range(1, length + 1)]
        return [*found, *positions, f"/games/{self.game_id}?sent=1"]

    def told(self, visitor) -> str:
        """All that this visitor can read."""
        answers = [visitor.get(path) for path in self.paths()]
        return "\n".join(f"{a.headers}{a.get_data().decode('utf-8', 'replace')}" for a in answers)


def _filled(rule: Rule, numbers: dict[str, int]) -> str:
    """The address of a rule; what is no number of ours is filled with 1."""
    path = re.sub(r"<(?:[^:<>]+:)?(\w+)>", lambda m: str(numbers.get(m[1], 1)), rule.rule)
    return path or "/"


@pytest.fixture
def spied(site: Site) -> Spied:
    return Spied(site)


def test_the_canaries_sing_for_their_owner(spied: Spied):
    """Otherwise the tests below could not fail."""
    text = spied.told(spied.site.at(spied.game_id, spied.owner))
    for canary in (*CANARIES, *UNLIKELY_CITIES):
        assert canary in text
    assert any(f"/games/{spied.game_id}/orders" == path for path in spied.paths())


@pytest.mark.parametrize("who", ["others", "spectator", "nobody"])
def test_m66_no_address_tells_orders_or_bids_to_anybody_else(spied: Spied, who: str):
    others = [seat for seat in range(3) if seat != spied.owner]
    visitors = {
        "others": [spied.site.at(spied.game_id, seat) for seat in others],
        "spectator": [spied.site.visitor("Eve")],
        "nobody": [spied.site.visitor()],
    }[who]
    for visitor in visitors:
        text = spied.told(visitor)
        assert [canary for canary in CANARIES if canary in text] == []
        assert "Konstanz, Flensburg" not in text


def test_m66_no_mail_tells_orders_or_bids_to_anybody_else(
    spied: Spied, monkeypatch: pytest.MonkeyPatch
):
    """Turn, status and end mails of a whole round, the caretaker's notices among them."""
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    house = spied.site.house
    office, mine = PostOffice(house), house.owner(spied.game_id, spied.owner).email
    for turn in house.asked(spied.game_id):
        house.move(spied.game_id, turn.seat, "pass")
    for mail in [*office.fetch()]:
        if mine not in str(mail["To"]):
            office.answer(mail, "status", "help", "orders")
    house.play(spied.game_id, until=lambda state: state.round == 2)
    told = [readable(m) for m in [*office.sent, *office.fetch()] if mine not in str(m["To"])]
    assert told
    hidden = [c for c in CANARIES if c != str(BID)]  # sealed bids are opened in the end
    for text in told:
        assert [canary for canary in hidden if canary in text] == []


def test_m66_a_link_that_was_answered_opens_no_orders(spied: Spied):
    """Mails are passed on: an old link must not show what its seat has ordered since."""
    user = spied.site.house.owner(spied.game_id, spied.owner)
    with spied.site.app.test_request_context():
        address = links().url(TurnLink(user.id, spied.game_id, spied.owner, 2))
    path = f"/turn/{address.rpartition('/')[2]}/orders"
    assert spied.site.visitor().get(path).status_code == 404
