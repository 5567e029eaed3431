"""What a comparison with a recorded game has found."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Findings:
    """What came of one game: differences in words, and habits of the recorder by name."""

    game: str
    moves: int = 0
    differences: list[str] = field(default_factory=list)
    habits: Counter[str] = field(default_factory=Counter)
