"""The site in this process and its visitors; the worker's part is played here, too."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.serving import make_server
from werkzeug.test import TestResponse

from core.settings import Settings, load
from core.store.session import make_engine
from core.store.tables import User
from core.table.people import accounts
from tests.support.database import make_tables
from tests.support.table import House
from webapp.app import create_app
from webapp.identity import COOKIE, limiter

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
FIELD = re.compile(r"<input\b[^>]*>")


class Visitor:
    """One browser: it keeps cookies and sends the token that every form needs."""

    def __init__(self, site: "Site", user: User | None) -> None:
        self.client = site.app.test_client()
        if user is not None:
            with site.house.write() as s:
                secret = accounts.open_session(s, user, site.house.now)
            self.client.set_cookie(COOKIE, secret)

    def get(self, path: str, **how) -> TestResponse:
        return self.client.get(path, **how)

    def page(self, path: str) -> str:
        """The text of a page that must be there."""
        answer = self.client.get(path, follow_redirects=True)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    def token(self) -> str:
        match = TOKEN.search(self.client.get("/sign-in").text)
        assert match is not None
        return match.group(1)

    def post(self, path: str, fields: dict[str, object] | None = None, **how) -> TestResponse:
        form = {"csrf_token": self.token(), **(fields or {})}
        return self.client.post(path, data=form, **how)

    def hidden(self, path: str, name: str) -> str:
        """Value of a hidden field of a page."""
        for tag in FIELD.findall(self.page(path)):
            if f'name="{name}"' in tag:
                return unescape(re.search(r'value="([^"]*)"', tag).group(1))
        raise AssertionError(f"{path} has no field {name}")


class Templates(BytecodeCache):
    """Templates are compiled once for all sites of this process: it takes longer than a page."""

    compiled: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self.compiled.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.compiled[bucket.key] = bucket.bytecode_to_string()


class Site:
    """The application over a house of tables."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        make_tables(settings.database_url)
        self.house = House(make_engine(settings.database_url), real_time=True)
        self.app = create_app(settings)
        self.app.jinja_env.bytecode_cache = Templates()

    def visitor(self, name: str | None = None) -> Visitor:
        return Visitor(self, self.house.user(name) if name else None)

    def at(self, game_id: int, seat: int) -> Visitor:
        """The browser of whoever holds a seat."""
        return Visitor(self, self.house.owner(game_id, seat))


@contextmanager
def open_site(data: Path, patch: pytest.MonkeyPatch, **environment: str) -> Iterator[Site]:
    """A site whose doorbell has the moves judged at once, by the very function workers call."""
    values = {
        "KRAFTPOST_DATA": str(data),
        "KRAFTPOST_ENV": "test",
        "SECRET_KEY": "s" * 40,
        "REDIS_URL": f"unix://{data}/none.sock",
        **environment,
    }
    data.mkdir(exist_ok=True)
    site = Site(load(values))
    patch.setattr("tasks.enqueue.adjudicate", site.house.adjudicate)
    patch.setattr("tasks.enqueue.deliver", lambda: None)
    patch.setattr(limiter, "enabled", False)
    yield site
    site.house.engine.dispose()


@contextmanager
def serve(site: Site) -> Iterator[str]:
    """Let real browsers in; gives the address."""
    server = make_server("127.0.0.1", 0, site.app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
