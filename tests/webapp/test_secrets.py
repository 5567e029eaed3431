"""M66: nothing on any page tells a reader what is another's secret."""

import pytest

from core.store.tables import Game
from core.table.play import chat
from tests.support.site import Site

MAXIMUM = 48713
NOTE = "canary-note-5521"
DRAFT = 31907
GAME_PAGES = ("", "/pulse", "?sent=1", "/turn/1", "/rules", "/log.jsonl")
RICH = {"starting_elektro": 60061}


class Spied:
    """A sealed auction with one envelope handed in, notes written and a draft kept."""

    def __init__(self, site: Site) -> None:
        self.site, house = site, site.house
        self.game_id = house.start("Ann", "Ben", "Cem", auction="sealed", options=RICH)
        opener = house.asked(self.game_id)[0].seat
        plant = house.state(self.game_id).market.actual[0]
        house.move(self.game_id, opener, f"auction {plant} for {MAXIMUM}")
        self.owner, self.second = opener, house.asked(self.game_id)[0].seat
        turn = house.asked(self.game_id)[0].turn
        at = f"/games/{self.game_id}"
        site.at(self.game_id, opener).post(f"{at}/note", {"text": NOTE})
        fields = {"do": "keep", "turn": turn, "act": "bid", "amount": str(DRAFT)}
        site.at(self.game_id, self.second).post(f"{at}/turn", fields)

    def pages(self, visitor) -> str:
        """Everything that this game shows to somebody, headers included."""
        length = self.site.house.game(self.game_id).seq
        paths = ["/", "/metrics", "/healthz"]
        paths += [f"/games/{self.game_id}{rest}" for rest in GAME_PAGES]
        paths += [f"/games/{self.game_id}/at/{n}" for n in range(1, length + 1)]
        answers = [visitor.get(path) for path in paths]
        return "\n".join(f"{answer.headers}{answer.text}" for answer in answers)


@pytest.fixture
def spied(site: Site) -> Spied:
    return Spied(site)


def test_the_canaries_sing_for_their_owners(spied: Spied):
    """Otherwise the tests below could not fail."""
    assert NOTE in spied.pages(spied.site.at(spied.game_id, spied.owner))
    assert str(DRAFT) in spied.pages(spied.site.at(spied.game_id, spied.second))
    assert str(MAXIMUM) in spied.pages(spied.site.at(spied.game_id, spied.owner))


@pytest.mark.parametrize("who", ["second", "third", "spectator", "nobody"])
def test_sealed_bids_notes_and_drafts_are_seen_by_their_owner_alone(spied: Spied, who: str):
    third = ({0, 1, 2} - {spied.owner, spied.second}).pop()
    visitor = {
        "second": lambda: spied.site.at(spied.game_id, spied.second),
        "third": lambda: spied.site.at(spied.game_id, third),
        "spectator": lambda: spied.site.visitor("Eve"),
        "nobody": spied.site.visitor,
    }[who]()
    text = spied.pages(visitor)
    assert str(MAXIMUM) not in text
    assert NOTE not in text
    assert (str(DRAFT) in text) == (who == "second")


def test_addresses_and_the_seed_are_nobodys_to_see(spied: Spied):
    seed = spied.site.house.get(Game, spied.game_id).seed
    for visitor in (spied.site.at(spied.game_id, 0), spied.site.visitor("Eve")):
        text = spied.pages(visitor)
        assert "@example.org" not in text
        assert seed not in text


def test_money_in_hand_is_seen_by_its_owner_alone(spied: Spied):
    """R15: with hidden money a purse is shown to its owner, at present and in the replay."""
    house, game_id = spied.site.house, spied.game_id
    house.play(game_id, until=lambda state: state.round > 1)
    purses = {s: p.elektro for s, p in enumerate(house.state(game_id).players)}
    for seat in purses:
        text = spied.site.at(game_id, seat).page(f"/games/{game_id}")
        seen = {other for other, purse in purses.items() if f"{purse}</" in text}
        assert seen == {s for s, p in purses.items() if p == purses[seat]}


def test_chat_of_a_table_is_not_for_private_eyes(site: Site):
    game_id, ann = site.house.start("Ann", "Ben"), site.house.user("Ann")
    with site.house.write() as s:
        game = s.get_one(Game, game_id)
        game.private = True
        chat.say(s, game, ann, "canary-chat", "k", site.house.now)
    assert "canary-chat" in site.visitor("Ben").page(f"/games/{game_id}")
    assert site.visitor("Eve").get(f"/games/{game_id}").status_code == 404
