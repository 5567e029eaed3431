"""Three ways in which a move can be wrong, and one for a log that cannot be read."""


class GameError(Exception):
    """A move that was not played; `str(error)` tells the player why and what to do instead."""


class InvalidMove(GameError):
    """The text was not understood."""


class IllegalMove(GameError):
    """Understood, but the rules forbid it now.

    `code` is stable (``bid-too-low``): tests, help pages and translations hang on it.
    """

    def __init__(self, code: str, message: str) -> None:
        """Refuse with a stable `code` and a `message` for the player."""
        super().__init__(message)
        self.code = code


class StaleMove(GameError):
    """The game has moved on since the player was asked."""


class RulesError(Exception):
    """A map, variant or option does not fit; says which file or key, and why."""


class LogError(Exception):
    """A log cannot be read: unknown version, broken line, event out of place."""
