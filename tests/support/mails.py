"""One mail of every kind and every phase, from real games, for tests that look at all mails."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from core.game import engine
from core.game.events import GameAbandoned
from core.game.evolve import replay
from core.game.offers import BidOffer, BuildOffer, DiscardOffer, OpeningOffer, PowerOffer
from core.game.offers import PurchaseOffer as FuelOffer
from core.game.rulebook import rule_behind
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Phase, Seat
from core.mail import message as topics
from core.mail.addresses import AddressLink, Links, ReachedLink, ReplyAddress
from core.mail.message import Also, Digest, Mailbox, Message, Reader, Said, Topic, Waiting
from core.store.tables import Webhook
from core.table.views import render
from core.table.views.health import Finding
from core.tableview import OrderSeen, TableView
from tests.support.played import NAMES, NOW, Played

SITE = "https://play.example.org"
SECRET = "a secret for tests that nobody need keep"
MAILBOX = Mailbox(
    Links(SECRET, SITE),
    ReplyAddress(SECRET, "play.example.org"),
    "Kraftpost <kraftpost@play.example.org>",
)
TIMES = "2 days a turn · a game of about 53 days"
RULES = (
    "Germany, rules “Standard”, 4 players.",
    "4 connected regions are drawn by chance.",
    "Open auctions: one bid after the other, until all others have passed.",
    "Money is hidden.",
)

REFUSAL = "It answered with status 404."
CHANGE = AddressLink(2, "old@example.com", "new@example.com", 1796000000)


def asked_for(offer: type, rounds: int = 3) -> Callable[[GameState], bool]:
    """Positions in which the next seat gets this kind of offer, from a round on."""

    def wanted(state: GameState) -> bool:
        acting = engine.to_act(state)
        if state.round < rounds or not acting:
            return False
        return isinstance(engine.options(state, acting[0]), offer)

    return wanted


@cache
def played(offer: type, rounds: int, name: str = "open") -> Played:
    """A game up to such a position."""
    return Played(name).play(asked_for(offer, rounds))


@cache
def finished() -> Played:
    """A game that is over."""
    return Played().play(lambda state: state.phase is Phase.FINISHED)


def turn(game: Played, *, last: bool = False, news: int = 25) -> Topic:
    """The turn that this game waits for."""
    table = game.table(news=news)
    assert table.view.seat is not None
    return topics.Turn(table, last)


def waiting(game: Played) -> TableView:
    """The table as a seat sees it that is not asked."""
    acting = engine.to_act(game.state)
    return game.table(next(s for s in game.state.seats if s not in acting))


def abandoned() -> TableView:
    """A game that its host has ended."""
    game = Played()
    game.events.append(GameAbandoned("Two of us are ill."))
    game.state = replay(game.events[-1:], game.state)
    return replace(game.table(), status="abandoned")


def cared_for() -> TableView:
    """A table at which a caretaker plays for the reader."""
    table = waiting(played(FuelOffer, 3))
    seats = [replace(s, caretaker=s.seat == table.view.seat) for s in table.seats]
    return replace(table, seats=tuple(seats))


def planning() -> TableView:
    """A table that waits for the reader's plans, with orders in force and news of others."""
    table = played(OpeningOffer, 3).table()
    asked = tuple(replace(a, plan=True) for a in table.asked)
    return replace(table, view=replace(table.view, offer=None), asked=asked, **ORDERED)


ORDERED: dict[str, Any] = {
    "orders": (
        OrderSeen(4, "limit 20 to 26", "Bid up to 26 Elektro on plant 20.", "active", ""),
        OrderSeen(
            5, "order power all every round", "Power most cities with least fuel. In every round.",
            "active", "power 5 13",
        ),
    ),
    "ordered": (
        OrderSeen(
            2, "order fuel 13", "Buy fuel for one run of plant 13. In round 2.",
            "done", "buy 2 coal. Partial fill: 2 of 3 coal for plant 13.",
        ),
        OrderSeen(
            3, "order build Erfurt at most 20", "Build in this order: Erfurt. At most 20 Elektro "
            "in all. In round 2.", "failed",
             "Erfurt costs 24 now; of what you allowed 20 are left.",
        ),
    ),
}  # fmt: skip


def _chat() -> Topic:
    lines = (
        Said("Ben", NOW - timedelta(minutes=20), "Who took all the coal?"),
        Said("Clara", NOW - timedelta(minutes=12), "Not me. <b>Ask Anna</b> & be nice."),
    )
    return topics.Chat(12, "Friday league", lines, waiting(played(FuelOffer, 3)))


def _reminder(game: Played) -> Topic:
    asked = turn(game, last=True)
    assert isinstance(asked, topics.Turn)
    return topics.Reminder(asked.table, asked.last, NOW + timedelta(hours=2))


WHATS = ("round 5 · buying fuel", "round 2 · bidding on plant 20", "round 1 · your plan")


def _tables(count: int, *, mark: bool = False) -> tuple[Waiting, ...]:
    """Tables that wait; one has no deadline, at one it has moved."""
    titles = ("Friday league", "The long winter <of> Ruhr & Rhine, second leg", "王小明 vs สมชาย")
    return tuple(
        Waiting(
            12 + n,
            titles[n % 3],
            n % 4,
            57 + n,
            ("round 5 · buying fuel", "round 2 · bidding on plant 20", "round 1 · your plan")[
                n % 3
            ],
            None if n == 7 else NOW + timedelta(hours=5 + 9 * n),
            NOW + timedelta(hours=1) if n == 1 else None,
            mark and n != 2,
        )
        for n in range(count)
    )


MEANWHILE = (
    Also(
        "Friday league",
        "Do you agree?",
        ("Ben would like to take the last move back. One move of Ben would not count any more.",),
        "/games/12",
    ),
    Also("Friday league", "2 new lines at the table",
         ("Ben: Who took all the coal?", "Clara: Not me. <b>Ask Anna</b>"), "/games/12"),
    Also("", "A webhook was switched off", ("It answered with status 404.",), "/profile/channels"),
)  # fmt: skip


TOPICS: dict[str, Callable[[], Topic]] = {
    "turn-region": lambda: turn(Played(region_choice="draft")),
    "turn-first": lambda: turn(Played(), news=99),
    "turn-opening": lambda: turn(played(OpeningOffer, 3)),
    "turn-opening-sealed": lambda: turn(played(OpeningOffer, 3, "sealed")),
    "turn-bid": lambda: turn(played(BidOffer, 2)),
    "turn-bid-sealed": lambda: turn(played(BidOffer, 2, "sealed")),
    "turn-discard": lambda: turn(played(DiscardOffer, 2)),
    "turn-fuel": lambda: turn(played(FuelOffer, 5), last=True),
    "turn-building": lambda: turn(played(BuildOffer, 5)),
    "turn-power": lambda: turn(played(PowerOffer, 5)),
    "reminder": lambda: _reminder(played(FuelOffer, 5)),
    "digest": lambda: Digest(_tables(12), more=238, daily=True),
    "digest-two": lambda: Digest(_tables(2), daily=True),
    "together": lambda: Digest(_tables(3, mark=True), also=MEANWHILE),
    "meanwhile": lambda: Digest((), also=MEANWHILE),
    "turn-orders": lambda: topics.Turn(replace(played(FuelOffer, 5).table(), **ORDERED)),
    "plan": lambda: topics.Plan(planning()),
    "done-orders": lambda: topics.Done(
        12,
        "Friday league",
        "limit 20 to 26; order power all every round",
        ordered=True,
        given=("4: Bid up to 26 Elektro on plant 20.",),
        tried=("auction: No order: you are asked.", "powering cities: power 5 13."),
        table=replace(waiting(played(FuelOffer, 5)), **ORDERED),
    ),
    "start": lambda: topics.Start(waiting(Played()), RULES),
    "end": lambda: topics.End(finished().table(0)),
    "end-abandoned": lambda: topics.End(
        abandoned(), "The host ended the game without a winner: Two of us are ill."
    ),
    "invite": lambda: topics.Invite(
        3, 12, "Friday league", "Anna", ("Anna", "Watt (bot)"), 1, TIMES, RULES
    ),
    "done-move": lambda: topics.Done(
        12, "Friday league", "buy 2 coal", moved=True, table=waiting(played(FuelOffer, 5))
    ),
    "done-chat": lambda: topics.Done(
        12,
        "Friday league",
        "chat who took all the coal?",
        remark="Posted to the table's chat.",
        table=played(FuelOffer, 5).table(),
    ),
    "done-accept": lambda: topics.Done(
        12,
        "Friday league",
        "accept",
        remark="You sit at the table. A mail tells you when the game begins.",
    ),
    "refused-illegal": lambda: topics.Refused(
        12,
        "Friday league",
        "buy 9 coal",
        "Your plants have no room for 9 coal: 2 more fit.",
        rule=rule_behind("no-storage", load("germany"), 3),
        table=played(FuelOffer, 5).table(),
    ),
    "refused-stale": lambda: topics.Refused(
        12,
        "Friday league",
        "bid 15",
        "This answers an earlier question: the game has moved on since.",
        stale=True,
        table=waiting(played(FuelOffer, 5)),
    ),
    "refused-unknown": lambda: topics.Refused(
        12,
        "Friday league",
        "bidd 15",
        "This line is no command.",
        ("Did you mean: bid 15",),
        table=played(BidOffer, 2).table(),
    ),
    "refused-invitation": lambda: topics.Refused(
        12, "Friday league", "accept", "All places at this table are taken."
    ),
    "status": lambda: topics.Status(played(BuildOffer, 5).table()),
    "status-waiting": lambda: topics.Status(waiting(played(BidOffer, 2))),
    "help": lambda: topics.Help(12, "Friday league", waiting(played(FuelOffer, 3))),
    "hook-disabled": lambda: render.webhook_memo(
        Webhook(user_id=1, kind="slack", url="", secret="", last_error=REFUSAL)
    ),
    "not-well": lambda: render.health_memo(
        [
            Finding("sweep", 1, "ran 1234 s ago", "Start the worker and the clock"),
            Finding("games", 1, "stopped games: 1; game 7: failed 5 times", "See the log"),
        ]
    ),
    "notice-caretaker": lambda: topics.Notice(
        cared_for(),
        "A caretaker plays for you",
        "You missed two turns in a row. A bot now moves for your seat until you return.",
        back=True,
    ),
    "notice-returned": lambda: topics.Notice(
        waiting(played(FuelOffer, 3)),
        "You play again",
        "The caretaker has left your seat: from now on you are asked.",
    ),
    "notice-proposal": lambda: topics.Notice(
        waiting(played(FuelOffer, 3)),
        "Do you agree?",
        "Ben would like to take the last move back. These would not count any more: 1 move of "
        "Ben, 2 moves of Clara.",
        commands=("ok 7", "no 7"),
    ),
    "notice-act": lambda: topics.Notice(
        waiting(played(FuelOffer, 3)),
        "Something was done at your table",
        "The host took back a move of Ben: he meant oil.",
    ),
    "chat": _chat,
    "signin": lambda: topics.SignIn("wq8F3n4XQ0c0m5aBvT2y7uE1rZ9pLkJhGfDsA6iOxYb", 15),
    "address": lambda: topics.NewAddress(CHANGE, 15),
    "moved": lambda: topics.OldAddress(CHANGE, 3),
    "test": lambda: topics.Trial(ReachedLink(5, 2, "j@reader.example.com", 1796000000), 3),
}


@cache
def letter(name: str) -> Message:
    """The mail of this name, to the seat that it is about."""
    topic = TOPICS[name]()
    return written(topic, name)


def written(topic: Topic, name: str = "mail", **about: Any) -> Message:
    """A mail on this topic to the seat that it is about."""
    table = getattr(topic, "table", None)
    seat = table.view.seat if table is not None else Seat(1)
    who = NAMES[seat]
    stranger = isinstance(topic, topics.Invite | topics.SignIn)
    reader = Reader(
        None if stranger else seat + 1,
        who,
        f"{'fghijk'[seat]}@reader.example.com",
        "Europe/Berlin",
    )
    return Message(topic, reader, name=f"{name}.0123456789abcdef", now=NOW, **about)
