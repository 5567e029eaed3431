"""What strangers and broken parts can do to the site: nothing that lasts (S1 to S7, S13)."""

import logging
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core.channels.http_caller import public
from core.game.errors import LogError
from core.game.log.jsonl import read_object
from core.game.rules.check import beyond
from core.game.rules.load import load as ruleset
from core.settings import SettingsError, load
from core.store import space
from core.text import clean
from tasks import enqueue
from tests.support.site import Site
from webapp import patience
from webapp.cli import up
from webapp.errors import TooLong
from webapp.patience import PatientSocket


class TestStored:
    @pytest.mark.parametrize("line", [
        '{"burns": 1000000000}', '{"income": [1, 99999999]}', '{"a": {"b": -12345678}}',
    ])  # fmt: skip
    def test_s1_no_number_of_a_file_is_endless(self, line):
        with pytest.raises(LogError, match="digits"):
            read_object(line)

    @pytest.mark.parametrize("change", [
        {"burns": 100_000}, {"cities": 99_999}, {"number": 12_345}, {"stores": 5000},
    ])  # fmt: skip
    def test_s1_nor_is_any_of_a_plant(self, change):
        rules = ruleset("germany")
        odd = replace(rules, plants=(replace(rules.plants[0], **change), *rules.plants[1:]))
        assert not list(beyond(rules))
        assert [key for key, _why in beyond(odd)] == [*change]


class TestPatience:
    def test_s1_a_page_that_takes_too_long_is_stopped(self, site: Site):
        def endless() -> str:
            while True:
                sum(range(100))

        site.app.config["PAGE_SECONDS"] = 0.3
        site.app.view_functions["gallery.index"] = endless
        began = time.monotonic()
        answer = site.visitor().get("/gallery")
        assert answer.status_code == 503
        assert "too long" in answer.text
        assert time.monotonic() - began < 3
        assert site.visitor().get("/healthz").status_code == 200

    def test_s1_one_that_is_done_is_not_stopped_afterwards(self, site: Site):
        site.app.config["PAGE_SECONDS"] = 0.3
        assert site.visitor().get("/healthz").status_code == 200
        try:
            time.sleep(0.8)
        except TooLong:
            pytest.fail("the thread was stopped after its request")

    def test_s5_a_request_that_trickles_is_cut_off(self, monkeypatch):
        monkeypatch.setattr(patience, "READ_SECONDS", 0.5)
        ours, theirs = socket.socketpair()
        done = threading.Event()

        def trickle() -> None:
            while not done.wait(0.1):
                theirs.send(b"G")

        thread = threading.Thread(target=trickle)
        thread.start()
        client, began = PatientSocket(ours), time.monotonic()
        with pytest.raises(ConnectionResetError):
            while True:
                client.recv(100)
        assert 0.4 < time.monotonic() - began < 2
        done.set()
        thread.join()

    def test_s2_a_doorbell_that_breaks_in_any_way_breaks_nothing_and_rests(self, monkeypatch):
        rung = []

        def broken(task, *_args, **_how):
            rung.append(task)
            raise AttributeError("its pool was taken from under it")

        monkeypatch.setattr(enqueue.celery, "send_task", broken)
        monkeypatch.setitem(enqueue._silent, "until", 0.0)
        for _ in range(3):
            enqueue.deliver()
        assert rung == ["deliver"]


class TestTexts:
    @pytest.mark.parametrize("path", [
        "/players/%00", "/rules/%1b", "/players/a%0ab", "/sign-in/%00", "/players/%e2%80%ae",
        "/gallery?q=%00", "/sign-in?next=%00", "/?page=%1b", "/games/1/at?n=%00",
        "/players/%ed%a0%80",
    ])  # fmt: skip
    def test_s4_odd_characters_in_an_address_are_no_fault_of_ours(self, site: Site, path):
        assert site.visitor("Anna").get(path).status_code < 500

    def test_s13_no_control_character_reaches_a_page(self, site: Site):
        game = site.house.start("Anna", "Ben")
        anna = site.visitor("Anna")
        page = f"/games/{game}"
        anna.post(f"{page}/chat", {"text": "one\x1b[2Jtwo\x07\u202ethree\r\nfour", "nonce": "a"})
        said = anna.page(page)
        assert "one[2Jtwothree" in said
        assert not {c for c in said if ord(c) < 32} - {"\n", "\t", "\r"}
        assert "\u202e" not in said

    @pytest.mark.parametrize("text", ["a\x00b", "\x1b[1m", "x\u2066y\u2069", "\ud800", "a\rb\r\nc"])
    def test_s13_clean_is_clean(self, text):
        once = clean(text)
        assert clean(once) == once
        once.encode()

    def test_s13_robots_are_told(self, site: Site):
        told = site.visitor().get("/robots.txt")
        assert told.status_code == 200
        assert "Disallow: /profile" in told.text


class TestSecrets:
    def test_s3_an_error_logs_no_address(self, site: Site, caplog, monkeypatch):
        def broken(**_given):
            raise RuntimeError("for the test")

        monkeypatch.setitem(site.app.view_functions, "auth.link", broken)
        site.app.config["PROPAGATE_EXCEPTIONS"] = False
        with caplog.at_level(logging.ERROR):
            assert site.visitor().get("/sign-in/live-secret").status_code == 500
        assert "auth.link" in caplog.text
        assert "live-secret" not in caplog.text

    def test_s6_mail_is_shown_to_this_machine_alone(self, site: Site):
        app = site.app
        if "dev_mail" not in app.blueprints:
            pytest.skip("no mailbox here")
        browser = app.test_client()
        assert browser.get("/dev/mail").status_code == 200
        far = {"REMOTE_ADDR": "192.168.1.7"}
        assert browser.get("/dev/mail", environ_base=far).status_code == 404
        assert browser.get("/dev/mail", headers={"X-Forwarded-For": "9.9.9.9"}).status_code == 404


class TestSettings:
    @pytest.mark.parametrize(("name", "value"), [
        ("SECRET_KEY", "a" * 32), ("SECRET_KEY", "ab" * 20), ("MAIL_FROM", "a@b.org\nBcc: x@y.org"),
        ("MAIL_FROM", "nobody"), ("DATABASE_URL", "nonsense://x"), ("DATABASE_URL", "mysql://h/d"),
        ("MAIL_DOMAIN", "exa mple.org"), ("ADMIN_MAIL", "a@b\r.org"),
    ])  # fmt: skip
    def test_s7_no_unsound_setting_is_taken(self, name, value, tmp_path: Path):
        given = {
            "KRAFTPOST_ENV": "production", "KRAFTPOST_DATA": str(tmp_path),
            "SECRET_KEY": "kJ8w_qZ3mN5vB7xL2cT9rY4uE6iO1pAs", "PUBLIC_URL": "https://example.org",
            "MAIL_DOMAIN": "example.org", "MAIL_URL": "smtp://localhost",
            "DATABASE_URL": "postgresql://localhost/x", "REDIS_URL": "redis://localhost",
        }  # fmt: skip
        load(given)
        with pytest.raises(SettingsError, match=name):
            load(given | {name: value})

    @pytest.mark.parametrize("address", ["192.0.0.192", "192.0.0.8", "64:ff9b::a00:1", "3fff::1"])
    def test_s7_special_addresses_are_not_public(self, address):
        assert not public(address)

    def test_s7_a_full_disk_is_told(self, site: Site, monkeypatch):
        assert site.visitor().get("/healthz").status_code == 200
        monkeypatch.setattr(space, "free", lambda _data: 1 << 20)
        assert site.visitor().get("/healthz").status_code == 503

    def test_s7_each_gauge_is_told_once(self, site: Site):
        told = site.visitor().get("/metrics").text
        lines = [line for line in told.splitlines() if line.startswith("kraftpost_outbox_due")]
        assert len(lines) == 1


def test_s3_no_log_keeps_the_link_of_the_demo(tmp_path: Path):
    class Quiet:
        logs = tmp_path

        def once(self, program) -> str:
            said = '{"sign_in": "http://x/sign-in/live-secret"}'
            for name in ("demo.log", "demo.log.1"):
                (tmp_path / name).write_text(said)
            return f"a line before\n{said}"

    (tmp_path / "web.log").write_text("kept")
    found = up._said(Quiet(), up._demo(""))
    assert found["sign_in"].endswith("live-secret")
    assert [path.name for path in tmp_path.iterdir()] == ["web.log"]
