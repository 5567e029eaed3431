"""Players that see a PlayerView and nothing else; they fill seats and stand in for the absent."""

from core.bots.bot import BOTS, CARETAKER, Bot, bot

__all__ = ["BOTS", "CARETAKER", "Bot", "bot"]
