"""The replay: every position of a game has its page."""

import re
from html import unescape

import pytest
from sqlmodel import update

from core.bots import bot
from core.game.evolve import Fold
from core.game.log.jsonl import log_of
from core.game.narrate.lines import Narrator
from core.game.observe import observe
from core.game.rules.load import load
from core.store.tables import Game, SeatRow
from core.table.people import archive
from tests.support.site import Site
from webapp.instruments.selfplay import play_game

ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
NAMES = ("Ann", "Ben", "Cem")


def table(page: str, heading: str) -> list[list[str]]:
    """The words of the table behind some words of a page, row by row."""
    found = page[page.index(heading) :]
    body = found[found.index("<tbody>") : found.index("</tbody>")]
    return [
        [" ".join(unescape(TAG.sub(" ", cell)).split()) for cell in CELL.findall(row)]
        for row in ROW.findall(body)
    ]


@pytest.fixture
def played(site: Site) -> tuple[Site, int]:
    """A game of two that has gone on for some rounds."""
    game_id = site.house.played("Ann", "Ben", auction="open", moves=40)
    return site, game_id


def test_every_position_has_its_page_for_everybody(played):
    """M50: stepping from the first event to the last covers all kinds of events."""
    site, game_id = played
    length = site.house.game(game_id).seq
    visitor = site.visitor()
    for n in range(1, length + 1):
        text = visitor.page(f"/games/{game_id}/at/{n}")
        assert f"event {n} of {length}" in text
    for n in (0, length + 1):
        assert visitor.get(f"/games/{game_id}/at/{n}").status_code == 404


def test_m50_m51_each_position_is_the_fold_of_its_events(site: Site):
    """Money, cities, plants, fuel, houses, market on the page of event n, for every n of a game."""
    rules = load("germany", options={"auction": "open"})
    log, fold = play_game(rules, [bot("engineer")] * 3, "ab" * 32), Fold()
    with site.house.write() as s:
        game_id = archive.import_log(s, log_of(log, NAMES), site.house.now).id
    visitor, linked = site.visitor(), {1}
    tell = Narrator(rules, NAMES)
    for n, event in enumerate(log, 1):
        view = observe(fold.add(event), None, revealed=True)
        page = visitor.page(f"/games/{game_id}/at/{n}")
        for player, row in zip((view.players[seat] for seat in view.order),
                               table(page, "Players, in turn order"), strict=True):  # fmt: skip
            assert row[0].endswith(NAMES[player.seat])
            assert row[1:3] == [str(player.elektro), str(len(player.cities))]
            assert {*map(str, player.plants)} <= {*row[4].split()}
            assert row[5].startswith(" ".join(
                f"{held} {kind.value}" for kind, held in player.fuel.items()))  # fmt: skip
        houses = {row[0]: row[2] for row in table(page, "The board as a table")}
        true = {
            city.name: ", ".join(NAMES[seat] for seat in view.houses(city.id)) or "–"
            for city in rules.map.cities
            if city.region in view.regions
        }
        assert houses == true
        left = [int(row[1]) for row in table(page, "Fuel market")]
        assert left == [view.fuel_market[kind] for kind in rules.tracks]
        if tell.line(event):
            assert n in linked
        linked |= {int(m) for m in re.findall(rf"/games/{game_id}/at/(\d+)", page)}


def test_a_finished_game_is_kept_and_a_running_one_is_not(played):
    site, game_id = played
    running = site.visitor().get(f"/games/{game_id}/at/5")
    assert running.headers["Cache-Control"] == "no-store"
    assert "ETag" not in running.headers
    assert "v=" not in marked(running)
    over(site, game_id)
    plain = site.visitor().get(f"/games/{game_id}/at/5")
    assert set(plain.headers["Cache-Control"].split(", ")) == {"no-cache", "public"}
    mine = site.visitor("Ann").get(f"/games/{game_id}/at/5")
    assert set(mine.headers["Cache-Control"].split(", ")) == {"no-cache", "private"}
    assert mine.headers["ETag"] != plain.headers["ETag"]
    again = {"If-None-Match": plain.headers["ETag"]}
    assert site.visitor().get(f"/games/{game_id}/at/5", headers=again).status_code == 304
    assert site.visitor().get(f"/games/{game_id}/at/6", headers=again).status_code == 200


def test_marked_addresses_are_kept_for_ever_until_names_or_the_build_change(played, monkeypatch):
    site, game_id = played
    over(site, game_id)

    def links() -> str:
        return marked(site.visitor().get(f"/games/{game_id}/at/5"))

    first = links()
    kept = site.visitor().get(first)
    assert {"immutable", "max-age=31536000"} <= set(kept.headers["Cache-Control"].split(", "))
    assert marked(kept).split("v=")[1] == first.split("v=")[1]  # one goes on by marked addresses
    others = site.visitor("Ann").get(first)
    assert "no-cache" in others.headers["Cache-Control"]  # the mark is another reader's
    with site.house.write() as s:
        s.exec(update(SeatRow).where(SeatRow.game_id == game_id, SeatRow.seat == 0)
               .values(name="a former player"))  # fmt: skip
    renamed = links()
    monkeypatch.setattr("webapp.records.replay.build", lambda: "another")
    assert len({first, renamed, links()}) == 3
    old = site.visitor().get(first, headers={"If-None-Match": kept.headers["ETag"]})
    assert (old.status_code, "no-cache" in old.headers["Cache-Control"]) == (200, True)


def test_a_message_is_not_kept_with_a_page(played):
    site, game_id = played
    over(site, game_id)
    visitor = site.visitor()
    with visitor.client.session_transaction() as session:
        session["_flashes"] = [("good", "You are signed in.")]
    answer = visitor.get(f"/games/{game_id}/at/5")
    assert "You are signed in." in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert "You are signed in." not in visitor.page(f"/games/{game_id}/at/5")


def over(site, game_id: int) -> None:
    with site.house.write() as s:
        s.get_one(Game, game_id).status = "abandoned"


def marked(answer) -> str:
    """Where "next" leads."""
    return unescape(re.search(r'data-go="next" href="([^"]+)"', answer.text)[1])


def test_next_leads_from_the_first_to_the_last_and_back(played):
    site, game_id = played
    visitor, length = site.visitor(), site.house.game(game_id).seq

    def walk(start: int, rel: str) -> list[int]:
        seen, n = [start], start
        while match := re.search(
            rf'data-go="{rel}" href="/games/{game_id}/at/(\d+)"',
            visitor.page(f"/games/{game_id}/at/{n}"),
        ):
            n = int(match.group(1))
            seen.append(n)
        return seen

    forward = walk(1, "next")
    assert forward == sorted(set(forward))
    assert len(forward) > 40
    assert walk(forward[-1], "previous") == forward[::-1]
    assert forward[-1] <= length
    assert len(walk(1, "round-on")) >= site.house.state(game_id).round


def test_what_changed_is_told_and_a_new_house_is_ringed(played):
    site, game_id = played
    n = site.house.kinds(game_id).index("CityConnected") + 1
    page = site.visitor().page(f"/games/{game_id}/at/{n}")
    changed = page[page.index("What changed") :]
    event = site.house.events(game_id)[n - 1]
    name = site.house.state(game_id).ruleset.city[event.city].name
    assert name in changed[:600]
    assert 'class="ring"' in page
    assert 'class="ring"' not in site.visitor().page(f"/games/{game_id}")


def test_a_position_is_that_after_its_event_and_not_a_moment_later(played):
    site, game_id = played
    kinds = site.house.kinds(game_id)

    def houses(n: int) -> int:
        board = site.visitor().page(f"/games/{game_id}/at/{n}")
        return board[board.index("<svg xmlns") :].count('class="house')

    for n in [n for n, kind in enumerate(kinds, 1) if kind == "CityConnected"][:3]:
        assert houses(n) == houses(n - 1) + 1


def test_the_past_offers_no_move(played):
    site, game_id = played
    seat = site.house.asked(game_id)[0].seat
    page = site.at(game_id, seat).page(f"/games/{game_id}/at/{site.house.game(game_id).seq}")
    assert '<form method="post"' not in page.partition("<footer")[0]
    assert "Your move" not in page


def test_m51_the_slider_works_without_scripts(played):
    site, game_id = played
    for given, n in (("7", 7), ("x", 1), ("", 1), ("99999999999", 1)):
        answer = site.visitor().get(f"/games/{game_id}/at?n={given}")
        assert answer.location == f"/games/{game_id}/at/{n}"


def test_m53_m55_the_log_links_each_line_to_its_position(played):
    """M53, M55: an address and a time for every line."""
    site, game_id = played
    page = site.visitor().page(f"/games/{game_id}")
    log = page[page.index('id="log"') :]
    links = re.findall(rf'href="/games/{game_id}/at/(\d+)" title="([^"]+)"', log)
    assert len(links) > 20
    assert all("UTC" in time for _n, time in links)


def test_the_end_is_explained(site: Site):
    game_id = site.house.played("Ann", "Ben", auction="sealed")
    page = site.visitor().page(f"/games/{game_id}")
    said = re.search(r'<h2 id="end-title"[^>]*>The game is over</h2>\s*<p>([^<]+)</p>', page)
    assert said
    assert re.match(r"(Ann|Ben) won\b|(Ann and Ben|Ben and Ann) share the victory:", said[1])
    assert "Watch the replay" in page
    assert site.visitor("Ann").get(f"/games/{game_id}").status_code == 200
    seed = site.house.game(game_id).seed
    assert len(seed) == 64
