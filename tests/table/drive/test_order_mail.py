"""Standing orders by mail equal those by form; a mail counts whole or not at all."""

import pytest

from core.game.types import Phase, Seat
from core.mail.commands import MAX_COMMANDS
from core.orders.notation import parse
from core.store.tables import ChatLine, StandingOrder, Submission
from core.table.record import gamelog, standing_orders
from tests.support.post_office import PostOffice, of_kind, text_of
from tests.support.table import House


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    """SQLite will do: what differs is tested by test_races.py."""
    return sqlite_url


@pytest.fixture
def game(house: House) -> int:
    return house.played("Anna", "Ben", "Clara", auction="open", moves=0)


def asked_by_mail(house: House, office: PostOffice, game: int):
    """The turn mail of whoever is asked, and his seat."""
    seat = house.asked(game)[0].seat
    address = house.owner(game, seat).email
    mails = [m for m in of_kind(office.fetch(), "turn") if address in str(m["To"])]
    return seat, mails[-1]


def lines(house: House, game: int, seat: int) -> list[str]:
    with house.read() as s:
        return [standing_orders.line(row) for row in standing_orders.rows(s, game, Seat(seat))]


def test_a_mail_holds_a_move_and_several_orders(house: House, office: PostOffice, game: int):
    seat, mail = asked_by_mail(house, office, game)
    office.answer(mail, "auction 5 for 5", "limit 5 to 12", "order power all every round")
    assert house.state(game).auction is not None
    assert lines(house, game, seat) == ["limit 5 to 12", "order power all every round"]
    told = text_of(of_kind(office.fetch(), "done")[0])
    assert "Bid up to 12 Elektro on plant 5." in told
    assert "YOUR STANDING ORDERS IN FORCE" in told


@pytest.mark.parametrize(
    "wrong", ["limit 5000 to 12", "order build Atlantis", "cancel 9", "auction 99 for 5"]
)
def test_one_line_that_does_not_go_refuses_the_whole_mail(
    house: House, office: PostOffice, game: int, wrong: str
):
    seat, mail = asked_by_mail(house, office, game)
    move = [] if wrong.startswith("auction") else ["auction 5 for 5"]
    office.answer(mail, *move, "limit 5 to 12", wrong)
    assert house.state(game).auction is None
    assert lines(house, game, seat) == []
    assert house.all(StandingOrder) == []
    assert house.all(Submission) == []
    refused = text_of(of_kind(office.fetch(), "refused")[0])
    assert wrong.split(" ")[0] in refused
    assert ("“orders” lists them" in refused) == wrong.startswith("cancel")


@pytest.mark.parametrize("order", ["limit 20 to 26", "order fuel all at most 4 each", "bid 26"])
def test_no_order_becomes_a_part_of_the_chat_above_it(
    house: House, office: PostOffice, game: int, order: str
):
    """The line of chat looks as if a mail program had broken it."""
    seat, mail = asked_by_mail(house, office, game)
    office.answer(
        mail, "chat I wonder how you can pay so much, and what you do in round seven", order
    )
    assert house.all(ChatLine) == []
    assert lines(house, game, seat) == []
    (refused,) = of_kind(office.fetch(), "refused")
    assert "without the chat" in text_of(refused)
    office.answer(mail, "chat I wonder", order)
    assert [line.text for line in house.all(ChatLine)] == ["I wonder"]


def test_no_line_of_a_long_mail_is_left_out_silently(house: House, office: PostOffice, game: int):
    seat, mail = asked_by_mail(house, office, game)
    many = [f"limit {plant} to 30" for plant in house.state(game).market.cards] * 3
    office.answer(mail, *many[:MAX_COMMANDS])
    assert len(lines(house, game, seat)) == 8
    assert len(of_kind(office.fetch(), "done")) == 1
    office.answer(mail, *many[:MAX_COMMANDS], "limit 50 to 60")
    (refused,) = of_kind(office.fetch(), "refused")
    assert f"{MAX_COMMANDS} lines" in text_of(refused)
    assert len(lines(house, game, seat)) == 8


def test_fuel_and_building_together(house: House, office: PostOffice, game: int):
    """`buy …` and `build …`: the building is an order of this round, at the prices of now."""
    house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    seat, mail = asked_by_mail(house, office, game)
    state = house.state(game)
    city = next(c.name for c in state.ruleset.map.cities if c.region in state.regions)
    office.answer(mail, "buy nothing", f"build {city}")
    (order,) = lines(house, game, seat)
    assert order.startswith(f"order build {city}")
    assert order.endswith("or ask")
    assert seat not in house.state(game).waiting
    house.play(game, until=lambda state: state.phase is Phase.BUREAUCRACY)
    assert len(house.state(game).players[seat].cities) <= 1
    assert lines(house, game, seat) == []


def test_m12_an_order_in_a_late_mail_is_not_carried_out_in_the_next_round(
    house: House, office: PostOffice, game: int
):
    """It was written for the round of the mail that it answers; here it would act at once."""
    seat, old = asked_by_mail(house, office, game)
    house.play(game, until=lambda state: state.round == 2)
    while house.asked(game)[0].seat != seat:
        house.play(game, moves=1)
    before = house.game(game).seq
    office.fetch()
    office.answer(old, "limit 50 to 60", "order auction nothing")
    (refused,) = of_kind(office.fetch(), "refused")
    assert "round 1" in text_of(refused)
    assert (house.game(game).seq, lines(house, game, seat)) == (before, [])
    lasting = ["limit 50 to 60", "order power all every round"]
    office.answer(old, *lasting)
    assert lines(house, game, seat) == lasting
    (mail,) = of_kind(office.fetch(), "done")
    office.answer(mail, "order auction nothing")
    assert house.game(game).seq > before


def test_orders_lists_and_cancel_takes_back(house: House, office: PostOffice, game: int):
    seat, mail = asked_by_mail(house, office, game)
    office.answer(mail, "limit 7 to 12", "limit 8 to 13")
    office.answer(mail, "cancel 1")
    assert lines(house, game, seat) == ["limit 8 to 13"]
    office.fetch()
    office.answer(mail, "orders")
    told = text_of(of_kind(office.fetch(), "done")[0])
    assert "Bid up to 13 Elektro on plant 8." in told
    assert "plant 7" not in told


def test_m67_a_turn_mail_says_why_an_order_stopped(house: House, office: PostOffice, game: int):
    house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    seat = house.state(game).waiting[1]
    _first, mail = asked_by_mail(house, office, game)
    foreign = next(n for n in (50, 46, 44) if n not in house.state(game).players[seat].plants)
    with house.write() as s:
        row, state = gamelog.lock(s, game), gamelog.load(s, game)
        said = parse(f"order fuel {foreign}", state.ruleset)
        standing_orders.give(s, row, state, Seat(seat), said, house.now)
    office.answer(mail, "buy nothing")
    _second, turn = asked_by_mail(house, office, game)
    assert "Your order 1 stopped" in text_of(turn)
    assert f"Plant {foreign} is not yours" in text_of(turn)


def test_a_turn_mail_tells_what_orders_did(house: House, office: PostOffice, game: int):
    """Each executed order is a line in its owner's next mail, and in nobody else's."""
    opener, mail = asked_by_mail(house, office, game)
    office.answer(mail, "auction 5 for 5", "limit 5 to 30")
    house.play(game, until=lambda state: state.phase is Phase.RESOURCES)
    texts = dict.fromkeys(range(3), "")
    for sent in of_kind(office.fetch(), "turn"):
        seat = next(s for s in range(3) if house.owner(game, s).email in str(sent["To"]))
        texts[seat] += text_of(sent)
    assert not any("Your order" in texts[seat] for seat in texts if seat != opener)
