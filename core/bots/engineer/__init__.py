"""A bot that plans: it values plants by what they will earn, and builds what it can power."""

from core.bots.engineer.engineer import Engineer

__all__ = ["Engineer"]
