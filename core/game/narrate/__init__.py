"""Events in words, made when read and never stored."""

from core.game.narrate.lines import Narrator
from core.game.narrate.pages import Line, PhaseReport, RoundReport
from core.game.narrate.report import report

__all__ = ["Line", "Narrator", "PhaseReport", "RoundReport", "report"]
