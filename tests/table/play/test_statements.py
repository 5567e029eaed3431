"""What a plain move costs the database: few statements, whatever else there is."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event

from core.store.tables import Submission
from core.table.drive.adjudicate import adjudicate
from core.table.record import gamelog
from tests.support.table import House

MOST = 13
"""With BEGIN, which is no statement here, 14."""


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """Note the statements of the block."""
    found: list[str] = []

    def note(_connection, _cursor, statement: str, *_rest: object) -> None:
        found.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


def test_a_plain_move_takes_few_statements_also_after_one_of_another_process(house: House) -> None:
    game = house.start("Anna", "Ben", "Clara", auction="open")
    house.state(game)  # the last position that this process knows
    first = house.asked(game)[0].seat
    assert house.move(game, first, "auction 4 for 4").status == "accepted"
    second, before = house.asked(game)[0].seat, house.game(game).seq
    sent = house.submit(game, second, "bid 5")
    with counted(house.engine) as statements, house.write() as s:
        gamelog.lock(s, game)  # as the task does
        adjudicate(s, game, house.now)
    assert house.get(Submission, sent).status == "accepted"
    assert house.game(game).seq == before + 1
    assert any("FROM events" in statement for statement in statements)
    assert len(statements) <= MOST, "\n".join(statements)
