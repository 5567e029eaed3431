"""M24: webhooks are told of turns once, tried again, dropped when answered, and switched off."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import update

from core.mail.addresses import Links
from core.store.tables import OutboxMail, TablePreference, User, Webhook, WebhookCall
from core.table.notify import webhooks
from core.table.views import webhook_calls
from core.table.views.render import renderer
from tests.support.hook_server import HookServer, near
from tests.support.mails import MAILBOX, SITE
from tests.support.table import House

LINKS = Links("a secret of these tests", "https://play.example.org")


@pytest.fixture
def server() -> Iterator[HookServer]:
    running = HookServer()
    yield running
    running.close()


@pytest.fixture
def game(house: House, server: HookServer) -> int:
    """A game in which both have a webhook, and one of them is asked."""
    for name in ("Ann", "Ben"):
        with house.write() as s:
            user = s.get_one(User, house.user(name).id)
            webhooks.add(s, user, "generic", server.url, house.now)
    return house.played("Ann", "Ben", auction="open", title="Friday league", moves=0)


def deliver(house: House) -> int:
    """A round of calls, at the house's own time."""
    return webhook_calls.deliver(house.engine, near(), LINKS, ticking(house))


def ticking(house: House) -> Callable[[], object]:
    """The house's clock, which moves on a little with each look, so that rounds end."""

    def look() -> object:
        house.pass_time(milliseconds=1)
        return house.now

    return look


def hook_of(house: House, game: int) -> Webhook:
    """The webhook of whoever is asked."""
    user = house.owner(game, house.asked(game)[0].seat)
    return house.all(Webhook, user_id=user.id)[0]


def test_m24_whoever_is_asked_is_told_once(house: House, server: HookServer, game: int):
    turn = house.asked(game)[0]
    assert [deliver(house), deliver(house)] == [1, 0]
    house.adjudicate(game)
    assert deliver(house) == 0
    (call,) = server.received
    told = call.json
    assert (told["event"], told["table"], told["turn"]) == ("turn", game, turn.turn)
    assert told["title"] == "Friday league"
    assert told["text"].startswith("round 1 · your turn: opening an auction (due ")
    assert told["url"] == f"https://play.example.org/games/{game}"
    assert told["deadline"] == turn.deadline.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_m24_the_next_turn_is_told_to_its_own_player(house: House, server: HookServer, game: int):
    deliver(house)
    seat = house.asked(game)[0].seat
    house.move(game, seat, house.line(game, seat))
    assert deliver(house) == len(house.asked(game))
    assert {row.status for row in house.all(WebhookCall)} == {"sent"}


def test_m24_an_answered_turn_is_not_told(house: House, server: HookServer, game: int):
    seat = house.asked(game)[0].seat
    house.move(game, seat, house.line(game, seat))
    deliver(house)
    assert [row.status for row in sorted(house.all(WebhookCall), key=lambda r: r.id)] == [
        "dropped",
        "sent",
    ]
    assert len(server.received) == 1


def test_a_muted_table_is_not_told_of(house: House, game: int):
    hook = hook_of(house, game)
    with house.write() as s:
        s.add(TablePreference(game_id=game, user_id=hook.user_id, mode="mute"))
    house.play(game, 8)
    calls_of_both = [call.webhook_id for call in house.all(WebhookCall)]
    assert calls_of_both.count(hook.id) == 1  # the one from before
    assert len(calls_of_both) > 2


def test_no_secret_of_anybody_is_told(house: House, server: HookServer, game: int):
    house.play(game, 12)
    deliver(house)
    emails = [user.email for user in house.all(User)]
    secrets = [hook.secret for hook in house.all(Webhook)]
    for call in server.received:
        text = call.body.decode() + str(call.headers)
        assert not any(word in text for word in (*emails, *secrets, house.game(game).seed))


def test_m24_a_failure_is_tried_again_later_and_later(house: House, server: HookServer, game: int):
    server.status = 500
    pauses = []
    for _ in range(4):
        assert deliver(house) == 0
        (call,) = house.all(WebhookCall)
        pauses.append(round((call.next_attempt_at - house.now).total_seconds() / 60))
        assert deliver(house) == 0  # not before it is time
        house.pass_time(minutes=pauses[-1], seconds=1)
    assert pauses == [1, 2, 4, 8]
    assert len(server.received) == 4
    assert hook_of(house, game).last_error == "It answered with status 500."
    server.status = 204
    assert deliver(house) == 1
    mended = hook_of(house, game)
    assert (mended.failing_since, mended.last_error) == (None, "")


def fail_for(house: House, **length: float) -> None:
    end = house.now + timedelta(**length)
    while house.now < end:
        deliver(house)
        house.pass_time(minutes=30)


def test_m24_after_a_day_of_failures_it_is_switched_off(
    house: House, server: HookServer, game: int
):
    server.status = 500
    fail_for(house, hours=23)
    assert hook_of(house, game).disabled_at is None
    fail_for(house, hours=3)
    hook = hook_of(house, game)
    assert hook.disabled_at is not None
    (mail,) = house.mails(kind="hook")
    assert mail.user_id == hook.user_id
    tries = len(server.received)
    fail_for(house, hours=5)
    assert len(server.received) == tries
    assert len(house.mails(kind="hook")) == 1


def test_m24_its_owner_reads_why(house: House, server: HookServer, game: int):
    server.status = 500
    fail_for(house, hours=27)
    with house.read() as s:
        row = s.get_one(OutboxMail, house.mails(kind="hook")[0].id)
        text = renderer(MAILBOX)(s, row, house.now).get_body(("plain",)).get_content()
    assert "status 500" in text
    assert f"{SITE}/profile/channels" in text


def test_m24_two_bad_minutes_days_apart_switch_nothing_off(
    house: House, server: HookServer, game: int
):
    server.status = 500
    deliver(house)
    house.pass_time(hours=30)
    deliver(house)
    assert hook_of(house, game).disabled_at is None


def test_one_that_fails_holds_its_other_calls_back(house: House, server: HookServer, game: int):
    """Each costs up to ten seconds, which all others wait for."""
    turn, hook = house.asked(game)[0], hook_of(house, game)
    body = {"seat": turn.seat, "turn": turn.turn}
    with house.write() as s:
        s.add(WebhookCall(webhook_id=hook.id, game_id=game, key="second", body=body))
        s.flush()
        s.exec(update(WebhookCall).values(next_attempt_at=house.now))
    server.status = 500
    deliver(house)
    assert len(server.received) == 1
    assert {call.status for call in house.all(WebhookCall)} == {"pending"}


def test_m24_two_workers_make_one_call(house: House, server: HookServer, game: int):
    with ThreadPoolExecutor(4) as pool:
        arrived = list(pool.map(lambda _: deliver(house), range(4)))
    assert sum(arrived) == len(server.received) == 1


def test_a_dead_workers_call_is_made_by_another(house: House, server: HookServer, game: int):
    with house.write() as s:
        assert webhook_calls.claim(s, house.now)
    assert deliver(house) == 0
    house.pass_time(minutes=1, seconds=1)
    assert deliver(house) == 1


def test_m24_quiet_hours_hold_for_calls_too(house: House, server: HookServer, game: int):
    user = house.owner(game, house.asked(game)[0].seat)
    with house.write() as s:
        row = s.get_one(User, user.id)
        row.quiet_from, row.quiet_to = 11 * 60, 14 * 60  # it is noon in UTC
    assert (deliver(house), server.received) == (0, [])
    (call,) = [c for c in house.all(WebhookCall) if c.status == "pending"]
    assert (call.attempts, call.next_attempt_at) == (
        0,
        house.now.replace(hour=14, minute=0, second=0, microsecond=0),
    )
    house.pass_time(hours=2)
    assert deliver(house) == 1
    assert len(server.received) == 1


def test_m24_a_near_deadline_may_break_the_quiet_hours(house: House, server: HookServer, game: int):
    asked = house.asked(game)[0]
    with house.write() as s:
        row = s.get_one(User, house.owner(game, asked.seat).id)
        row.quiet_from, row.quiet_to, row.quiet_except_hours = 11 * 60, 14 * 60, 24 * 14
    assert deliver(house) == 1


def test_m24_a_table_that_was_muted_meanwhile_is_not_told_of(
    house: House, server: HookServer, game: int
):
    hook = hook_of(house, game)
    with house.write() as s:
        s.add(TablePreference(game_id=game, user_id=hook.user_id, mode="mute"))
    assert (deliver(house), server.received) == (0, [])
