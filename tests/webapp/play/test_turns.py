"""A turn by form: preview, draft, sending, refusal, and games that have moved on."""

import re
from contextlib import contextmanager

import pytest

from core.game.types import Phase
from core.mail.addresses import Links, TurnLink
from core.store.tables import Draft, EventRow, Submission, User
from core.table.views.table_view import table_view
from tests.support.played import NOW
from tests.support.site import Site, Visitor
from webapp import web


class Turn:
    """An open turn of a player, and the browser to answer it with."""

    def __init__(self, site: Site, game_id: int) -> None:
        self.site, self.game_id = site, game_id
        asked = site.house.asked(game_id)[0]
        self.seat, self.number = asked.seat, asked.turn
        self.visitor = site.at(game_id, asked.seat)
        self.at = f"/games/{game_id}"

    def preview(self, line: str = "", **fields):
        return self.visitor.post(
            f"{self.at}/turn", {"do": "preview", "turn": self.number, "line": line, **fields}
        )

    def send(self, line: str, nonce: str = ""):
        key = nonce or f"turn-{self.number}"
        fields = {"do": "send", "turn": self.number, "line": line, "nonce": key}
        return self.visitor.post(f"{self.at}/turn", fields, follow_redirects=True)

    def rows(self) -> int:
        return len(self.site.house.all(EventRow, game_id=self.game_id))


@pytest.fixture
def turn(site: Site) -> Turn:
    """The first question of a game: somebody must open an auction."""
    return Turn(site, site.house.start("Ann", "Ben", "Cem", auction="open"))


def test_a_preview_commits_nothing_and_offers_the_very_line(turn: Turn):
    before = turn.rows()
    answer = turn.preview(plant="5", amount="7")
    assert answer.status_code == 200
    assert 'name="line" value="auction 5 for 7"' in answer.text
    assert "put up plant 5" in answer.text
    assert turn.rows() == before
    assert turn.site.house.all(Submission) == []


def test_sending_plays_it_and_shows_that_it_is_done(turn: Turn):
    answer = turn.send("auction 5 for 7")
    assert answer.status_code == 200
    assert "Done:" in answer.text
    assert "auction 5 for 7" in answer.text
    assert turn.site.house.state(turn.game_id).auction.plant == 5


def test_a_refusal_says_why_and_keeps_the_choices(turn: Turn):
    turn.preview(plant="6", amount="12")
    answer = turn.send("auction 6 for 2")
    assert "Refused:" in answer.text
    assert re.search(r"value=\"6\"[^>]* checked", answer.text)
    assert 'value="12"' in answer.text
    assert turn.rows() == turn.site.house.game(turn.game_id).seq
    assert turn.site.house.state(turn.game_id).auction is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose a plant, or pass"),
        ({"plant": "5", "amount": "lots"}, "whole number"),
        ({"plant": "5", "amount": "999999999999"}, "whole number"),
        ({"plant": "5", "amount": "51"}, "50"),
        ({"line": "auction five"}, "auction"),
        ({"line": "build Berlin"}, ""),
        ({"line": "x" * 600}, "at most 500"),
    ],
)
def test_what_is_wrong_is_said_at_once(turn: Turn, fields, said):
    answer = turn.preview(**fields)
    assert answer.status_code == 422
    wrong = re.search(r'<p class="wrong" role="alert"[^>]*>(.+?)</p>', answer.text, re.S)
    assert wrong is not None
    assert said in wrong.group(1)


def test_an_empty_amount_is_the_least(turn: Turn):
    assert "auction 4 for 4" in turn.preview(plant="4", amount="").text


def test_a_draft_survives_until_the_turn_is_over(turn: Turn):
    answer = turn.visitor.post(
        f"{turn.at}/turn", {"do": "keep", "turn": turn.number, "plant": "5", "amount": "9"}
    )
    assert answer.status_code == 303
    page = turn.site.at(turn.game_id, turn.seat).page(turn.at)
    assert re.search(r'name="plant" value="5"[^>]* checked', page)
    assert 'value="9"' in page
    turn.send("auction 3 for 3")
    assert turn.site.house.state(turn.game_id).auction.plant == 3
    assert all(row.turn == turn.number for row in turn.site.house.all(Draft))


def test_the_same_nonce_is_the_same_move(turn: Turn):
    first, second = turn.send("auction 5 for 7"), turn.send("auction 5 for 7")
    assert (first.status_code, first.request.path) == (second.status_code, second.request.path)
    strip = re.compile(r'value="[^"]*"|\(.*?\)')
    assert strip.sub("", first.text) == strip.sub("", second.text)
    assert len(turn.site.house.all(Submission)) == 1


def test_a_stale_form_is_told_what_has_happened(turn: Turn):
    """M63: 409, what happened since, the choices shown, nothing applied."""
    turn.send("auction 5 for 7")
    before = turn.rows()
    for answer in (turn.send("auction 6 for 9", nonce="n2"), turn.preview(plant="6", amount="9")):
        assert answer.status_code == 409
        assert "put up plant 5 and bid 7" in answer.text
        assert "9" in answer.text
        assert f'href="{turn.at}"' in answer.text
    assert turn.rows() == before
    assert len(turn.site.house.all(Submission)) == 1


def test_what_has_happened_is_looked_up_outside_of_any_transaction_that_writes(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
):
    """There the log may grow between two looks, on PostgreSQL, and the page would be torn."""
    turn.send("auction 5 for 7")
    writing, within = web.writing, []

    @contextmanager
    def watched():
        with writing() as s:
            within.append(s)
            yield s
            within.pop()

    def view(*args, **how):
        assert not within
        return table_view(*args, **how)

    monkeypatch.setattr("webapp.web.writing", watched)
    monkeypatch.setattr("webapp.access.table_view", view)
    assert turn.send("auction 6 for 9", nonce="n2").status_code == 409
    assert turn.preview(plant="6", amount="9").status_code == 409


def test_a_line_too_long_is_refused_and_not_cut(turn: Turn):
    long = "pass #" + "x" * 500
    for answer in (turn.preview(long), turn.send(long)):
        assert "at most 500 characters" in answer.text
    assert [row.status for row in turn.site.house.all(Submission)] == ["rejected"]


def test_a_turn_of_another_seat_cannot_be_answered(turn: Turn):
    other = turn.site.at(turn.game_id, (turn.seat + 1) % 3)
    fields = {"do": "send", "turn": turn.number, "line": "pass", "nonce": "x"}
    assert other.post(f"{turn.at}/turn", fields).status_code == 409
    assert turn.site.house.all(Submission) == []


def test_while_the_worker_sleeps_the_move_is_kept(turn: Turn, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tasks.enqueue.adjudicate", lambda game_id: None)
    monkeypatch.setattr("webapp.play.turns.PATIENCE", 0)
    answer = turn.send("auction 5 for 7")
    assert answer.status_code == 202
    assert "on its way" in answer.text
    assert "Refresh" in answer.headers
    turn.site.house.adjudicate(turn.game_id)
    assert "Done:" in turn.visitor.page(answer.request.path)


def _link(turn: Turn, **other) -> str:
    settings = turn.site.settings
    owner = turn.site.house.owner(turn.game_id, turn.seat)
    what = {"user": owner.id, "game": turn.game_id, "seat": turn.seat, "turn": turn.number}
    url = Links(settings.secret_key, settings.public_url).url(TurnLink(**{**what, **other}))
    return url.removeprefix(settings.public_url)


class TestALinkFromAMail:
    def test_m19_opens_the_form_without_signing_in_and_changes_nothing(self, turn: Turn):
        """Prefetched three times, by GET and HEAD."""
        stranger, path, before = turn.site.visitor(), _link(turn), turn.rows()
        for _ in range(3):
            assert stranger.client.head(path).status_code == 200
            assert "Your move" in stranger.page(path)
        assert turn.rows() == before
        assert f'action="{path}"' in stranger.page(path)

    def test_plays_the_turn_by_a_post(self, turn: Turn):
        stranger, path = turn.site.visitor(), _link(turn)
        page = stranger.post(path, {"do": "preview", "plant": "5", "amount": "7"})
        assert "auction 5 for 7" in page.text
        fields = {"do": "send", "line": "auction 5 for 7", "nonce": "n"}
        assert "Done" in stranger.post(path, fields, follow_redirects=True).text
        assert turn.site.house.state(turn.game_id).auction.plant == 5

    def test_is_of_no_use_once_the_turn_is_over(self, turn: Turn):
        path = _link(turn)
        turn.send("auction 5 for 7")
        stranger = turn.site.visitor()
        assert stranger.get(path).status_code == 410
        assert "plant 5" not in stranger.get(path).text
        fields = {"do": "send", "line": "pass", "nonce": "n"}
        late = stranger.post(path, fields)
        assert late.status_code == 409
        assert "This turn is over" in late.text
        assert "pass" in late.text, "what was chosen is shown"
        assert "plant 5" not in late.text, "an old link tells no news"

    def test_that_was_overtaken_on_its_way_goes_on_with_what_happened(
        self, turn: Turn, monkeypatch
    ):
        """The link was good when the form was sent: its seat is open to this browser alone."""
        stranger, path = turn.site.visitor(), _link(turn)
        monkeypatch.setattr("tasks.enqueue.adjudicate", lambda game_id: None)
        monkeypatch.setattr("webapp.play.turns.PATIENCE", 0)
        turn.send("auction 5 for 7")
        fields = {"do": "send", "line": "auction 6 for 9", "nonce": "n"}
        sent = stranger.post(path, fields).location
        turn.site.house.adjudicate(turn.game_id)
        answer = stranger.get(sent)
        assert answer.status_code == 409
        assert "auction 6 for 9" in answer.text
        assert "put up plant 5" in answer.text
        assert turn.site.visitor().get(sent).status_code == 303

    def test_says_nothing_for_another_seat_or_a_forged_token(self, turn: Turn):
        stranger = turn.site.visitor()
        other = _link(turn, seat=(turn.seat + 1) % 3)
        path = _link(turn)
        forged = path[:-5] + ("A" if path[-5] != "A" else "B") + path[-4:]
        for path in (other, forged, "/turn/x"):
            assert stranger.get(path).status_code == 404
            assert stranger.post(path, {"do": "send", "line": "pass"}).status_code == 404


def test_a_whole_game_by_the_first_choice_of_every_form(site: Site):
    """Every phase has its form, and what a form offers is taken."""
    game_id = site.house.start("Ann", "Ben", auction="sealed")
    seen = set()
    for _ in range(40):
        if not site.house.asked(game_id):
            break
        turn = Turn(site, game_id)
        seen.add(site.house.state(game_id).phase)
        page = turn.preview(**_first_choice(turn.visitor.page(turn.at)))
        assert page.status_code == 200, page.text
        line = re.search(r'name="line" value="([^"]+)"', page.text).group(1)
        assert "Done:" in turn.send(line).text
    assert seen >= {Phase.AUCTION, Phase.RESOURCES, Phase.BUILDING, Phase.BUREAUCRACY}


def _first_choice(page: str) -> dict[str, str]:
    """The first radio button, box and priced option of a form."""
    form = page[page.index('id="turn"') :]
    fields = {}
    for name in ("choice", "plant", "city"):
        if match := re.search(rf'name="{name}" value="([^"]+)"', form):
            fields[name] = match.group(1)
    for name, least in re.findall(r'name="(amount)"[^>]* value="(\d+)"', form):
        fields.update({name: least, "act": "bid"})
    for name in re.findall(r'<select id="buy-\w+" name="(\w+)"', form)[:1]:
        fields[name] = "1"
    return fields


def test_someone_without_javascript_has_every_field(turn: Turn):
    page = turn.visitor.page(turn.at)
    assert 'name="line"' in page
    assert isinstance(turn.visitor, Visitor)
    assert len(re.findall(r'type="radio" name="plant"', page)) >= 4


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({}, "A mail will come when it is your move."),
        ({"mail_mode": "digest"}, "Your daily digest tells when it is your move."),
        ({"mail_mode": "off"}, "you have turned these mails off."),
        ({"undeliverable_at": NOW}, "only this page tells when it is your move."),
    ],
)
def test_who_waits_reads_how_he_hears_of_his_move(site: Site, wanted, said):
    game = site.house.start("Ann", "Ben", "Cem", auction="open")
    name = site.house.owner(game, (site.house.asked(game)[0].seat + 1) % 3).name
    visitor = site.visitor(name)
    with site.house.write() as s:
        user = s.get_one(User, site.house.user(name).id)
        for field, value in wanted.items():
            setattr(user, field, value)
        s.add(user)
    page = visitor.page(f"/games/{game}")
    assert said in page
    assert page.count("it is your move") == 1
    assert f'href="/games/{game}/rules"' in page.partition('class="race"')[2].partition("</ul>")[0]
