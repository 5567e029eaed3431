"""Taking back, proposals and host tools on the pages: looked at first, then done, no scripts."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from core.game.events import GameAbandoned, MoveCorrected, Rewound, SeatOpened, TurnSkipped
from core.store.tables import Proposal, Turn
from core.table.acts import proposals
from tests.support.site import Site


@pytest.fixture
def game(site: Site) -> int:
    return site.house.played("Ann", "Ben", "Cy", until=lambda state: state.phase == "resources")


def asked(site: Site, game: int) -> int:
    return site.house.asked(game)[0].seat


def name(site: Site, game: int, seat: int) -> str:
    return site.house.owner(game, seat).name


def take_back(visitor, game: int) -> None:
    """Press the button of the page that asks."""
    last = visitor.hidden(f"/games/{game}/undo", "last")
    assert visitor.post(f"/games/{game}/undo", {"last": last}).status_code == 303


class TestUndo:
    def test_m59_the_page_says_what_would_vanish_before_it_does(self, site: Site, game: int):
        seat = asked(site, game)
        me = site.at(game, seat)
        assert "Take my last move back" not in me.page(f"/games/{game}")
        site.house.move(game, seat, "buy nothing")
        assert "Take my last move back" in me.page(f"/games/{game}")
        page = me.page(f"/games/{game}/undo")
        assert "1 event" in page or "One event" in page
        assert f"{name(site, game, seat)} bought no fuel." in page
        assert site.house.kinds(game)[-1] != "Rewound", "looking does nothing"
        take_back(me, game)
        assert site.house.kinds(game)[-1] == "Rewound"
        page = me.page(f"/games/{game}")
        assert "Let it count again" in page
        assert "Taken back: " in page
        assert me.post(f"/games/{game}/redo").status_code == 303
        assert site.house.events(game)[-1].again

    def test_m63_a_page_that_is_out_of_date_takes_nothing_back(self, site: Site, game: int):
        seat = asked(site, game)
        site.house.move(game, seat, "buy nothing")
        last = site.at(game, seat).hidden(f"/games/{game}/undo", "last")
        site.house.move(game, asked(site, game), "buy nothing")
        answer = site.at(game, seat).post(f"/games/{game}/undo", {"last": last})
        assert answer.status_code == 422
        assert "moved on" in answer.text
        assert "Rewound" not in site.house.kinds(game)

    def test_m57_consent_by_form(self, site: Site, game: int):
        first = asked(site, game)
        for _ in range(2):
            site.house.move(game, asked(site, game), "buy nothing")
        me = site.at(game, first)
        page = me.page(f"/games/{game}/undo")
        assert "must agree first" in page
        take_back(me, game)
        assert "Withdraw it" in me.page(f"/games/{game}")
        assert "I agree" not in me.page(f"/games/{game}")
        for other in {0, 1, 2} - {first}:
            visitor = site.at(game, other)
            assert "I agree" in visitor.page(f"/games/{game}")
            where = f"/games/{game}/proposals/1/answer"
            assert visitor.post(where, {"agrees": "yes"}).status_code == 303
        assert site.house.events(game)[-1].by == "consent"
        assert "Proposal 1" not in me.page(f"/games/{game}")

    def test_a_request_can_be_withdrawn(self, site: Site, game: int):
        first = asked(site, game)
        for _ in range(2):
            site.house.move(game, asked(site, game), "buy nothing")
        take_back(site.at(game, first), game)
        other = next(s for s in (0, 1, 2) if s != first)
        where = f"/games/{game}/proposals/1"
        assert site.at(game, other).post(f"{where}/withdraw").status_code == 422
        assert site.at(game, first).post(f"{where}/withdraw").status_code == 303
        assert site.at(game, other).post(f"{where}/answer", {"agrees": "yes"}).status_code == 422

    def test_strangers_see_none_of_it(self, site: Site, game: int):
        seat = asked(site, game)
        site.house.move(game, seat, "buy nothing")
        for visitor in (site.visitor(), site.visitor("Dora")):
            page = visitor.page(f"/games/{game}")
            assert "last move back" not in page
            assert "Host tools" not in page

    def test_m53_addresses_of_positions_stay(self, site: Site, game: int):
        seat = asked(site, game)
        before = site.house.state(game).seq
        site.house.move(game, seat, "buy nothing")
        me = site.at(game, seat)

        def shown(n: int) -> str:
            page = me.page(f"/games/{game}/at/{n}")
            return re.search(r'<div class="board".*?</svg>', page, re.S)[0]

        moved = site.house.state(game).seq
        pages = {n: shown(n) for n in (before, moved)}
        take_back(me, game)
        site.house.move(game, seat, "buy nothing")
        assert {n: shown(n) for n in pages} == pages
        assert me.get(f"/games/{game}/at/{moved + 1}").status_code == 200


class TestHost:
    def test_m77_pause_and_go_on(self, site: Site, game: int):
        ann = site.visitor("Ann")
        assert ann.post(f"/games/{game}/host/pause", {"reason": "holidays"}).status_code == 303
        assert "The game is paused" in ann.page(f"/games/{game}")
        assert "Let the game go on" in ann.page(f"/games/{game}/host")
        assert ann.post(f"/games/{game}/host/resume", {"reason": "back"}).status_code == 303
        page = ann.page(f"/games/{game}")
        assert "The game is paused" not in page
        assert "holidays" in page

    def test_m77_a_correction_is_seen_before_it_is_made(self, site: Site, game: int):
        seat = asked(site, game)
        site.house.move(game, seat, "buy nothing")
        line = site.house.line(game, asked(site, game))
        fields = {"seat": str(seat), "line": "buy nothing", "reason": "a slip"}
        ann = site.visitor("Ann")
        page = ann.post(f"/games/{game}/host/correct/look", fields)
        assert page.status_code == 200
        assert "would not count any more" in page.text
        assert "Rewound" not in site.house.kinds(game)
        assert ann.post(f"/games/{game}/host/correct", fields).status_code == 303
        assert "Rewound" not in site.house.kinds(game)
        with site.house.read() as s:
            one = proposals.meaning(s, s.exec(select(Proposal)).one())
            others = [n for n in one.voters if n != one.row.seat]
        for other in others:
            assert site.at(game, other).post(
                f"/games/{game}/proposals/1/answer", {"agrees": "yes"}
            ).status_code == 303  # fmt: skip
        new = site.house.events(game)[-3:]
        assert isinstance(new[0], Rewound)
        assert new[1] == MoveCorrected(seat, "vote", "a slip")
        page = site.visitor("Ben").page(f"/games/{game}")
        assert "a slip" in page
        assert line

    def test_a_wrong_line_is_refused_with_its_reason(self, site: Site, game: int):
        seat = asked(site, game)
        site.house.move(game, seat, "buy nothing")
        fields = {"seat": str(seat), "line": "buy 99 coal", "reason": "a slip"}
        answer = site.visitor("Ann").post(f"/games/{game}/host/correct/look", fields)
        assert answer.status_code == 422

    def test_a_turn_can_be_skipped_after_a_day(self, site: Site, game: int):
        seat = asked(site, game)
        fields = {"seat": str(seat), "reason": "ill"}
        ann = site.visitor("Ann")
        answer = ann.post(f"/games/{game}/host/skip/look", fields)
        assert answer.status_code == 422
        assert "before the deadline" in answer.text
        assert not any(isinstance(e, TurnSkipped) for e in site.house.events(game))

    def test_m48_players_end_a_game_by_vote(self, site: Site, game: int):
        ben, cy = site.visitor("Ben"), site.visitor("Cy")
        assert "Propose to end the game" in ben.page(f"/games/{game}")
        page = ben.page(f"/games/{game}/host")
        assert "End the game" in page
        assert "Correct a move" not in page
        look = ben.post(f"/games/{game}/host/end/look", {"reason": "dull"})
        assert "Propose it" in look.text
        assert ben.post(f"/games/{game}/host/end", {"reason": "dull"}).status_code == 303
        assert site.house.game(game).status == "running"
        assert ben.post(f"/games/{game}/host/pause", {"reason": "x"}).status_code == 422
        cy.post(f"/games/{game}/proposals/1/answer", {"agrees": "yes"})
        assert site.house.game(game).status == "abandoned"
        last = site.house.events(game)[-1]
        assert isinstance(last, GameAbandoned)
        assert last.because == "vote"

    def test_there_is_no_other_tool(self, site: Site, game: int):
        assert site.visitor("Ann").post(f"/games/{game}/host/win").status_code == 404
        assert site.visitor("Ann").post(f"/games/{game}/host/win/look").status_code == 404


def test_a_late_seat_is_offered_to_others_after_a_look(site: Site):
    game = site.house.played(
        "Ann", "Ben", "Cy", turn_hours=24, until=lambda state: state.round == 2
    )
    ann = site.visitor("Ann")
    assert "Offer a seat" not in ann.page(f"/games/{game}/host")
    turn = site.house.wait_for_others(game, "Ann")
    with site.house.write() as s:
        s.get_one(Turn, turn.id).deadline = site.house.now
    site.house.adjudicate(game)
    assert "Offer a seat" in ann.page(f"/games/{game}/host")
    body = {"reason": "gone", "seat": turn.seat}
    look = ann.post(f"/games/{game}/host/offer/look", body)
    assert f"Offer the seat of {name(site, game, turn.seat)} to others?" in look.text
    assert ann.post(f"/games/{game}/host/offer", body).status_code == 303
    assert SeatOpened(turn.seat, "host", "gone") in site.house.events(game)
    assert "Offer a seat" not in ann.page(f"/games/{game}/host")
    assert "The host decided: The seat of" in ann.page(f"/games/{game}")


def test_m64_more_time_is_given_once_however_often_the_button_is_pressed(site: Site, game: int):
    site.house.wait_for_others(game, "Ann")
    host, at = site.visitor("Ann"), f"/games/{game}/host"
    form = {"last": host.hidden(at, "last"), "hours": "24", "reason": "a feast"}
    due = site.house.asked(game)[0].deadline
    assert host.post(f"{at}/extend", form).status_code == 303
    assert host.post(f"{at}/extend", form).status_code == 422
    assert site.house.asked(game)[0].deadline == due + timedelta(hours=24)
