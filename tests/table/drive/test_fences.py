"""S10: what cannot be read stops itself alone; S11: a clock that leaps is not believed."""

from datetime import timedelta

import pytest

from core.settings import load
from core.store.tables import EventRow, Heartbeat, Outage, Turn
from core.table.acts import proposals
from core.table.drive import due_work
from core.table.notify import digests, moved_deadlines, wall_clock
from core.table.notify.wall_clock import Boot
from core.table.record import gamelog
from core.table.views import health, reminders
from core.table.views.render import renderer
from tasks import app, enqueue, jobs
from tests.support.mails import MAILBOX
from tests.support.table import House

UNHEARD = {
    "of-no-kind": {"type": "HeardOfByLaterVersions", "v": 1},
    "of-a-later-version": {"type": "GamePaused", "v": 9, "by": "host", "reason": "x"},
    "of-no-shape": {"type": "GamePaused", "v": 1, "reason": []},
    "of-no-seat": {"type": "OwnerReturned", "v": 1, "seat": 17},
}


def spoil(house: House, game_id: int, body: dict) -> None:
    with house.write() as s:
        game = gamelog.lock(s, game_id)
        game.seq += 1
        s.add(EventRow(game_id=game_id, seq=game.seq, at=house.now, body=body))
        s.add(game)


@pytest.fixture
def sweeping(house: House, monkeypatch, tmp_path) -> House:
    """A house swept by the real tick, whose doorbell rings nowhere."""
    app.use(load({"KRAFTPOST_ENV": "test", "KRAFTPOST_DATA": str(tmp_path)}))
    monkeypatch.setattr(app, "engine", lambda: house.engine)
    monkeypatch.setattr(jobs, "_now", lambda: house.now)
    rung: list[tuple] = []
    monkeypatch.setattr(enqueue, "_send", lambda task, *args, **_how: rung.append((task, *args)))
    house.rung = rung
    return house


def ill(house: House) -> dict[str, str]:
    with house.read() as s:
        return {finding.name: finding.told for finding in health.troubles(s, house.now)}


class TestUnreadable:
    @pytest.mark.parametrize("body", UNHEARD.values(), ids=UNHEARD)
    def test_s10_a_game_with_an_open_proposal_stops_alone(self, sweeping: House, body):
        house = sweeping
        game = house.start("Anna", "Ben", "Cleo")
        other = house.start("Dora", "Emil", auction="open")
        with house.write() as s:
            proposals.propose(s, game, 1, "end", {"reason": "enough"}, house.now)
        spoil(house, game, body)
        house.pass_time(days=3)
        with house.write() as s:
            moved_deadlines.beat(s, house.now)
        jobs.tick()
        assert "cannot be read" in house.game(game).stopped_reason
        assert not house.game(other).stopped_reason
        assert ("adjudicate", other) in house.rung
        assert f"game {game}" in ill(house)["games"]
        house.pass_time(minutes=11)
        jobs.tick()
        assert "parts" not in ill(house)

    def test_s10_a_deserted_one_stops_and_digests_are_owed(self, sweeping: House, monkeypatch):
        house = sweeping
        game = house.start("Anna", "Ben")
        monkeypatch.setattr(due_work, "_deserted", lambda _s, _now: {game})
        monkeypatch.setattr(digests, "due", lambda _s, _now: [house.user("Ben").id])
        spoil(house, game, UNHEARD["of-no-kind"])
        jobs.tick()
        assert house.game(game).stopped_reason
        assert [m for m in house.mails() if m.kind == "digest"]

    def test_s10_its_judge_stops_it_at_once(self, sweeping: House):
        house = sweeping
        game = house.start("Anna", "Ben")
        spoil(house, game, UNHEARD["of-no-kind"])
        jobs.adjudicate(game)
        assert "HeardOfByLaterVersions" in house.game(game).stopped_reason

    def test_s10_its_host_is_told_by_a_mail_that_needs_no_log(self, sweeping: House):
        house = sweeping
        game = house.start("Anna", "Ben")
        spoil(house, game, UNHEARD["of-no-kind"])
        jobs.adjudicate(game)
        [row] = [m for m in house.mails() if m.context.get("what") == "stopped"]
        with house.read() as s:
            told = renderer(MAILBOX)(s, row, house.now)
        assert "stopped" in told["Subject"] + told.get_body(("plain",)).get_content()

    def test_s10_a_digest_tells_of_the_other_tables(self, sweeping: House):
        house = sweeping
        broken = house.start("Anna", "Ben", title="Broken")
        house.start("Anna", title="Whole", robots=1, auction="sealed")
        spoil(house, broken, UNHEARD["of-no-kind"])
        jobs.adjudicate(broken)
        with house.read() as s:
            found = digests.waiting(s, house.user("Anna"), but=())
        assert [game.title for _turn, game in found] == ["Whole"]

    @pytest.mark.parametrize("part", ["_tend", "_ring", "_remember", "_draw_again", "_rate"])
    def test_s10_any_part_of_the_sweep_fails_alone(self, sweeping: House, monkeypatch, part):
        house = sweeping

        def fails() -> None:
            raise RuntimeError("for the test")

        fails.__name__ = part
        monkeypatch.setattr(jobs, part, fails)
        jobs.tick()
        assert set(ill(house)) == {"parts"}
        assert part.strip("_") in ill(house)["parts"]
        assert house.get(Heartbeat, "sweep").at == house.now

    def test_s10_one_reminder_that_fails_holds_up_no_other(self, house: House, monkeypatch):
        first, second = house.start("Anna", "Ben"), house.start("Cleo", "Dora")
        house.pass_time(hours=47)
        moments = reminders._moments

        def broken(session, turn, game, user):
            if game.id == first:
                raise ValueError("for the test")
            return moments(session, turn, game, user)

        monkeypatch.setattr(reminders, "_moments", broken)
        with house.write() as s:
            assert reminders.owe(s, house.now) > 0
        assert {m.game_id for m in house.mails() if m.kind == "reminder"} == {second}


RUN = "0f" * 16


class TestLeaps:
    def test_s11_a_leap_waits_for_the_operator_and_goes_by_itself(self, house: House):
        day = timedelta(days=1)
        with house.write() as s:
            assert wall_clock.watch(s, house.now, Boot(RUN, 3 * day))
            assert wall_clock.watch(s, house.now + 20 * day, Boot(RUN, 23 * day))
            for leap in (25 * day, 3652 * day, -2 * day):
                assert not wall_clock.watch(s, house.now + 20 * day + leap, Boot(RUN, 23 * day))
                assert wall_clock.leapt_to(s) == house.now + 20 * day + leap
            assert wall_clock.watch(s, house.now + 20 * day, Boot(RUN, 23 * day))
            assert wall_clock.leapt_to(s) is None

    def test_s11_another_run_of_the_machine_says_nothing(self, house: House):
        with house.write() as s:
            assert wall_clock.watch(s, house.now, Boot(RUN, timedelta(days=3)))
            later = house.now + timedelta(days=30)
            assert wall_clock.watch(s, later, Boot("1e" * 16, timedelta(minutes=1)))

    def test_s11_what_the_operator_accepts_is_believed(self, house: House):
        leapt = house.now + timedelta(days=9)
        with house.write() as s:
            wall_clock.watch(s, house.now, Boot(RUN, timedelta(days=3)))
            assert not wall_clock.watch(s, leapt, Boot(RUN, timedelta(days=3)))
            assert wall_clock.accept(s)
            assert wall_clock.watch(s, leapt, Boot(RUN, timedelta(days=3)))
            assert not wall_clock.accept(s)

    def test_s11_nothing_is_judged_meanwhile_and_the_doctor_tells(self, sweeping, monkeypatch):
        house, run = sweeping, wall_clock.boot()
        game = house.start("Anna", "Ben", auction="open")
        if run is None:
            pytest.skip("this system does not tell when it was started")
        jobs.tick()
        house.rung.clear()
        monkeypatch.setattr(
            wall_clock, "boot", lambda: Boot(run.name, run.age + timedelta(days=3652))
        )
        before = [t.deadline for t in house.all(Turn)]
        house.submit(game, house.asked(game)[0].seat, "auction 4 for 4")
        seq = house.game(game).seq
        jobs.tick()
        jobs.adjudicate(game)
        assert house.game(game).seq == seq
        assert [t.deadline for t in house.all(Turn)] == before
        assert not house.rung
        assert not house.all(Outage)
        assert "leapt" in ill(house)["clock"]

    def test_s11_what_lies_in_the_future_is_not_believed(self, house: House):
        game = house.start("Anna", "Ben")
        before = {t.id: t.deadline for t in house.asked(game)}
        wrong = house.now + timedelta(days=3652)
        with house.write() as s:
            moved_deadlines.beat(s, house.now)
            assert moved_deadlines.beat(s, wrong)
        assert house.asked(game)[0].deadline > house.now + timedelta(days=3000)
        house.pass_time(minutes=1)
        with house.write() as s:
            assert moved_deadlines.silent(s, house.now)
            moved_deadlines.beat(s, house.now)
            assert not moved_deadlines.silent(s, house.now)
        after = {t.id: t.deadline for t in house.asked(game)}
        assert all(abs(after[t] - before[t]) < timedelta(minutes=2) for t in before)
        house.pass_time(hours=3)  # a real outage afterwards is given back
        with house.write() as s:
            assert moved_deadlines.beat(s, house.now)
        later = {t.id: t.deadline for t in house.asked(game)}
        assert all(later[t] - after[t] >= timedelta(hours=2, minutes=59) for t in before)
