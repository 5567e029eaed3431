"""All chance of a game: shuffles that anybody can recompute once the seed is known.

Each purpose has a stream of its own, made with HMAC-SHA256 from the game's seed, and the shuffle
is our own, so that no library's change alters an old game (M49). One seed is never used for two
shuffles.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")
SEATS: Final = "seats"
"""The purpose for which a table draws its seats, from the players in the order of joining."""
STEP_3: Final = "step-3"
"""The purpose for which the stack is shuffled once more in a game (R13)."""

STEP_2: Final = "step-2"
"""The purpose for which the stack is shuffled over the Step 3 card where this comes twice."""
STEP_2_CARD: Final = "step-2-card"
"""The purpose for which it is shuffled when the card comes for the first time."""
BLOCKED: Final = "blocked"
"""The purpose, with a price behind it, for which cities are drawn that stay empty."""
SIDE_PILE: Final = "side-pile"
"""The purpose for which plants set aside are shuffled to be the stack."""


class Chance:
    """The chance of one game.

    >>> Chance("ab" * 32).shuffled((1, 2, 3, 4), "order") == Chance("ab" * 32).shuffled(
    ...     (1, 2, 3, 4), "order")
    True
    """

    def __init__(self, seed: str) -> None:
        """`seed`: the game's secret, 256 bits in hexadecimal."""
        self.seed = seed

    def shuffled(self, cards: Sequence[T], purpose: str) -> tuple[T, ...]:
        """Return the cards in a new order (Fisher and Yates)."""
        deck, words = list(cards), self._words(purpose)
        for i in range(len(deck) - 1, 0, -1):
            j = _below(i + 1, words)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)

    def pick(self, choices: Sequence[T], purpose: str) -> T:
        """One of the choices, each as likely as the others."""
        return choices[_below(len(choices), self._words(purpose))]

    def commitment(self, stack: Sequence[int] | None = None) -> str:
        """Return the SHA-256 over the seed, published before anybody sits down.

        `stack`: the shuffled stack, over which games of edition 0 made it, too.
        """
        text = self.seed if stack is None else f"{self.seed}:{','.join(map(str, stack))}"
        return hashlib.sha256(text.encode()).hexdigest()

    def _words(self, purpose: str) -> Iterator[int]:
        counter = 0
        while True:
            message = f"{purpose}:{counter}".encode()
            yield int.from_bytes(hmac.digest(self.seed.encode(), message, "sha256")[:8], "big")
            counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """Return a fair number below `bound`: words of the last, incomplete run are thrown away."""
    limit = 2**64 - 2**64 % bound
    return next(w for w in words if w < limit) % bound
