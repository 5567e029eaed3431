"""Chance is fair, and the same for ever (M47, M49): the decks on file are in tests/golden."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from core.game.chance import Chance

SEEDS = [f"{n:064x}" for n in range(6000)]


def test_every_order_is_as_likely_as_another() -> None:
    orders = Counter(Chance(seed).shuffled((1, 2, 3), "x") for seed in SEEDS)
    assert set(orders) == set(permutations((1, 2, 3)))
    assert all(abs(count - 1000) < 150 for count in orders.values())  # 5 standard deviations


def test_every_choice_is_as_likely_as_another() -> None:
    picks = Counter(Chance(seed).pick("abcde", "x") for seed in SEEDS)
    assert all(abs(count - 1200) < 160 for count in picks.values())


def test_purposes_and_seeds_are_independent_of_each_other() -> None:
    cards = tuple(range(30))
    one = Chance(SEEDS[1])
    assert one.shuffled(cards, "a") == one.shuffled(cards, "a")
    assert len({one.shuffled(cards, "a"), one.shuffled(cards, "b"),
                Chance(SEEDS[2]).shuffled(cards, "a")}) == 3  # fmt: skip
    assert sorted(one.shuffled(cards, "a")) == list(cards)


class Words(Chance):
    """Chance whose words are known."""

    def __init__(self, *words: int) -> None:
        super().__init__("")
        self.words = words

    def _words(self, purpose: str) -> Iterator[int]:
        return iter(self.words)


@pytest.mark.parametrize(
    ("words", "picked"),
    [
        ((2**64 - 2, 4), "c"),  # the last of the whole runs of three: counts
        ((2**64 - 1, 4), "b"),  # one beyond: thrown away
        ((2**64 - 1, 5), "c"),
        ((2**64 - 3, 4), "b"),
    ],
)
def test_words_of_the_incomplete_run_are_thrown_away(words: tuple[int, ...], picked: str) -> None:
    assert Words(*words).pick("abc", "x") == picked


def test_a_commitment_hides_and_binds() -> None:
    one, two = Chance(SEEDS[1]), Chance(SEEDS[2])
    assert one.commitment((1, 2)) == one.commitment((1, 2))
    assert len({one.commitment((1, 2)), one.commitment((2, 1)), two.commitment((1, 2))}) == 3
    assert len(one.commitment(())) == 64
