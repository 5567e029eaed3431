"""Bringing a game back on the site: who may, what is refused, who sees it."""

import io
import json
from functools import cache

import pytest

from core.bots import CARETAKER, bot
from core.game.events import GameAbandoned
from core.game.log.jsonl import dump, log_of
from core.game.rules.load import load as rules
from core.store.tables import EventRow, Game, SeatRow
from tests.support.site import Site, Visitor
from webapp.identity import limiter
from webapp.instruments.selfplay import play_game
from webapp.records.importing import LARGEST

NAMES = ("Änne", "<b>Ben</b>")


@cache
def text() -> str:
    events = play_game(rules("france"), [bot(CARETAKER)] * 2, "5eed")
    return "".join(dump(log_of([*events[:60], GameAbandoned("time", "5eed")], NAMES)))


def bring(visitor: Visitor, raw: bytes | str, who: str = "all", **how):
    body = raw.encode() if isinstance(raw, str) else raw
    fields = {"who": who, "file": (io.BytesIO(body), "game.jsonl")}
    return visitor.post("/import", fields, content_type="multipart/form-data", **how)


def stored(site: Site) -> list[int]:
    return [len(site.house.all(table)) for table in (Game, SeatRow, EventRow)]


def test_a_game_is_brought_back_and_shown_to_everybody(site: Site) -> None:
    anna = site.visitor("Anna")
    answer = bring(anna, text())
    assert (answer.status_code, answer.location) == (303, "/games/1")
    page = anna.page("/games/1")
    assert "The game is here, with every position of it." in page
    assert "<b>Ben</b>" not in page
    assert "&lt;b&gt;Ben&lt;/b&gt;" in page
    stranger = site.visitor()
    for path in ("/games/1", "/games/1/at/1", "/games/1/at/61", "/games/1/log.jsonl", "/"):
        assert stranger.get(path).status_code == 200, path
    assert '<span class="tag">imported</span>' in stranger.page("/games/1/at/30")
    game = site.house.game(1)
    assert (game.imported, game.private, game.status) == (True, False, "abandoned")


def test_who_is_not_signed_in_signs_in_first(site: Site) -> None:
    stranger = site.visitor()
    assert stranger.get("/import").location.startswith("/sign-in")
    assert bring(stranger, text()).location.startswith("/sign-in")
    assert stored(site) == [0, 0, 0]


def test_a_private_game_is_its_owners_alone(site: Site) -> None:
    anna, ben = site.visitor("Anna"), site.visitor("Ben")
    bring(anna, text(), "me")
    assert "private" in anna.page("/")
    assert site.visitor().get("/games/1").status_code == 404
    assert ben.get("/games/1").status_code == 404
    assert ben.get("/games/1/log.jsonl").status_code == 404
    assert bring(ben, text(), "me").location == "/games/2"  # he does not learn of hers
    assert [bring(anna, text(), "me").location, stored(site)[0]] == ["/games/1", 2]


def test_the_same_file_twice_is_one_game(site: Site) -> None:
    anna, ben = site.visitor("Anna"), site.visitor("Ben")
    assert bring(anna, text(), "me").location == "/games/1"
    assert bring(anna, text()).location == "/games/1"  # now for everybody
    assert not site.house.game(1).private
    again = "\r\n".join(text().splitlines())
    assert bring(ben, b"\xef\xbb\xbf" + again.encode()).location == "/games/1"
    assert "This game is here already." in ben.page("/games/1")
    assert bring(ben, text(), "me").location == "/games/1"
    assert stored(site)[0] == 1


def _twice(lines: list[str]) -> list[str]:
    return [*lines[:20], lines[20].replace('"seq":20', '"seq":20,"seq":20'), *lines[21:]]


def _other(old: str, new: str):
    return lambda lines: "\n".join(lines).replace(old, new, 1).split("\n")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda lines: [], "Choose the file of a game; this one is empty."),
        (lambda lines: lines[:30], "Event 29 is the last, and the game is not over"),
        (lambda lines: lines[1:], "Line 1: this is no kraftpost-log."),
        (lambda lines: [*lines[:9], *lines[10:]], "Line 10: event 9 is missing; here is 10."),
        (_other('"version":1', '"version":7'), "Line 1: the format has version 7; known is 1."),
        (_other('"v":2', '"v":9'), "Line 2: GameStarted has version 9; known are 1 to 2."),
        (_other('"type":"RoundBegan"', '"type":"RoundBent"'), "There is no event"),
        (_other('"hidden_money":', '"hidden_honey":'), "Line 2: GameStarted: ruleset.hidden_"),
        (_other('"seats":2', '"seats":2000000000'), "a number has more than 6 digits"),
        (_other('"houses_per_player":', '"houses_per_player":999'), "houses_per_player"),
        (_other('"at":null', '"at":"0001-01-01T00:00:00Z"'), "Event 1: it happened in 1;"),
        (_other('"at":null', '"at":NaN'), "Line 2: not JSON (NaN is no number)."),
        (_other("Änne", "\\ud800"), "Line 1: not JSON (half a character stands alone)."),
        (_other("Änne", "\\u0000"), "Line 1: not JSON (a text holds the character NUL)."),
        (_twice, "is there twice"),
        (_other('"price":', '"price":1'), "PlantBought: price: the log says 1"),
    ],
)  # fmt: skip
def test_what_is_refused_names_reason_and_way_out_and_leaves_nothing(
    site: Site, spoil, reason: str
) -> None:
    anna = site.visitor("Anna")
    lines = text().splitlines()
    answer = bring(anna, "\n".join(spoil(lines)), "me")
    assert answer.status_code == 422
    page = answer.text.replace("&#39;", "'")
    assert reason in page
    assert "Nothing has been stored." in page
    assert 'value="me" checked' in page  # what was chosen stays chosen
    assert stored(site) == [0, 0, 0]


def test_what_is_no_text_is_refused(site: Site) -> None:
    answer = bring(site.visitor("Anna"), b"\x89PNG\r\n\x1a\n\xff\xfe")
    assert (answer.status_code, "not written in UTF-8" in answer.text) == (422, True)
    nothing = site.visitor("Anna").post("/import", {"who": "all"})
    assert (nothing.status_code, "this one is empty" in nothing.text) == (422, True)


def test_a_file_may_be_large_but_not_too_large(site: Site) -> None:
    anna = site.visitor("Anna")
    padded = text() + "\n" * (LARGEST - len(text().encode()))
    assert bring(anna, padded).status_code == 303
    assert bring(anna, padded + "\n").status_code == 422
    assert bring(anna, padded * 2).status_code == 413
    fields = {"name": "x" * 400_000}
    assert anna.post("/profile", fields).status_code == 413  # other forms are bounded as before


def test_nobody_brings_games_without_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = site.visitor("Anna")
    monkeypatch.setattr(limiter, "enabled", True)
    answers = [bring(anna, "{}").status_code for _ in range(21)]
    assert answers == [422] * 20 + [429]


def test_the_importer_is_no_host_of_anything(site: Site) -> None:
    anna = site.visitor("Anna")
    bring(anna, text())
    page = anna.page("/games/1")
    assert "Host" not in page
    for act in ("end", "pause"):
        answer = anna.post(f"/games/1/host/{act}", {"reason": "why", "hours": "1"})
        assert answer.status_code in (404, 405, 409, 422)
    assert json.loads(text().splitlines()[0])["names"] == list(NAMES)
    assert site.house.game(1).status == "abandoned"
