"""A table as its mails show it: card, news, position, commands, who is waited for."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, singledispatch
from typing import Any

from core import questions
from core.game.narrate import report, wording
from core.game.narrate.wording import both, victory
from core.mail import words
from core.mail.message import End, Help, Invite, Start, Topic
from core.mail.position import Position, position
from core.mail.words import with_bot
from core.questions.plan import PlanQuestion
from core.questions.question import Card, Command, Question
from core.statuses import GameStatus
from core.tableview import Asked, TableView
from core.text import _, ngettext
from core.when import span

_NEWS_SHOWN = 12  # phases


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
        return self.question.commands() if self.question else ()

    @cached_property
    def news(self) -> tuple[News, ...]:
        """What has happened since the reader's own last move; of very much, the latest."""
        table = self.table
        told = report(table.log, table.names, table.view.seat, table.new_from)
        news = [
            News(f"{chapter.title.split(' · ')[0]} · {phase.title}", lines)
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
    def where(self) -> str:
        """``Germany · round 5, Step 1 · buying fuel``."""
        table = self.table
        parts = [table.view.ruleset.map.name]
        if self.running:
            parts += [words.round_and_step(table), words.phase(table.view.phase)]
        else:
            parts.append(words.phase(table.view.phase))
        return " · ".join(parts)

    @cached_property
    def waiting(self) -> str:
        """Who is waited for: Clara (buying fuel, for 3 hours), then David, then you."""
        table = self.table
        if not table.asked:
            return ""
        asked = {a.seat for a in table.asked}
        first = [self._name(a.seat) for a in table.asked]
        planning = any(a.plan for a in table.asked)  # all at once: nobody comes later
        later = [self._name(s) for s in table.view.waiting if s not in asked and not planning]
        waited = table.now - min(a.since for a in table.asked)
        text = (
            _("Waiting for {names} ({doing}, for {span})")
            if waited >= timedelta(minutes=1)
            else _("Waiting for {names} ({doing})")
        ).format(
            names=wording.both(first), doing=words.activity(table), span=span(waited, self.locale)
        )
        return "".join([text, *(_(", then {name}").format(name=name) for name in later), "."])

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


@singledispatch
def extras(topic: Topic, _page: Page | None) -> dict[str, Any]:
    """Return more names for the template of this topic; most need none."""
    return {}


@extras.register
def _start(topic: Start, _page: Page | None) -> dict[str, Any]:
    seats = [topic.table.seats[seat] for seat in topic.table.view.order]
    names = [with_bot(seat.name, seat.bot) for seat in seats]
    return {"names": names, "first": names[0]}


@extras.register
def _end(topic: End, _page: Page | None) -> dict[str, Any]:
    names, standings = topic.table.names, topic.table.view.standings
    ties = topic.table.view.ruleset.tie_breaks
    return {
        "winners": [names[s.seat] for s in standings if s.place == 1],
        "verdict": victory(standings, ties, lambda seat: names[seat]) if standings else "",
    }


@extras.register
def _invite(topic: Invite, _page: Page | None) -> dict[str, Any]:
    free = ngettext("{n} place is free.", "{n} places are free.", topic.free).format(n=topic.free)
    seated = _("At the table: {names}; {free}").format(names=both(topic.seated), free=free)
    return {"seated": seated, "answers": (Command("accept", ""), Command("decline", ""))}


@extras.register
def _help(_topic: Help, _page: Page | None) -> dict[str, Any]:
    return {
        "commands_help": [
            ("region North", _("add a region, where players choose them")),
            ("auction 13 for 15", _("put plant 13 up, opening at 15")),
            ("bid 18", _("raise; in a sealed auction your secret maximum")),
            ("pass", _("drop out, or decline to open")),
            ("discard 4", _("which plant goes")),
            ("discard 4 keep 3 coal", _("the same, where the fuel leaves a choice")),
            ("buy 3 coal 1 oil", _("the whole purchase of this round")),
            ("buy 2 coal from north", _("from this one where there are two fuel markets")),
            ("buy 3 coal at most 3 each", _("the same, if no token costs more")),
            ("buy nothing", _("no purchase, or no more of it")),
            ("build Erfurt, Halle", _("in this order; beginnings of names will do")),
            ("build nothing", _("no building")),
            ("power 13 20", _("plants to run")),
            ("power all", _("most cities with least fuel")),
            ("power 5 with 1 coal 1 oil", _("choose a hybrid's mix")),
            ("power nothing", _("run no plant")),
            ("undo", _("take your last move back, if it may be")),
            ("ok 7", _("agree to proposal 7; no 7 to refuse it")),
            ("limit 20 to 26", _("standing order: bid by itself, up to 26")),
            ("order auction 13 to 26", _("what to bid on in this round, else pass")),
            ("order fuel all keep 20", _("fill your plants as far as it goes")),
            ("order build Halle at most 30", _("in order of wish, as far as it goes")),
            ("order power all every round", _("always most cities with least fuel")),
            ("orders", _("mail me my standing orders")),
            ("cancel 3", _("take standing order 3 back")),
            ("ready", _("no more plans for this round")),
            ("vacation 5 days", _("your clocks stand still from now")),
            ("vacation end", _("you are back")),
            ("status", _("mail me the position")),
            ("help", _("mail me these commands")),
            ("chat …", _("a line for the table")),
        ]
    }
