"""How finished games came out. All of it is made from the logs, and can be made again from them.

`kraftpost results rebuild` does so (core.table.record.results). Names are not kept here: they
stand in the seats.
"""

from datetime import datetime

from sqlalchemy import BigInteger, Index, text
from sqlmodel import Field, SQLModel

from core.store.columns import at


class Result(SQLModel, table=True):
    """A game that is over, as galleries and statistics ask for it.

    `turns`: moves that were made, by whomever. `seconds`: from the first event to the last.
    `step`: the Step in which it ended. `unrated`: why it does not count for ratings, as
    core.table.record.results says it; empty where it does.
    """

    __tablename__ = "results"
    __table_args__ = (
        Index("ix_results_ended_at_game_id", "ended_at", "game_id"),
        # the gallery's: all that it may be asked for, so that a walk through it reads nothing else
        Index(
            "ix_results_gallery",
            *("ended_at", "game_id", "map", "variant", "players", "rounds", "closeness", "rated"),
            postgresql_where=text("NOT private AND NOT abandoned"),
            sqlite_where=text("private = 0 AND abandoned = 0"),
        ),
    )
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    map: str = Field(max_length=60)
    variant: str = Field(max_length=60)
    auction: str = Field(max_length=12)
    players: int
    rounds: int
    events: int
    turns: int
    seconds: int
    step: int
    ended_at: datetime = at()
    abandoned: bool = False
    """Ended before its end, so that nobody has won (M43, M48)."""
    private: bool = False
    imported: bool = False
    rated: bool = False
    unrated: str = Field(default="", max_length=12)
    due: bool = Field(default=False, index=True)
    """It counts for ratings and they do not know of it yet (core.table.people.ratings)."""
    closeness: int | None = None
    """How far the winner was ahead of the second; the smaller, the closer.

    Below 1,000 both powered as many cities, and it is the Elektro that the winner had more; 1,000
    and more for each city that he powered more. None where nobody has won.
    """


class ResultSeat(SQLModel, table=True):
    """How one seat came out. `user_id`: who held it at the end; nobody for a bot or a stranger.

    `place`: from 1, ties share one; None where nobody has won. `first`: place in the turn order of
    round 1, from 1. `turns`: its moves; `own_turns`: those that its last holder made himself or
    ordered; `missed`: deadlines that he let pass; `median_seconds`: how long he took to answer,
    by the calendar, None where he never answered.
    """

    __tablename__ = "result_seats"
    game_id: int = Field(foreign_key="results.game_id", primary_key=True)
    seat: int = Field(primary_key=True)
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    bot: str = Field(default="", max_length=40)
    place: int | None = None
    powered: int = 0
    elektro: int = 0
    cities: int = 0
    first: int
    turns: int = 0
    own_turns: int = 0
    missed: int = 0
    median_seconds: int | None = None


class ResultCount(SQLModel, table=True):
    """Sums over public games that were played here to their end, of one kind and by one seat each.

    `first`: the seat's place in the turn order of round 1; the sums of place 1 are those of games.
    `places`, `rounds`, `seconds`: all of them together, for averages. `close`: games in which the
    first two powered as many cities.
    """

    __tablename__ = "result_counts"
    map: str = Field(max_length=60, primary_key=True)
    variant: str = Field(max_length=60, primary_key=True)
    players: int = Field(primary_key=True)
    first: int = Field(primary_key=True)
    games: int
    wins: int
    places: int
    rounds: int
    seconds: int = Field(sa_type=BigInteger)
    close: int


class Rating(SQLModel, table=True):
    """A user's rating after a game: `mu` and `sigma` of OpenSkill, and how many games it rests on.

    The newest by (`ended_at`, `game_id`) is the present one.
    """

    __tablename__ = "ratings"
    __table_args__ = (
        Index("ix_ratings_user_id_games", "user_id", "games"),
        Index("ix_ratings_ended_at_game_id", "ended_at", "game_id"),
    )
    game_id: int = Field(foreign_key="results.game_id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    ended_at: datetime = at()
    games: int
    mu: float
    sigma: float
