"""Pictures of games that workers make and keep. All of them can be made again from the logs."""

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlmodel import Field, SQLModel

from core.store.columns import at, maybe_at


class Picture(SQLModel, table=True):
    """A picture of a game that is owed or made. `kind`: film, card.

    `status`: owed, ready, failed. `seq`: the log position that it shows, or will. `done` of
    `total`: frames that are made. `body`: the file once it is ready; of a film that is owed, the
    frames so far. `lease_until`: a worker makes it until then. `attempts`: those begun since it
    last got on. `error`: why it failed, in words for readers.
    """

    __tablename__ = "pictures"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    kind: str = Field(primary_key=True, max_length=8)
    status: str = Field(default="owed", max_length=8, index=True)
    seq: int
    done: int = 0
    total: int = 0
    body: bytes = Field(default=b"", sa_type=LargeBinary, repr=False)
    attempts: int = 0
    error: str = Field(default="", max_length=300)
    asked_at: datetime = at()
    made_at: datetime | None = maybe_at()
    lease_until: datetime | None = maybe_at()
