"""Films and cards made by real workers: found by the tick, in slices, once."""

from io import BytesIO

from PIL import Image

from core.store.tables import Game, Picture
from core.table.views import pictures
from tests.support import hosting
from tests.support.workers import wait_for


def test_a_worker_makes_the_film_and_the_card_that_are_owed(house, workers):
    """Nobody rings: the tick finds the work in the database."""
    game_id = house.played("Anna", "Ben", auction="open", until=lambda state: state.round == 2)
    with house.write() as s:
        hosting.end(s, game_id, house.user("Anna"), "Holiday", house.now)
        pictures.owe(s, s.get_one(Game, game_id), pictures.FILM, house.now)
    workers.environment |= {"TEST_TICK": "1", "TEST_VISIBILITY": "60"}
    workers.start(app="tests.support.impatient", concurrency=2)
    workers.start_beat("tests.support.impatient")

    def made():
        rows = house.all(Picture, game_id=game_id)
        return len(rows) == 2 and all(row.status == "ready" for row in rows) and rows

    film, card = sorted(wait_for(made, within=200), key=lambda row: row.kind, reverse=True)
    reel = Image.open(BytesIO(film.body))
    assert (reel.format, reel.width) == ("WEBP", 960)
    assert reel.n_frames == film.done == film.total > 4
    assert len(film.body) <= pictures.MOST_BYTES
    assert Image.open(BytesIO(card.body)).size == (1200, 630)
    assert card.seq == house.game(game_id).seq
    assert film.lease_until is card.lease_until is None
