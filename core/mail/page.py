"""A table as its mails show it: card, news, position, commands, who is waited for."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from core import questions
from core.game.narrate import report
from core.game.narrate.report import round_title
from core.game.phases.building import targets
from core.game.types import Phase
from core.lists import both, chain, series
from core.mail import words
from core.mail.position import Position, position
from core.questions.plan import PlanQuestion
from core.questions.question import Card, Command, Question
from core.statuses import GameStatus
from core.tableview import Asked, TableView
from core.text import _
from core.when import relative

_NEWS_SHOWN = 12  # phases
_COMMAND = words.WIDTH - 4  # places for a command, so that no program breaks it


@dataclass(frozen=True, slots=True)
class News:
    """What happened in one phase: ``Round 5 · Auction`` and its lines."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """What the templates show of a table to one reader."""

    table: TableView
    locale: str

    @cached_property
    def question(self) -> Question | None:
        """What the reader is asked, for a move or for plans; None if it is not their turn."""
        if self.asked is None:
            return None
        view = self.table.view
        return PlanQuestion(view) if self.asked.plan else questions.of(view)

    @cached_property
    def card(self) -> Card | None:
        """The your-move card, when it is the reader's turn."""
        return self.question.card(self.table.names) if self.question else None

    @property
    def asked(self) -> Asked | None:
        """The reader's own open turn; None while a caretaker plays for them."""
        mine = self.table.mine
        return mine if mine is not None and not mine.automatic else None

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """Complete legal lines with their price, when it is the reader's turn."""
        found = self.question.commands() if self.question else ()
        return tuple(c for c in found if words.width(c.text) <= _COMMAND) or found

    @cached_property
    def news(self) -> tuple[News, ...]:
        """What has happened since the reader's own last move; of very much, the latest."""
        table = self.table
        told = report(table.log, table.names, table.view.seat, table.new_from)
        news = [
            News(f"{round_title(chapter.number)} · {phase.title}", lines)
            for chapter in told
            for phase in chapter.phases
            if (lines := tuple(line.text for line in phase.lines if line.new))
        ]
        return tuple(news[-_NEWS_SHOWN:])

    @cached_property
    def position(self) -> Position:
        """The tables of the position."""
        return position(self.table)

    @cached_property
    def reach(self) -> str:
        """All cities within reach with their total, cheapest first: ``Essen 10, Köln 14``."""
        view = self.table.view
        if view.seat is None or not self.running or view.phase is Phase.REGIONS:
            return ""
        best: dict[str, int] = {}
        for target in targets(view, view.seat):
            name = view.ruleset.city[target.city].name
            best[name] = min(target.total, best.get(name, target.total))
        cheapest = sorted(best.items(), key=lambda one: (one[1], one[0]))
        return series(f"{name} {total}" for name, total in cheapest)

    @cached_property
    def where(self) -> str:
        """``Germany · round 5, Step 1 · buying fuel``."""
        table = self.table
        parts = [_(table.view.ruleset.map.name)]
        if self.running:
            parts += [words.round_and_step(table), words.phase(table.view.phase)]
        else:
            parts.append(words.phase(table.view.phase))
        return " · ".join(parts)

    @cached_property
    def waiting(self) -> str:
        """Who is waited for: Clara: buying fuel, asked 3 hours ago, then David, then you."""
        table = self.table
        if not table.asked:
            return ""
        asked = {a.seat for a in table.asked}
        first = [self._name(a.seat) for a in table.asked]
        planning = any(a.plan for a in table.asked)  # all at once: nobody comes later
        queue, up = table.view.waiting, table.view.auction
        if up is not None:  # those who can still bid, in bidding order
            queue = tuple(seat for seat in up.bidders if seat != up.leader)
        later = [self._name(s) for s in queue if s not in asked and not planning]
        since = min(a.since for a in table.asked)
        text = (
            _("Waiting for {names}: {doing}, asked {ago}")
            if table.now - since >= timedelta(minutes=1)
            else _("Waiting for {names}: {doing}")
        ).format(
            names=both(first),
            doing=words.activity(table),
            ago=relative(since, table.now, self.locale),
        )
        return _("{sentence}.").format(sentence=chain([text, *later]))

    @property
    def running(self) -> bool:
        """True while the game goes on."""
        return self.table.status == GameStatus.RUNNING

    @property
    def times(self) -> str:
        """All time settings of the table in one line (M30)."""
        return self.table.clock.times or _("{time} a turn").format(
            time=words.hours(self.table.turn_hours)
        )

    @property
    def away(self) -> list[tuple[str, datetime]]:
        """Names of those on vacation, and until when."""
        return [(self.table.names[one.seat], one.until) for one in self.table.clock.away]

    def _name(self, seat: int) -> str:
        return _("you") if seat == self.table.view.seat else self.table.names[seat]
