"""Games that are over: rows as `records.results` would write them, or logs that were played."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache

from core.bots import CARETAKER, bot
from core.game.engine import to_act
from core.game.events import Event, SeatMoved
from core.game.evolve import replay
from core.game.rules.load import load
from core.store.tables import Game, Result, ResultSeat, SeatRow
from core.table.record import gamelog, results, seats
from core.tableview import Logged
from tests.support.table import NOON, House
from webapp.instruments.selfplay import play_game


@cache
def events(players: int = 3, map_: str = "germany", seed: str = "5eed") -> tuple[Event, ...]:
    """A whole game of bots."""
    return tuple(play_game(load(map_, "standard"), [bot(CARETAKER)] * players, seed))


def until_asked(log: Sequence[Event], least: int) -> Sequence[Event]:
    """The first `least` events of a log, and more until somebody is asked: a game can end there."""
    return next(log[:n] for n in range(least, len(log)) if to_act(replay(log[:n])))


def timed(log: Sequence[Event], seconds: Mapping[int, int], start: datetime = NOON) -> list[Logged]:
    """A log in which each seat takes so many seconds for a move, and nothing else takes any."""
    at, entries = start, []
    for seq, event in enumerate(log, 1):
        if isinstance(event, SeatMoved):
            at += timedelta(seconds=seconds[event.seat])
        entries.append(Logged(seq, at, event))
    return entries


def play_over(house: House, names: Sequence[str], log: Sequence[Logged], **settings) -> int:
    """A table at which this log was played, its last event not yet judged as the end."""
    users = [house.user(name) if name else None for name in names]
    with house.write() as s:
        game = _game(s, len(names), log[0].at, **settings)
        rows = [
            SeatRow(game_id=game.id, user_id=user.id, name=user.name) if user
            else SeatRow(game_id=game.id, bot=CARETAKER, name=f"Bot {n}")
            for n, user in enumerate(users)
        ]  # fmt: skip
        seats.mark(rows)
        s.add_all(rows)
        for entry in log:
            gamelog.append(s, game, [entry.event], entry.at)
        return game.id


def result(
    house: House,
    places_of: Mapping[str, int],
    *,
    ended: datetime = NOON,
    own: Mapping[str, int] | None = None,
    **facts,
) -> int:
    """A game that is over, by its places: names by place, a name of digits is a bot's.

    `own`: how many of his ten moves somebody made himself. `facts`: columns of Result.
    """
    with house.write() as s:
        private = facts.get("private", False)
        game = _game(s, len(places_of), ended, private=private, status="finished", ended_at=ended)
        standard = {
            "map": "germany", "variant": "standard", "auction": "open", "players": len(places_of),
            "rounds": 10, "events": 300, "turns": 90, "seconds": 86400, "step": 3, "rated": True,
            "closeness": 5, "ended_at": ended,
        }  # fmt: skip
        row = Result(game_id=game.id, **{**standard, **facts})
        row.due = row.rated
        s.add(row)
        s.flush()
    for seat, (name, place) in enumerate(places_of.items()):
        user = None if name.isdigit() else house.user(name)
        with house.write() as s:
            s.add(SeatRow(
                game_id=game.id, seat=seat, user_id=user.id if user else None, name=name,
                bot="" if user else CARETAKER,
            ))  # fmt: skip
            s.add(ResultSeat(
                game_id=game.id, seat=seat, user_id=user.id if user else None,
                bot="" if user else CARETAKER, place=place, first=seat + 1, turns=10,
                own_turns=(own or {}).get(name, 10), median_seconds=60 * (seat + 1),
            ))  # fmt: skip
    with house.write() as s:
        results.count(s, game.id)
    return game.id


def _game(session, players: int, at: datetime, **settings) -> Game:
    game = Game(**{
        "title": "Over", "map": "germany", "variant": "standard", "players": players,
        "turn_hours": 24, "status": "running", "seed": "5eed", "started_at": at, **settings,
    })  # fmt: skip
    session.add(game)
    session.flush()
    return game
