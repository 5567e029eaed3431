"""The engineer's numbers, found by letting engineers of different habits play each other."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """What an engineer believes and prefers; prices and worths in Elektro."""

    pace: int = 1
    """Cities that a player is expected to add in a round; careful, for most add nearly two."""
    horizon: int = 3
    """Rounds for which a plant is expected to earn before another takes its place."""
    final_city: float = 40
    """Worth of one more city powered in the last round; divided by the rounds that are left."""
    city_price: int = 20
    """Usual price of a city with its connection."""
    capacity_price: int = 6
    """Usual price of a plant for each city that it powers."""
    least_thrift: float = 0.15
    """Worth of an Elektro to one who has more than he can use."""
    scarce_price: int = 12
    """Price expected of fuel that the market does not have."""
    caution: float = 0.4
    """Share of a plant's gain that it may cost."""
    regret: float = 1.0
    """Share of the next best plant's profit that a bid must leave."""
    ahead: int = 2
    """Cities built beyond what the plants can power, for the next plant."""
    neighbours: int = 6
    """Cities around a first city that make it a good or a bad one."""
    crowd: int = 3
    """What a house of somebody else near a first city counts against it."""
    cheap: float = 0.8
    """Fuel for later rounds is bought at this share of its expected price."""
    fuel_kept: float = 0.5
    """Share of its expected price that unburned fuel is worth."""
    patience: int = 12
    """Rounds after which an end that may be lost is no longer put off."""
