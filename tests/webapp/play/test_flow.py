"""The move that goes on: after a move the next thing is there, and nothing typed is ever lost."""

import re
from datetime import timedelta

import pytest

from core.mail.addresses import Links, TurnLink
from core.store.tables import ChatLine, OutboxMail, Submission, WebSession
from tests.support.site import Site, Visitor


@pytest.fixture
def game(site: Site) -> int:
    """Ann plays against bots, so that she is asked again and again."""
    return site.house.start("Ann", robots=2, auction="open")


def link(site: Site, game: int, user: str = "Ann") -> str:
    """The path of the link in the mail about the turn that is open."""
    asked, settings = site.house.asked(game)[0], site.settings
    what = TurnLink(site.house.user(user).id, game, asked.seat, asked.turn)
    return (
        Links(settings.secret_key, settings.public_url).url(what).removeprefix(settings.public_url)
    )


def send(visitor: Visitor, site: Site, game: int, path: str, nonce: str = ""):
    """Send the move that silence would make."""
    asked = site.house.asked(game)[0]
    line = site.house.line(game, asked.seat)
    fields = {"do": "send", "turn": asked.turn, "line": line, "nonce": nonce or f"n{asked.turn}"}
    return visitor.post(path, fields, follow_redirects=True)


def sign_out_everywhere(site: Site) -> None:
    with site.house.write() as s:
        for row in site.house.all(WebSession):
            s.delete(s.get(WebSession, row.id))


class TestByAMailsLink:
    def test_w1_a_round_goes_on_without_the_inbox(self, site: Site, game: int):
        stranger, path, turns = site.visitor(), link(site, game), set()
        for _ in range(8):
            turns.add(site.house.asked(game)[0].turn)
            page = send(stranger, site, game, path)
            assert "Done:" in page.text
            assert "Your move" in page.text
            assert "Since then" in page.text
            path = re.search(r'<form method="post" action="(/seat/\d+)" class="turn"', page.text)[1]
        assert len(turns) == 8
        assert site.house.state(game).round >= 2

    def test_w1_who_is_not_asked_reads_whose_turn_it_is_and_until_when(self, site: Site):
        game = site.house.start("Ann", "Ben", auction="open")
        name = site.house.owner(game, site.house.asked(game)[0].seat).name
        page = send(site.visitor(), site, game, link(site, game, name)).text
        assert "Waiting for" in page
        assert "Until <time" in page

    def test_w1_opens_this_seat_alone(self, site: Site, game: int):
        stranger, other = site.visitor(), site.house.start("Ann", robots=2, auction="open")
        send(stranger, site, game, link(site, game))
        assert stranger.get(f"/seat/{game}").status_code == 200
        assert stranger.get(f"/seat/{other}").location == f"/games/{other}"
        assert stranger.post(f"/seat/{other}", {"do": "preview"}).status_code == 303
        for path in ("/profile", f"/games/{game}/undo", f"/games/{game}/whatif"):
            assert stranger.get(path).location.startswith("/sign-in")
        assert "other table waits" not in stranger.page(f"/seat/{game}")

    def test_w1_the_token_dies_with_its_move_for_every_other_browser(self, site: Site, game: int):
        path, stranger = link(site, game), site.visitor()
        send(stranger, site, game, path)
        assert site.visitor().get(path).status_code == 410
        assert stranger.get(path).location == f"/seat/{game}"
        late = site.visitor()
        late.post(path, {"do": "preview", "line": "pass"})
        assert late.get(f"/seat/{game}").location == f"/games/{game}"

    def test_w1_w2_after_half_an_hour_it_is_shut_and_what_was_written_is_kept(
        self, site: Site, game: int, monkeypatch: pytest.MonkeyPatch
    ):
        stranger = site.visitor()
        monkeypatch.setattr("webapp.seat.LIFE", timedelta(seconds=-1))
        send(stranger, site, game, link(site, game))
        answer = stranger.post(f"/seat/{game}", {"do": "preview", "turn": "1", "line": "bid 77"})
        assert answer.location.startswith("/sign-in?next=")
        page = stranger.page(answer.location)
        assert "You are signed out: nothing was done." in page
        assert "bid 77" in page

    def test_w1_signing_out_shuts_it(self, site: Site, game: int):
        stranger = site.visitor()
        send(stranger, site, game, link(site, game))
        stranger.post("/sign-out")
        assert stranger.get(f"/seat/{game}").location == f"/games/{game}"

    def test_w1_who_is_signed_in_goes_on_at_the_table(self, site: Site, game: int):
        ann = site.visitor("Ann")
        answer = send(ann, site, game, link(site, game))
        assert answer.request.path == f"/games/{game}"
        assert "Done:" in answer.text


def test_w1_other_tables_that_wait_are_named_to_who_is_signed_in(site: Site):
    game = site.house.start("Ann", "Ben", auction="open")
    other = site.house.start("Ann", robots=2, auction="open")
    if site.house.owner(game, site.house.asked(game)[0].seat).name == "Ann":
        send(site.visitor("Ann"), site, game, f"/games/{game}/turn")
    page = site.visitor("Ann").page(f"/games/{game}")
    assert "1 other table waits for you: next" in page
    assert f'href="/games/{other}"' in page


class TestAFormThatCameTooLate:
    def test_w2_a_move_of_an_ended_session_comes_back_filled_in(self, site: Site, game: int):
        ann, asked = site.visitor("Ann"), site.house.asked(game)[0]
        sign_out_everywhere(site)
        fields = {"do": "preview", "turn": asked.turn, "plant": "4", "amount": "37"}
        referrer = {"Referer": f"http://localhost/games/{game}"}
        answer = ann.post(f"/games/{game}/turn", fields, headers=referrer)
        assert answer.location == f"/sign-in?next=/games/{game}"
        page = ann.page(answer.location)
        assert "nothing was done" in page
        assert "37" in page
        again = site.visitor("Ann")
        again.client.set_cookie("kraftpost_kept", ann.client.get_cookie("kraftpost_kept").value)
        page = again.page(f"/games/{game}")
        assert "Nothing was done" in page
        assert 'value="37"' in page
        assert site.house.all(Submission) == []

    def test_w2_what_was_said_is_in_its_box_again_until_it_is_said(self, site: Site, game: int):
        ann = site.visitor("Ann")
        sign_out_everywhere(site)
        ann.post(f"/games/{game}/chat", {"text": "Coal for 'all'", "nonce": "x"})
        again = site.visitor("Ann")
        again.client.set_cookie("kraftpost_kept", ann.client.get_cookie("kraftpost_kept").value)
        assert 'value="Coal for &#39;all&#39;"' in again.page(f"/games/{game}")
        assert site.house.all(ChatLine) == []
        again.post(f"/games/{game}/chat", {"text": "Coal for 'all'", "nonce": "x"})
        assert 'Coal for &#39;all&#39;"' not in again.page(f"/games/{game}")

    def test_w2_any_other_form_is_offered_whole(self, site: Site, game: int):
        ann = site.visitor("Ann")
        sign_out_everywhere(site)
        ann.post("/profile", {"name": "Annabel", "zone": "Europe/Berlin"})
        again = site.visitor("Ann")
        again.client.set_cookie("kraftpost_kept", ann.client.get_cookie("kraftpost_kept").value)
        page = again.page("/profile")
        assert "Send it now" in page
        assert '<input type="hidden" name="name" value="Annabel">' in page
        assert site.house.user("Ann").name == "Ann"

    def test_w2_with_a_token_of_another_session_it_is_kept_too(self, site: Site, game: int):
        ann = site.visitor("Ann")
        fields = {"csrf_token": "of another", "do": "preview", "plant": "4", "amount": "37"}
        headers = {"Referer": f"http://localhost/games/{game}"}
        answer = ann.client.post(f"/games/{game}/turn", data=fields, headers=headers)
        assert answer.status_code == 400
        assert "Nothing was done" in answer.text
        assert f'href="/games/{game}"' in answer.text
        assert 'value="37"' in ann.page(f"/games/{game}")

    def test_w2_what_another_site_sends_is_not_kept(self, site: Site, game: int):
        ann = site.visitor("Ann")
        for headers in ({"Origin": "https://evil.example"}, {"Referer": "https://evil.example/x"}):
            answer = ann.client.post(
                f"/games/{game}/host/end", data={"reason": "x"}, headers=headers
            )
            assert answer.status_code == 400
            assert ann.client.get_cookie("kraftpost_kept") is None

    def test_w2_a_forged_cookie_says_nothing(self, site: Site, game: int):
        ann = site.visitor("Ann")
        ann.client.set_cookie("kraftpost_kept", "eyJwYXRoIjoiLyJ9.x.y")
        assert "Not done yet" not in ann.page(f"/games/{game}")


class TestWhatWasChosen:
    def test_w3_a_stale_form_shows_three_lines_and_then_the_form_of_now(
        self, site: Site, game: int
    ):
        ann = site.visitor("Ann")
        old = site.house.asked(game)[0].turn
        for _ in range(6):
            send(ann, site, game, f"/games/{game}/turn")
        answer = ann.post(f"/games/{game}/turn", {"do": "send", "turn": old, "line": "bid 99"})
        assert answer.status_code == 409
        head, form = answer.text.split('class="turn"')[0], answer.text.split('class="turn"')[1]
        assert "The game moved on. Your move was not made." in head
        assert "bid 99" in head
        news = re.search(r'<section class="news".*?</section>', head, re.S)[0]
        assert news.count("<li>") == 4, "three lines, and how many more the log has"
        assert "more lines in the log" in news
        assert "Preview" in form

    def test_w4_a_draft_says_what_it_is_and_can_be_thrown_away(self, site: Site, game: int):
        ann, asked = site.visitor("Ann"), site.house.asked(game)[0]
        at = f"/games/{game}/turn"
        assert "Your draft of" not in ann.page(f"/games/{game}")
        refused = {"do": "preview", "turn": asked.turn, "plant": "4", "amount": "999"}
        assert ann.post(at, refused).status_code == 422
        page = ann.page(f"/games/{game}")
        assert re.search(r"Your draft of \d\d:\d\d\.", page)
        assert 'value="999"' in page
        ann.post(at, {"do": "afresh", "turn": asked.turn, "plant": "4", "amount": "999"})
        page = ann.page(f"/games/{game}")
        assert "Your draft of" not in page
        assert 'value="999"' not in page

    def test_w6_the_result_takes_the_keyboard(self, site: Site, game: int):
        ann = site.visitor("Ann")
        page = send(ann, site, game, f"/games/{game}/turn").text
        assert re.search(r'<h2 class="done" id="result"[^>]* tabindex="-1" autofocus>', page)
        assert page.count("autofocus") == 1


class TestTheFirstProfile:
    def test_w5_leads_on_to_where_somebody_was_going(self, site: Site, game: int):
        guest = site.visitor()
        guest.post("/sign-in", {"email": "new@example.org", "next": f"/games/{game}"})
        token = site.house.all(OutboxMail, kind="signin")[-1].context["token"]
        answer = guest.post(f"/sign-in/{token}")
        assert answer.location == "/profile"
        answer = guest.post("/profile", {"name": "Nina", "zone": "UTC"})
        assert answer.location == f"/games/{game}"
        assert guest.post("/profile", {"name": "Nina", "zone": "UTC"}).location == "/profile"


def test_w9_an_open_auction_waits_for_its_bidders_in_bidding_order_and_tells_who_passed(site: Site):
    game = site.house.start("Ann", "Ben", "Cem", "Dora", auction="open")
    house = site.house
    opener = house.asked(game)[0].seat
    house.move(game, opener, "auction 4 for 4")
    out = house.asked(game)[0].seat
    house.move(game, out, "pass")
    bidder = house.asked(game)[0].seat
    house.move(game, bidder, "bid 5")
    asked, watching = house.asked(game)[0].seat, site.visitor()
    names = {seat: house.owner(game, seat).name for seat in range(4)}
    page = watching.page(f"/games/{game}")
    assert f"Waiting for {names[asked]}: bidding on plant 4, then {names[opener]}." in page
    assert f"; {names[out]} passed." in page
