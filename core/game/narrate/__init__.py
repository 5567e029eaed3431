"""Events in words, made when read and never stored."""

from core.game.narrate.lines import Narrator
from core.game.narrate.report import Line, PhaseReport, RoundReport, report

__all__ = ["Line", "Narrator", "PhaseReport", "RoundReport", "report"]
