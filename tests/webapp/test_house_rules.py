"""Chat, notes, the host's tools, errors, numbers for operators, and the local mailbox."""

import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import update

from core.mail.transport import file_name
from core.store.session import put
from core.store.tables import ChatLine, Heartbeat, OutboxMail, Turn, User
from tests.support.site import Site, open_site
from tests.support.smtp_sink import SmtpSink


@pytest.fixture
def game(site: Site) -> int:
    return site.house.played("Ann", "Ben", auction="open", moves=0)


class TestChat:
    def test_a_line_is_said_once(self, site: Site, game: int):
        ann, at = site.visitor("Ann"), f"/games/{game}/chat"
        for _ in range(2):
            ann.post(at, {"text": "Hello all", "nonce": "one"})
        assert [row.text for row in site.house.all(ChatLine)] == ["Hello all"]
        assert "Hello all" in site.visitor("Ben").page(f"/games/{game}")

    @pytest.mark.parametrize("text", ["", "   ", "\n\t"])
    def test_nothing_is_not_said(self, site: Site, game: int, text: str):
        answer = site.visitor("Ann").post(f"/games/{game}/chat", {"text": text, "nonce": "x"})
        assert answer.status_code == 422
        assert "nothing to say" in answer.text

    def test_where_there_is_none_there_is_no_box(self, site: Site):
        quiet = site.house.start("Ann", "Ben", chat=False)
        assert "Say to the table" not in site.visitor("Ann").page(f"/games/{quiet}")
        fields = {"text": "psst", "nonce": "x"}
        assert site.visitor("Ann").post(f"/games/{quiet}/chat", fields).status_code == 422


class TestHost:
    def test_gives_more_time_and_everybody_can_read_why(self, site: Site, game: int):
        """M77: not for a host who is asked alone, see H17."""
        site.house.wait_for_others(game, "Ann")
        before = site.house.asked(game)[0].deadline
        fields = {"hours": "24", "reason": "Ben travels"}
        site.visitor("Ann").post(f"/games/{game}/host/extend", fields)
        assert (site.house.asked(game)[0].deadline - before).days == 1
        assert "Ben travels" in site.visitor("Ben").page(f"/games/{game}")

    def test_says_why_the_game_ends(self, site: Site, game: int):
        ann = site.visitor("Ann")
        assert ann.post(f"/games/{game}/host/end", {"reason": " "}).status_code == 422
        assert site.house.game(game).status == "running"
        ann.post(f"/games/{game}/host/end", {"reason": "Holiday"})
        assert site.house.game(game).status == "running", "Ben must agree"
        page = site.visitor("Ben").page(f"/games/{game}")
        (path,) = set(re.findall(r'action="(/games/\d+/proposals/\d+/answer)"', page))
        site.visitor("Ben").post(path, {"agrees": "yes"})
        page = site.visitor("Ben").page(f"/games/{game}")
        assert "without a winner" in page
        assert "Holiday" in page


class TestErrors:
    @pytest.mark.parametrize(
        ("path", "method", "code", "said"),
        [
            ("/nowhere", "get", 404, "No such address"),
            ("/sign-out", "get", 405, "cannot be done this way"),
            ("/profile", "put", 405, "cannot be done this way"),
            ("/games/1/start", "post", 403, "Only the host"),
        ],
    )
    def test_say_what_to_do_next(self, site: Site, game: int, path, method, code, said):
        ben = site.visitor("Ben")
        form = {"csrf_token": ben.token()}
        answer = getattr(ben.client, method)(path, data=form if method != "get" else None)
        assert answer.status_code == code
        assert said in answer.text
        assert "To your tables" in answer.text

    def test_too_large(self, site: Site):
        answer = site.visitor("Ann").post("/tables/new", {"title": "x" * 300_000})
        assert answer.status_code == 413
        assert "too much at once" in answer.text

    def test_our_own_fault(self, site: Site, game: int, monkeypatch: pytest.MonkeyPatch):
        def broken(*_args, **_kwargs):
            raise RuntimeError("a secret of the machine")

        monkeypatch.setattr("webapp.play.game_page.page", broken)
        site.app.config["PROPAGATE_EXCEPTIONS"] = False
        answer = site.visitor("Ann").get(f"/games/{game}")
        assert answer.status_code == 500
        assert "Something broke on our side" in answer.text
        assert "secret of the machine" not in answer.text


class TestOperators:
    def test_health_tells_of_the_other_programs(self, site: Site):
        with site.house.write() as s:
            s.add(Heartbeat(name="worker", at=site.house.now))
        answer = site.visitor().get("/healthz").json
        assert answer["status"] == "ok"
        assert answer["heartbeat_age_seconds"]["worker"] <= 1

    def test_metrics_count_requests_mails_and_lateness(self, site: Site, game: int):
        site.visitor().get("/help/rules")
        text = site.visitor().get("/metrics").text
        assert 'kraftpost_requests_total{page="rules.help",status="200"}' in text
        assert 'kraftpost_tables{status="running"} 1.0' in text
        numbers = dict(line.split() for line in text.splitlines() if line.startswith("kraftpost_o"))
        assert float(numbers["kraftpost_outbox_due"]) >= 1
        assert "kraftpost_turn_overdue_seconds 0.0" in text

    def test_m8_metrics_tell_of_what_fails_in_silence(self, site: Site, game: int):
        """Sweeps, digests and deliveries: 0 while all is well, more once one stands still."""

        def ill() -> dict[str, float]:
            text = site.visitor().get("/metrics").text
            found = re.findall(r'kraftpost_trouble{check="(\w+)"} (\S+)', text)
            return {name: float(count) for name, count in found}

        with site.house.write() as s:
            put(s, Heartbeat(name="sweep", at=site.house.now))
        assert {"sweep", "digests", "outbox"} <= ill().keys()
        assert set(ill().values()) == {0}
        long_ago = site.house.now - timedelta(days=2)
        with site.house.write() as s:
            put(s, Heartbeat(name="sweep", at=long_ago))
            s.exec(update(User).values(mail_mode="digest"))
            s.exec(update(Turn).values(asked_at=long_ago))
            s.exec(update(OutboxMail).values(created_at=long_ago, next_attempt_at=long_ago))
        assert all(ill()[name] >= 1 for name in ("sweep", "digests", "outbox"))

    @pytest.mark.parametrize(
        ("address", "headers", "status"),
        [
            ("127.0.0.1", {}, 200),
            ("::1", {}, 200),
            ("203.0.113.9", {}, 404),
            ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 404),
            ("127.0.0.1", {"Forwarded": "for=203.0.113.9"}, 404),
        ],
    )
    def test_metrics_are_for_this_machine_alone(self, site: Site, address, headers, status):
        """A proxy on the same machine asks from here, too, but says for whom."""
        answer = site.visitor().get(
            "/metrics", headers=headers, environ_base={"REMOTE_ADDR": address}
        )
        assert answer.status_code == status
        assert ("kraftpost_tables" in answer.text) == (status == 200)


class TestMailbox:
    """/dev/mail, where no mail leaves the machine."""

    @pytest.fixture
    def mail(self, site: Site) -> str:
        return _send(site)

    def test_lists_and_shows(self, site: Site, mail: str):
        visitor = site.visitor()
        mailbox = visitor.page("/dev/mail")
        assert "&lt;b&gt;Thursday" in mailbox
        assert "gets the mail of his next turn 5 minutes later" in mailbox  # M3
        page = visitor.page(f"/dev/mail/{mail}")
        assert "bid 16" in page
        assert "turn+abc@x.localhost" in page
        assert "<script>alert" not in page
        assert 'sandbox="allow-popups' in page

    def test_the_html_is_caged_and_its_pictures_are_inside(self, site: Site, mail: str):
        answer = site.visitor().get(f"/dev/mail/{mail}/html")
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert "script-src" not in answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
        assert "data:image/png;base64,iVBORw==" in answer.text

    @pytest.mark.parametrize("name", ["../secret.eml", "..%2Fsecret.eml", "secret.eml", "x"])
    def test_shows_nothing_else(self, site: Site, mail: str, name: str):
        assert site.visitor().get(f"/dev/mail/{name}").status_code == 404

    def test_an_answer_goes_by_smtp(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, smtp_sink: SmtpSink
    ):
        listen = f"127.0.0.1:{smtp_sink.port}"
        with open_site(tmp_path / "b", monkeypatch, INBOUND_LISTEN=listen) as site:
            name = _send(site)
            site.visitor().post(f"/dev/mail/{name}/reply", {"text": "bid 17"})
        (received,) = smtp_sink.messages
        assert received.recipients == ("turn+abc@x.localhost",)
        assert received.message["From"] == "ann@example.org"
        assert received.message["In-Reply-To"] == "<1@x.localhost>"
        assert "bid 17" in received.message.get_content()

    def test_says_when_nobody_takes_the_answer(self, site: Site, mail: str):
        page = site.visitor().post(f"/dev/mail/{mail}/reply", {"text": "x"}, follow_redirects=True)
        assert "was not taken" in page.text

    @pytest.mark.parametrize(
        "environment", [{"DEV_MAIL": "0"}, {"MAIL_URL": "smtp://127.0.0.1:25"}]
    )
    def test_is_not_there_where_strangers_are(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment
    ):
        with open_site(tmp_path / "b", monkeypatch, **environment) as site:
            assert site.visitor().get("/dev/mail").status_code == 404
            assert "/dev/mail" not in site.visitor().page("/")


def _send(site: Site) -> str:
    """A mail in the local mailbox; its file's name."""
    message = EmailMessage()
    message["From"], message["To"] = "Kraftpost <k@x.localhost>", "ann@example.org"
    message["Subject"] = "[Kraftpost] <b>Thursday</b>"
    message["Reply-To"] = "turn+abc@x.localhost"
    message["Message-ID"], message["X-Kraftpost-Kind"] = "<1@x.localhost>", "turn"
    message["Date"] = "Mon, 30 Nov 2026 10:00:00 +0000"
    message.set_content("bid 16\n<script>alert(1)</script>")
    message.add_alternative('<p onclick="x()">Hi</p><img src="cid:board">', subtype="html")
    part = message.get_payload()[1]
    part.add_related(b"\x89PNG", "image", "png", cid="<board>")
    folder = site.settings.mail_server.directory
    folder.mkdir(parents=True)
    name = file_name(message)
    (folder / name).write_bytes(message.as_bytes())
    (folder.parent / "secret.eml").write_text("Subject: outside")
    return name
