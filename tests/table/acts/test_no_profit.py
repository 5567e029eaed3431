"""Who leaves or stalls gains nothing, and one slip costs little (H5, H19, H20, H22, H23, H24)."""

from datetime import timedelta

import pytest

from core.game.events import CaretakerAppointed, GameAbandoned, OwnerReturned, SeatTaken
from core.store.tables import Result, ResultSeat, Turn
from core.table.acts import absence, lobby
from core.table.people import ratings, reliability
from core.table.people.accounts import user_for
from core.table.record import gamelog
from core.table.record.errors import TableError
from core.table.views import statistics
from core.terms import Terms


def resign(house, game, name):
    with house.write() as s:
        absence.resign(s, game, house.seat(game, name), "", house.now)


class TestLeaving:
    def test_h19_who_leaves_a_game_of_two_has_lost_it(self, house):
        game = house.played("Anna", "Ben", moves=30, auction="open")
        resign(house, game, "Ben")
        assert house.events(game)[-1] == GameAbandoned("", house.game(game).seed, "last-player")
        (result,) = house.all(Result)
        assert (result.rated, result.unrated) == (True, "")
        places = {s.user_id: s.place for s in house.all(ResultSeat)}
        assert places == {house.user("Anna").id: 1, house.user("Ben").id: 2}
        users = {n: house.user(n).id for n in ("Anna", "Ben")}
        with house.write() as s:
            assert ratings.rate(s, house.now) == 1
            points = {n: ratings.history(s, user, 1)[0].mu for n, user in users.items()}
        assert points["Anna"] > points["Ben"]

    def test_h19_of_three_both_who_left_have_lost(self, house):
        game = house.played("Anna", "Ben", "Clara", moves=30, auction="open")
        resign(house, game, "Ben")
        resign(house, game, "Anna")
        places = {s.user_id: s.place for s in house.all(ResultSeat)}
        assert places[house.user("Clara").id] == 1
        assert places[house.user("Anna").id] == places[house.user("Ben").id] == 2

    @pytest.mark.parametrize("terms", [Terms(rated=False)])
    def test_h19_an_unrated_table_stays_unrated(self, house, terms):
        game = house.played("Anna", "Ben", moves=30, auction="open", terms=terms)
        resign(house, game, "Ben")
        assert house.all(Result)[0].unrated == "agreed"


class TestStalling:
    def lapse(self, house, game, seat):
        """Miss every turn of a seat until a caretaker plays, the others moving on."""
        for _ in range(60):
            asked = house.asked(game)
            if house.state(game).players[seat].caretaker or seat not in [t.seat for t in asked]:
                if house.state(game).players[seat].caretaker or not asked:
                    return
                house.move(game, asked[0].seat, house.line(game, asked[0].seat))
                continue
            house.pass_time(hours=49)
            house.adjudicate(game)

    def test_h20_returns_run_out(self, house):
        game = house.played("Anna", "Ben", "Clara", moves=12, auction="open", turn_hours=48)
        seat = house.seat(game, "Ben")
        missed = []
        for _ in range(5):
            before = sum(e == type(e)(seat) for e in house.events(game)
                         if type(e).__name__ == "TurnMissed")  # fmt: skip
            self.lapse(house, game, seat)
            missed.append(sum(e == type(e)(seat) for e in house.events(game)
                              if type(e).__name__ == "TurnMissed") - before)  # fmt: skip
            if any(isinstance(e, SeatTaken) and e.seat == seat for e in house.events(game)):
                break
            came = house.state(game).round
            while house.state(game).round == came and house.asked(game):
                turn = house.asked(game)[0]
                house.move(game, turn.seat, house.line(game, turn.seat))
            with house.write() as s:
                assert absence.return_owner(s, game, seat, house.now)
            house.adjudicate(game)
        assert missed == [2, 2, 1, 1]
        assert sum(e == OwnerReturned(seat) for e in house.events(game)) == 3
        taken = [e for e in house.events(game) if isinstance(e, SeatTaken)]
        assert [(e.seat, e.bot) for e in taken] == [(seat, True)]

    def test_h20_once_a_round_and_the_answer_says_so(self, house):
        game = house.played("Anna", "Ben", "Clara", moves=12, auction="open", turn_hours=300)
        seat = house.seat(game, "Ben")
        for times in range(3):
            with house.write() as s:
                play = absence.Play.running(s, game, house.now)
                play.record(CaretakerAppointed(seat))
                play.settle()
            with house.write() as s:
                if times < 2:
                    absence.return_owner(s, game, seat, house.now)
                    continue
                with pytest.raises(TableError) as refused:
                    absence.return_owner(s, game, seat, house.now)
                assert refused.value.code == "returned"


class TestMailboxes:
    @pytest.mark.parametrize("second", [
        "anna+two@gmail.com", "a.n.n.a@gmail.com", "anna@googlemail.com", "An.na+x@googlemail.com",
    ])  # fmt: skip
    def test_h22_one_mailbox_has_one_seat_at_a_rated_table(self, house, second):
        game = house.open("Host", players=4)
        with house.write() as s:
            first, other = user_for(s, "anna@gmail.com", house.now), user_for(s, second, house.now)
            lobby.join(s, gamelog.find(s, game), first, house.now)
            with pytest.raises(TableError) as refused:
                lobby.join(s, gamelog.find(s, game), other, house.now)
        assert refused.value.code == "same-mailbox"

    def test_h22_an_unrated_one_takes_both(self, house):
        game = house.open("Host", players=4, terms=Terms(rated=False))
        with house.write() as s:
            for address in ("anna@gmail.com", "anna+two@gmail.com"):
                lobby.join(s, gamelog.find(s, game), user_for(s, address, house.now), house.now)

    def test_h22_dots_of_other_domains_are_other_people(self, house):
        game = house.open("Host", players=4)
        with house.write() as s:
            for address in ("an.na@example.org", "anna@example.com"):
                lobby.join(s, gamelog.find(s, game), user_for(s, address, house.now), house.now)


def test_h23_bidding_one_more_gains_no_time(house):
    terms = Terms(clock="bank", bank_hours=24, increment_hours=12, cap_hours=120, graces=0)
    game = house.start("Anna", "Ben", auction="open", terms=terms)
    first = house.asked(game)[0]
    house.move(game, first.seat, "auction 4 for 4")
    allowed = []
    for bid in range(5, 15):
        turn = house.asked(game)[0]
        allowed.append((turn.seat, turn.allowed_seconds))
        house.move(game, turn.seat, f"bid {bid}")
    own = [seconds for seat, seconds in allowed if seat == first.seat]
    assert own == sorted(own, reverse=True)
    assert max(own) <= first.allowed_seconds
    assert all(seconds <= 36 * 3600 for _seat, seconds in allowed)


class TestSlips:
    def no_show(self, house, *names):
        game = house.start(*names, auction="open", turn_hours=24)
        turn = house.asked(game)[0]
        house.pass_time(hours=25)
        house.adjudicate(game)
        return house.get(type(house.user("Anna")), turn.user_id)

    def test_h5_one_missed_first_turn_bars_nobody(self, house):
        user = self.no_show(house, "Anna", "Ben")
        assert reliability.barred_until(user, house.now) is None

    def test_h5_a_habit_bars_from_others_tables_but_not_from_ones_own(self, house):
        game = house.open("Zoe", "Yan")
        users = [house.user(name).id for name in ("Anna", "Ben")]
        with house.write() as s:
            for seat, user_id in enumerate(users):
                s.add(Turn(game_id=game, seat=seat, turn=1, user_id=user_id,
                           asked_at=house.now, allowed_seconds=1, deadline=house.now,
                           first_deadline=house.now, closed_at=house.now - timedelta(days=9),
                           closed_by="missed"))  # fmt: skip
        user = self.no_show(house, "Anna", "Ben")
        until = reliability.barred_until(user, house.now)
        assert until is not None
        with house.write() as s:
            with pytest.raises(TableError, match="your own"):
                reliability.admit(s, user, house.now)
            table = lobby.create_table(
                s, user, lobby.TableSettings(title="Mine", map="germany"), house.now
            )
            assert table.id not in reliability.due(s, house.now)
            assert reliability.lift(s, user)
            reliability.admit(s, user, house.now)


def test_h24_games_with_bots_alone_count_in_no_record(house):
    house.played("Anna", robots=2, auction="open")
    with house.read() as s:
        told = statistics.record(s, house.user("Anna"), house.user("Anna"))
    assert (told.total.games, told.games) == (0, ())
