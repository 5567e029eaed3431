"""What a table refuses, outside of the game's own rules."""


class TableError(Exception):
    """Refused; `code` is stable (``table-full``), `str(error)` tells the user why."""

    def __init__(self, code: str, message: str) -> None:
        """Refuse with a stable `code` and a `message` for the user."""
        super().__init__(message)
        self.code = code
