"""The clock page of a profile, and a sitter at the table."""

from core.game.events import MadeBySitter
from core.game.types import Phase
from core.store.tables import StandingOrder, User, Vacation
from core.terms import Terms


def test_m46_a_window_is_set_and_kept(site):
    anna = site.visitor("Anna")
    form = {"zone": "Europe/Berlin", "window": "yes", "from": "09:30", "to": "01:00"}
    assert anna.post("/profile/clock", form).status_code == 303
    page = anna.page("/profile/clock")
    assert 'value="09:30"' in page and 'value="01:00"' in page
    short = anna.post("/profile/clock", {**form, "to": "12:00"})
    assert short.status_code == 422 and "eight hours" in short.text
    assert anna.post("/profile/clock", {**form, "from": "soon"}).status_code == 422
    assert anna.post("/profile/clock", {**form, "zone": "Mars/Base"}).status_code == 422
    row = site.house.all(User)[0]
    assert (row.zone, row.window_from, row.window_to) == ("Europe/Berlin", 570, 60)


def test_m26_a_vacation_is_entered_shown_at_the_table_and_ended(site):
    game = site.house.start("Anna", "Ben")
    anna = site.visitor("Anna")
    assert anna.post("/profile/vacation", {"days": "5"}).status_code == 303
    assert "is away until" in site.visitor("Ben").page(f"/games/{game}")
    too_long = anna.post("/profile/vacation", {"days": "40"})
    assert too_long.status_code == 422
    assert anna.post("/profile/vacation/end").status_code == 303
    assert "is away until" not in site.visitor("Ben").page(f"/games/{game}")


def _paused(site, game: int) -> None:
    site.visitor("Anna").post(f"/games/{game}/host/pause", {"reason": "holidays"})


def test_a_move_is_made_while_the_clock_stands_still(site):
    """A pause stops clocks, not moves."""
    game = site.house.start("Anna", "Ben")
    _paused(site, game)
    seat = site.house.asked(game)[0].seat
    page = site.at(game, seat).page(f"/games/{game}")
    assert "The clock stands still." in page
    turn = site.at(game, seat).hidden(f"/games/{game}", "turn")
    form = {"turn": turn, "line": site.house.line(game, seat), "do": "send", "nonce": "n"}
    assert site.at(game, seat).post(f"/games/{game}/turn", form).status_code == 303
    assert len(site.house.events(game)) > 4


def test_m26_a_table_without_deadlines_has_a_form(site):
    game = site.house.start("Anna", "Ben", terms=Terms(deadlines_enforced=False))
    seat = site.house.asked(game)[0].seat
    assert 'id="turn"' in site.at(game, seat).page(f"/games/{game}")


def test_plans_are_left_while_the_clock_stands_still(site):
    game = site.house.start("Anna", "Ben", terms=Terms(planning="round"))
    _paused(site, game)
    for path in ("", "/orders"):
        assert "I am ready" in site.visitor("Ben").page(f"/games/{game}{path}")


def test_a_sitter_moves_for_the_seat_while_it_lasts_and_the_log_says_so(site):
    game = site.house.start("Anna", robots=2, private=True)
    seat = site.house.asked(game)[0].seat
    owner, dora = site.at(game, seat), site.visitor("Dora")
    assert dora.get(f"/games/{game}").status_code == 404
    owner.post("/profile/vacation", {"days": "5", "sitter": "dora@example.org"})
    assert "Your move" in dora.page(f"/games/{game}")
    turn = site.house.asked(game)[0]
    form = {"turn": turn.turn, "line": site.house.line(game, seat), "do": "send", "nonce": "n"}
    assert dora.post(f"/games/{game}/turn", form).status_code == 303
    events = site.house.events(game)
    assert MadeBySitter(seat, "Dora") in events
    assert events.index(MadeBySitter(seat, "Dora")) > 1
    for path in ("chat", "back"):
        assert dora.post(f"/games/{game}/{path}", {"text": "x", "nonce": "m"}).status_code == 403
    with site.house.write() as s:
        row = s.get_one(Vacation, 1)
        row.ends_at = site.house.now
    assert dora.get(f"/games/{game}").status_code == 404
    assert dora.post(f"/games/{game}/turn", {**form, "nonce": "o"}).status_code == 404


def test_a_sitter_leaves_no_standing_orders_behind(site):
    """What he gave with a purchase would go on moving for the seat when the vacation is over."""
    game = site.house.played(
        "Anna", "Ben", "Clara", until=lambda state: state.phase is Phase.RESOURCES
    )
    turn = site.house.asked(game)[0]
    owner, dora = site.at(game, turn.seat), site.visitor("Dora")
    assert 'name="then"' in owner.page(f"/games/{game}")
    owner.post("/profile/vacation", {"days": "5", "sitter": "dora@example.org"})
    assert 'name="then"' not in dora.page(f"/games/{game}")
    form = {"turn": turn.turn, "line": "buy nothing", "nonce": "n", "then": "order power nothing"}
    assert "Then, in the" not in dora.post(f"/games/{game}/turn", {**form, "do": "preview"}).text
    assert dora.post(f"/games/{game}/turn", {**form, "do": "send"}).status_code == 303
    assert turn.seat not in site.house.state(game).waiting
    assert site.house.all(StandingOrder) == []


def test_m35_a_finished_game_shows_clocks_that_stand(site):
    game = site.house.start("Anna", robots=1)
    with site.house.write() as s:
        from tests.support import hosting

        host = s.get_one(User, 1)
        hosting.end(s, game, host, "enough", site.house.now)
    page = site.visitor("Anna").page(f"/games/{game}")
    assert "The game is over: all clocks stand." in page
    assert "Until" not in page
