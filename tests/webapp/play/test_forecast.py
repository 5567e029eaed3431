"""What a page says about the rest of the round, and about who has done what."""

import re
from dataclasses import replace
from html import unescape

import pytest

from core import questions
from core.game import engine
from core.game.board.fuel_market import price_of_next
from core.game.events import PlantPutUnder
from core.game.moves import BuildCities
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
)
from core.game.types import Fuel
from core.mail.position import position
from core.store.tables import Draft
from core.table.play import submissions
from core.table.views.table_view import table_view
from tests.support.site import Site
from webapp.play import game_page
from webapp.play.game_page import Preview, given


class Table:
    """A game of three, played to the first question of some kind."""

    def __init__(self, site: Site, offer: type, until=lambda state, seat: True, **how) -> None:
        self.site, house = site, site.house
        self.game_id = house.start("Ann", "Ben", "Cem", **{"auction": "open", **how})

        def there(state) -> bool:
            seat = house.asked(self.game_id)[0].seat
            return isinstance(engine.options(state, seat), offer) and until(state, seat)

        house.play(self.game_id, until=there)
        self.turn = house.asked(self.game_id)[0]
        self.seat = self.turn.seat
        self.at = f"/games/{self.game_id}"
        self.visitor = site.at(self.game_id, self.seat)

    def view(self):
        with self.site.house.read() as s:
            return table_view(s, self.game_id, self.seat, now=self.site.house.now)

    def post(self, **fields):
        number = self.site.house.asked(self.game_id)[0].turn
        return self.visitor.post(f"{self.at}/turn", {"turn": number, **fields})


def full(state, seat) -> bool:
    """Has the seat as many plants as it may have?"""
    return len(state.players[seat].plants) == state.numbers.plant_limit


class TestTheRaceLine:
    def test_m74_names_the_leader_and_both_rows_of_the_refill(self, site: Site):
        table = Table(site, BuildOffer)
        assert game_page.race(table.view())[0] == "Step 2 at 7 cities (nobody has one)"
        house, name = site.house, site.house.owner(table.game_id, table.seat).name
        house.move(table.game_id, table.seat, house.line(table.game_id, table.seat))
        count = len(house.state(table.game_id).players[table.seat].cities)
        facts = game_page.race(table.view())
        assert facts[0] == f"Step 2 at 7 cities ({name} {count})"
        assert facts[-1] == "refill now 4/2/1/1, in Step 2 5/3/2/1"
        page = table.visitor.page(table.at)
        assert 'href="#income"' in page
        income = page[page.index('id="income"') :].partition("</table>")[0]
        payment = house.state(table.game_id).ruleset.payment[:20]
        assert re.findall(r"<td[^>]*>(\d+)</td>", income) == [str(paid) for paid in payment]

    def test_says_of_many_leaders_only_how_far_they_are(self, site: Site):
        view = Table(site, BuildOffer).view()
        players = tuple(replace(p, cities=("kiel",)) for p in view.view.players)
        tied = replace(view, view=replace(view.view, players=players, step=3))
        facts = game_page.race(tied)
        assert facts[0] == "end at 17 (most now 1)"
        assert facts[-1] == "refill 3/4/3/1"


def test_the_fuel_market_tells_the_price_after_the_refill(site: Site):
    """What the page tells while plants run is what the next round buys at."""
    table = Table(site, PowerOffer)
    before = table.view().view
    told = game_page.markets(before)[0]["fuels"]
    page = table.visitor.page(table.at)
    for row in told:
        then = f" → {row['then']}" if row["then"] != row["next"] else ""
        assert f'<td class="num">+{row["comes"]}{then}</td>' in page
    site.house.play(table.game_id, until=lambda state: state.round > 1)
    refilled = site.house.kinds(table.game_id).index("FuelRefilled") + 1
    after = site.house.state(table.game_id, refilled)
    for row, (fuel, track) in zip(told, after.ruleset.tracks.items(), strict=True):
        assert row["then"] == price_of_next(track, after.fuel_market[fuel]), fuel
    assert any(row["then"] != row["next"] for row in told)


def test_on_a_phone_a_dash_says_of_what_there_is_none(site: Site):
    table = Table(site, OpeningOffer)
    row = table.visitor.page(table.at).partition('<tr class="me"')[2].partition("</tr>")[0]
    assert re.findall('data-label="(Plants|Fuel)"', row) == ["Plants", "Fuel"]


def test_the_plant_that_is_said_to_leave_does(site: Site):
    """R10.5: what the page tells while plants run is what the round's end does."""
    table = Table(site, PowerOffer)
    told = game_page.leaving(table.view().view)
    assert f"{position(table.view()).stack} {told}" in table.visitor.page(table.at)
    site.house.play(table.game_id, moves=3)
    put = [e for e in site.house.events(table.game_id) if isinstance(e, PlantPutUnder)]
    assert told == f"{put[-1].plant} goes under the stack at the end of the round."
    step3 = replace(table.view().view, step=3)
    assert game_page.leaving(step3).startswith(f"{min(step3.market.cards)} leaves the game")


def test_the_players_table_tells_of_acts_waiting_and_room(site: Site):
    table = Table(site, BuildOffer)
    activity = game_page.activity(table.view())
    mine = activity[table.seat]
    assert mine.since == table.turn.asked_at
    assert mine.act is not None
    assert "bought" in mine.act.text
    assert [a.since for seat, a in activity.items() if seat != table.seat] == [None, None]
    plants = table.view().view.plants_of(table.seat)
    assert mine.room == sum(p.storage for p in plants)
    page = table.visitor.page(table.at)
    row = page[page.index('<tr class="me"') :].partition("</tr>")[0]
    assert f"/{mine.room}</span>" in row
    assert f'href="{table.at}/at/{mine.act.seq}"' in row


def test_the_players_table_tells_what_plants_could_and_fuel_can_power_as_the_mail_does(site: Site):
    table = Table(site, PurchaseOffer)
    told = next(p for p in position(table.view()).players if p.mine)
    assert told.capacity > told.ready
    page = table.visitor.page(table.at)
    row = page[page.index('<tr class="me"') :].partition("</tr>")[0]
    power = re.sub("<[^>]*>", "", row[row.index('<span title="plants could power') :])
    assert power.startswith(f"{told.capacity}/{told.ready}")


class TestABid:
    def test_says_what_winning_would_leave_and_power(self, site: Site):
        table = Table(site, BidOffer, full)
        view = table.view().view
        question = questions.of(view)
        page = table.visitor.page(table.at)
        least = view.offer.minimum
        assert f"If you win at {least}: {view.me.elektro - least} Elektro left." in page
        mine = view.plants_of(table.seat)
        won = view.ruleset.plant[view.offer.plant].cities
        before = sum(p.cities for p in mine)
        after = before + won - min(p.cities for p in mine)
        assert question.power == f"{before} → {after} cities"
        assert [d["value"] for d in question.drops] == [str(p.number) for p in mine]

    @pytest.mark.parametrize("kind", [OpeningOffer, BidOffer])
    @pytest.mark.parametrize("auction", ["open", "sealed"])
    def test_a_preview_says_what_winning_would_leave_and_power(
        self, site: Site, kind: type, auction: str
    ):
        table = Table(site, kind, full, auction=auction)
        view = table.view().view
        if isinstance(view.offer, BidOffer):
            most, plant, line = view.offer.minimum + 1, view.offer.plant, "bid {most}"
        else:
            most, plant = view.offer.plants[0].minimum + 1, view.offer.plants[0].plant
            line = f"auction {plant} for {{most}}"
        sums = self.sums(table.post(do="preview", line=line.format(most=most)).text)
        left = view.me.elektro - most
        sealed = f"if you win: at least {left} Elektro left"
        assert (f"if you win at {most}: {left} Elektro left", sealed)[auction == "sealed"] in sums
        assert f"plants {questions.of(view).powers(view.ruleset.plant[plant])}" in sums

    def test_a_preview_of_a_sealed_bid_tells_a_bid_from_a_pass(self, site: Site):
        table = Table(site, BidOffer, auction="sealed")
        offer = table.view().view.offer
        bid = table.post(do="preview", line=f"bid {offer.minimum}").text
        assert f"You would pay up to {offer.minimum} for plant {offer.plant}." in bid
        passed = table.post(do="preview", line="pass").text
        assert f"You leave plant {offer.plant} to the others, for good." in passed
        assert "if you win" not in passed
        for page in (bid, passed):
            assert "handed in" not in page.partition('id="preview"')[2].partition("</section>")[0]

    @staticmethod
    def sums(page: str) -> list[str]:
        found = re.search(r'<p class="sums">(.*?)</p>', page, re.DOTALL)
        assert found
        return re.findall(r"<span>(.*?)</span>", found[1])

    def test_asks_for_no_discard_while_there_is_room(self, site: Site):
        table = Table(site, BidOffer)
        assert 'name="drop"' not in table.visitor.page(table.at)

    @pytest.mark.parametrize("which", [0, 1, 2])
    def test_keeps_the_plant_that_is_to_go_until_it_is_asked_for(self, site: Site, which: int):
        table = Table(site, OpeningOffer, full)
        house, view = site.house, table.view().view
        drop = str(view.me.plants[which])
        plant = str(view.offer.plants[-1].plant)
        table.post(do="preview", plant=plant, drop=drop)
        row = house.get(Draft, (table.game_id, table.seat))
        assert (row.fields["drop"], row.fields["plant"]) == ([drop], [plant])
        house.move(
            table.game_id, table.seat, f"auction {plant} for {view.offer.plants[-1].minimum}"
        )
        while (asked := house.asked(table.game_id)[0]).seat != table.seat:
            house.move(table.game_id, asked.seat, "pass")
        now = table.view()
        assert isinstance(now.view.offer, DiscardOffer)
        with house.read() as s:
            choice = given(s, now, now.mine.turn)["choice"]
        assert choice[0].split()[:2] == ["discard", drop]
        checked = re.search(r'name="choice" value="([^"]+)" checked', table.visitor.page(table.at))
        assert checked.group(1) == choice[0]

    def test_keeps_it_for_the_next_bid_on_the_same_plant_only(self, site: Site):
        view = Table(site, BidOffer, full).view().view
        same, other = str(view.offer.plant), "50"
        question = questions.of(view)
        carried = question.carried({"drop": ["4"], "for": [same]})
        assert carried == {"drop": ["4"], "lose": [""]}
        assert question.carried({"drop": ["4"], "for": [other]}) == {}
        assert question.carried({"drop": [""], "for": [same]}) == {}


@pytest.mark.parametrize(
    ("cities", "plants", "passed"),
    [
        ((3, 3, 5), (20, 30, 31), "passes Ben in turn order"),
        ((2, 2, 2), (20, 30, 31), "passes Cem and Ben in turn order"),
        ((2, 3, 3), (20, 19, 31), "passes Ben in turn order"),
        ((2, 3, 3), (20, 21, 22), ""),
        ((3, 2, 1), (20, 30, 31), ""),
    ],
)
def test_a_preview_names_whom_it_passes_in_turn_order(site: Site, cities, plants, passed):
    """R7.2: most cities first, then the highest plant."""
    view = Table(site, BuildOffer).view().view
    towns = tuple(c.id for c in view.ruleset.map.cities)
    before = replace(
        view,
        seat=0,
        players=tuple(
            replace(p, seat=n, cities=towns[:count], plants=(plants[n],))
            for n, (p, count) in enumerate(zip(view.players, cities, strict=True))
        ),
    )
    mine = before.players[0]
    more = replace(mine, cities=towns[: cities[0] + 1])
    after = replace(before, players=(more, *before.players[1:]))
    question, names, move = questions.of(before), ("Ann", "Ben", "Cem"), BuildCities(())
    sums = Preview.of(question, submissions.Preview(move, (), after), names).sums
    assert [text for text in sums if "passes" in text] == ([passed] if passed else [])
    same = Preview.of(question, submissions.Preview(move, (), before), names).sums
    assert not [text for text in same if "→" in text or "passes" in text]


def test_a_discard_begins_with_the_plant_that_goes_without_an_answer(site: Site):
    def unsorted(state, seat) -> bool:
        plants = state.players[seat].plants
        return min(plants) != plants[0]

    table = Table(site, DiscardOffer, unsorted)
    shown = table.post(do="preview", line=f"discard {table.view().view.me.plants[0]}").text
    mine = table.view().view.plants_of(table.seat)
    total = sum(plant.cities for plant in mine)
    assert f"plants {total} → {total - mine[0].cities} cities" in TestABid.sums(shown)
    page = table.visitor.page(table.at)
    (begins,) = re.findall(r'name="choice" value="([^"]+)" checked', page)
    goes = min(choice.plant for choice in table.view().view.offer.choices)
    assert begins.split()[:2] == ["discard", str(goes)]
    assert f'<span class="line">{begins}</span>' in page  # what counts as no answer


def test_a_hybrid_offers_every_mix_in_hand(site: Site):
    """R5.3: each row is a line of its own, the cheaper mix first, and the rules take it."""

    def hybrid(state, seat) -> bool:
        return any(p.hybrid for p in state.plants_of(seat))

    table = Table(site, PowerOffer, hybrid)
    view = table.view().view
    plant = next(p for p in view.plants_of(table.seat) if p.hybrid)
    players = list(view.players)
    players[table.seat] = replace(view.me, fuel=Fuel(coal=plant.burns, oil=plant.burns))
    choice = next(
        replace(c, plants=(plant.number,), burned=Fuel(coal=plant.burns))
        for c in view.offer.choices
    )
    rich = replace(view, players=tuple(players), offer=PowerOffer((choice,)))
    lines = [row["line"] for row in questions.of(rich).rows]
    mixes = [Fuel(coal=plant.burns - n, oil=n) for n in range(plant.burns + 1)]
    assert len(lines) == len(set(lines)) == len(mixes)
    for line, mix in zip(lines, mixes, strict=True):
        for kind, count in mix.items():
            assert f"{count} {kind.value}" in line


class TestTheLogOfOnePlayer:
    def test_shows_his_lines_alone(self, site: Site):
        table = Table(site, BuildOffer)
        whole = table.visitor.page(table.at)
        names = [site.house.owner(table.game_id, s).name for s in range(3)]

        def log(page: str) -> list[str]:
            part = page[page.index('id="log"') :].partition("</section>")[0]
            return re.findall(r"<span>([^<]+)</span></li>", part)

        for seat, name in enumerate(names):
            assert f'href="{table.at}?by={seat}#log"' in whole
            page = table.visitor.page(f"{table.at}?by={seat}")
            mine = log(page)
            assert mine
            assert set(mine) < set(log(whole))
            assert next(line for line in log(whole) if line.startswith(name)) in mine

    @pytest.mark.parametrize("by", ["9", "-1", "x", "", "٣"])
    def test_of_nobody_is_the_log_of_all(self, site: Site, by: str):
        table = Table(site, OpeningOffer)
        page = table.visitor.page(f"{table.at}?by={by}")
        assert 'aria-current="true">All<' in page

    def test_in_the_replay_too(self, site: Site):
        table = Table(site, BuildOffer)
        page = table.visitor.page(f"{table.at}/at/20?by=1")
        assert f'href="{table.at}/at/20?by=1#log" aria-current="true"' in page


def test_the_building_table_tells_region_way_and_places_by_total(site: Site):
    def much(state, seat) -> bool:
        """Is a city within reach that lies beyond another one, and one with a house?"""
        targets = engine.options(state, seat).targets
        built = {city for player in state.players for city in player.cities}
        return any(len(t.path) > 2 for t in targets) and any(t.city in built for t in targets)

    table = Table(site, BuildOffer, until=much)
    view, rules = table.view().view, site.house.state(table.game_id).ruleset
    rows = questions.of(view).rows
    assert [row["total"] for row in rows] == sorted(row["total"] for row in rows)
    for target, row in zip(view.offer.targets, rows, strict=True):
        assert row["total"] == row["house"] + row["connection"] == target.total
        left = view.step - len(view.houses(target.city))
        places = f"{left} place left" if left == 1 else f"{left} places left"
        region = rules.region[rules.city[target.city].region].name
        via = " – ".join(rules.city[city].name for city in target.path[1:-1])
        told = [region, f"via {via}", places] if via else [region, places]
        assert row["place"] == " · ".join(told)
    page = unescape(table.visitor.page(table.at))
    assert all(row["place"] in page and row["name"] in page for row in rows)


def test_the_log_divides_what_is_new_from_what_was_seen(site: Site):
    table = Table(site, BuildOffer, until=lambda state, _seat: state.round > 1)
    page = table.visitor.page(table.at)
    log = page[page.index('id="log"') :]
    assert log.count('class="since"') == 1
    oldest = int(re.findall(r'id="e(\d+)"', log.partition('class="since"')[0])[-1])
    news = [int(seq) for seq in re.findall(r'<li class="new" id="e(\d+)"', log)]
    seen = [int(seq) for seq in re.findall(r'<li id="e(\d+)"', log)]
    assert oldest == min(news), "the newest comes first, in rounds and in lines (W17)"
    assert news == sorted(news, reverse=True)
    assert max(seen) < table.view().new_from <= min(news)
    assert 'class="since"' not in site.visitor("Zoe").page(table.at)
