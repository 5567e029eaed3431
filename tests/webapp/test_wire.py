"""What goes over the wire: compressed, and secrets cannot be told by their length (W29)."""

import doctest
import gzip
import re

import pytest

from core.mail.addresses import Links, TurnLink
from tests.support.site import TOKEN, Site
from webapp import wire

GZIP = {"Accept-Encoding": "gzip, deflate"}


def test_the_examples_hold():
    assert doctest.testmod(wire).failed == 0


@pytest.mark.parametrize("path", ["/", "/rules/standard", "/static/kraftpost.css", "/maps/usa.svg"])
def test_what_is_worth_it_is_compressed(site: Site, path: str):
    client = site.app.test_client()
    plain, packed = client.get(path), client.get(path, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert len(packed.data) < len(plain.data) / 2
    shown = gzip.decompress(packed.data).decode()
    blank = lambda text: re.sub(TOKEN.pattern + r"|<!-- [0-9a-f]* -->\n?", "", text)  # noqa: E731
    assert blank(shown) == blank(plain.text)
    assert "Content-Encoding" not in plain.headers


def test_a_late_game_fits_into_30_kilobytes(site: Site):
    game = site.house.played("Ann", "Ben", "Cem", "Dora", moves=150)
    seat = site.house.asked(game)[0].seat
    page = site.at(game, seat).get(f"/games/{game}", headers=GZIP)
    assert len(page.data) <= 30_000


def test_the_token_of_forms_reads_otherwise_each_time_and_counts(site: Site):
    visitor = site.visitor("Ann")
    tokens = {visitor.token() for _ in range(5)}
    assert len(tokens) == 5
    for token in tokens:
        answer = visitor.client.post("/profile", data={"csrf_token": token, "name": "Ann"})
        assert answer.status_code != 400
    for wrong in ("", "x", token[:-4] + "AAA=", wire.mask("wrong"), "é" * 40):
        answer = visitor.client.post("/profile", data={"csrf_token": wrong, "name": "Ann"})
        assert answer.status_code == 400, wrong


def test_pages_of_secret_addresses_are_not_compressed(site: Site):
    game = site.house.start("Ann", "Ben")
    asked = site.house.asked(game)[0]
    user = site.house.owner(game, asked.seat)
    links = Links(site.settings.secret_key, "")
    path = links.url(TurnLink(user.id, game, asked.seat, asked.turn))
    page = site.app.test_client().get(path, headers=GZIP)
    assert page.status_code == 200 and "Content-Encoding" not in page.headers


def test_the_same_page_has_many_lengths(site: Site):
    client = site.app.test_client()
    assert len({len(client.get("/", headers=GZIP).data) for _ in range(12)}) > 4
