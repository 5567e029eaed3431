"""Reply addresses: a token works for its own seat, game and turn, and for nothing else."""

import doctest
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mail import addresses as module
from core.mail.addresses import (
    LOCAL_PART_LIMIT,
    InviteToken,
    ReplyAddress,
    TableToken,
    Token,
    TurnToken,
)

BOX = ReplyAddress("the secret of these tests", "play.example.org")

ids = st.integers(min_value=0, max_value=999_999_999)
seats = st.integers(min_value=0, max_value=5)
turns = st.integers(min_value=0, max_value=999_999)
tokens: st.SearchStrategy[Token] = st.one_of(
    st.builds(TurnToken, ids, seats, turns),
    st.builds(InviteToken, ids),
    st.builds(TableToken, ids, seats),
)


def test_the_example_in_the_module_holds():
    assert doctest.testmod(module).failed == 0


@given(tokens)
def test_an_address_reads_back_as_what_it_was_made_of(token: Token):
    address = BOX.make(token)
    assert BOX.read(address) == token
    assert address == address.lower()
    assert len(address.partition("@")[0]) <= LOCAL_PART_LIMIT


@given(tokens, st.data())
def test_mail_servers_may_fold_case(token: Token, data: st.DataObject):
    upper = data.draw(st.lists(st.booleans(), min_size=80, max_size=80))
    address = BOX.make(token)
    folded = "".join(c.upper() if up else c for c, up in zip(address, upper, strict=False))
    assert BOX.read(folded) == token


@given(tokens, tokens)
def test_the_signature_of_one_token_fits_no_other(one: Token, other: Token):
    if one == other:
        return
    signature = BOX.make(one).partition("@")[0].rpartition(".")[2]
    body, _, host = BOX.make(other).partition("@")
    forged = f"{body.rpartition('.')[0]}.{signature}@{host}"
    assert BOX.read(forged) is None


def test_turn_seat_and_game_are_bound_together():
    made = BOX.make(TurnToken(12, 3, 57))
    for old, new in (
        ("12.3.57", "12.3.58"),
        ("12.3.57", "12.2.57"),
        ("12.3.57", "13.3.57"),
        ("12.3.57", "1.23.57"),
        ("12.3.57", "12.35.7"),
        ("12.3.57", "012.3.57"),
        ("12.3.57", "12.3"),
        ("12.3.57", "12..57"),
        ("turn", "table"),
        ("turn", "invite"),
        ("turn+", "turn-"),
        ("example", "examp1e"),
    ):
        assert old in made
        assert BOX.read(made.replace(old, new)) is None, (old, new)


@pytest.mark.parametrize("token", [TurnToken(12, 3, 57), InviteToken(4), TableToken(12, 0)])
def test_every_single_mutation_is_refused(token: Token):
    address = BOX.make(token)
    alphabet = string.printable + "äſK０"
    for at, original in enumerate(address):
        assert BOX.read(address[:at] + address[at + 1 :]) is None, f"without {at}"
        for other in alphabet:
            if other.lower() == original and other.isascii():
                continue
            assert BOX.read(address[:at] + other + address[at + 1 :]) is None, (at, other)
            assert BOX.read(address[:at] + other + address[at:]) is None, (at, other)


def test_letters_that_fold_to_ascii_are_not_ascii():
    made = next(address for n in range(99) if "k" in (address := BOX.make(InviteToken(n))))
    assert made.replace("k", "\u212a").lower() == made
    assert BOX.read(made.replace("k", "\u212a")) is None


@given(st.text(max_size=300) | st.emails())
def test_no_text_breaks_the_reader(text: str):
    assert BOX.read(text) is None


@pytest.mark.parametrize(
    "secret, domain",
    [
        ("another secret of the tests", "play.example.org"),
        ("the secret of these tests", "example.org"),
    ],
)
def test_addresses_of_another_service_are_refused(secret: str, domain: str):
    assert BOX.read(ReplyAddress(secret, domain).make(TurnToken(12, 3, 57))) is None


def test_the_domain_is_read_in_any_case_too():
    box = ReplyAddress("the secret of these tests", "Play.Example.ORG")
    assert box.make(TurnToken(1, 2, 3)) == BOX.make(TurnToken(1, 2, 3))


@pytest.mark.parametrize("token", [TurnToken(-1, 0, 0), TurnToken(10**40, 0, 0)])
def test_numbers_that_fit_no_address_are_refused(token: Token):
    with pytest.raises(ValueError, match=r"negative|fit"):
        BOX.make(token)


def test_an_empty_secret_signs_nothing():
    with pytest.raises(ValueError, match="empty"):
        ReplyAddress("", "play.example.org")


def test_one_mailbox_takes_all_answers_by_tags():
    """D3: a mailbox at any provider suffices, if it delivers what stands behind a +."""
    box = ReplyAddress("a long secret", "play.example.org", "Club@Example.net")
    address = box.make(TurnToken(12, 3, 57))
    assert address.startswith("club+turn.12.3.57.") and address.endswith("@example.net")
    assert box.read(address.upper()) == TurnToken(12, 3, 57)
    plain = ReplyAddress("a long secret", "example.net")
    for other in (
        address.replace("club+", ""),
        address.replace("club", "clubs"),
        address.replace("turn.", "turn+"),
        address.replace("12.3", "12.4"),
        plain.make(TurnToken(12, 3, 57)),
    ):
        assert box.read(other) is None, other
    assert plain.read(address) is None
