"""docs/channels.md says what is so: its code is run, its examples compared with real answers."""

import json
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.channels.webhook_text import Told, body, headers
from core.mail.addresses import Links
from core.table.views import feeds
from tests.support.site import Site, open_site

TEXT = (Path(__file__).parents[2] / "docs" / "channels.md").read_text("utf-8")
CODE, *_ = re.findall(r"```python\n(.*?)```", TEXT, re.S)
HOOK, TABLE, TURNS = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.S))


def test_m24_the_code_that_checks_a_signature_does() -> None:
    names: dict[str, Any] = {}
    exec(CODE, names)  # noqa: S102  our own documentation
    genuine, now = names["is_genuine"], datetime.fromtimestamp(time.time(), UTC)
    raw = body("generic", Told("test", None, "t", "t", "u"))
    given = headers("generic", raw, "secret", now)
    assert genuine("secret", given, raw)
    assert not genuine("another", given, raw)
    assert not genuine("secret", given, raw + b" ")
    assert not genuine("secret", headers("generic", raw, "secret", now - timedelta(hours=1)), raw)


def test_the_message_of_a_webhook_is_the_documented_one() -> None:
    told = Told(**{**HOOK, "deadline": datetime.fromisoformat(HOOK["deadline"])})
    assert json.loads(body("generic", told)) == HOOK


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with open_site(tmp_path, monkeypatch, PUBLIC_URL="https://play.example.org") as opened:
        yield opened


def test_the_api_answers_as_documented(site: Site) -> None:
    game = site.house.start("Ann", "Ben", auction="open", title="Friday league")
    real = site.visitor().get(f"/api/tables/{game}").json
    shape = {**TABLE, "terms": {**real["terms"], **TABLE["terms"]}}
    assert shaped(real) == shaped(shape)
    assert real["seq"] == TABLE["seq"]
    assert real["terms"].keys() >= TABLE["terms"].keys()
    owner = site.house.owner(game, site.house.asked(game)[0].seat)
    secret = feeds.token(Links(site.settings.secret_key, site.settings.public_url), owner)
    mine = site.visitor().get(f"/api/me/turns?feed={secret}").json
    assert shaped(mine) == shaped(TURNS)


def test_every_address_that_is_documented_is_there(site: Site) -> None:
    known = {re.sub(r"<[^>]+>", "*", str(rule)) for rule in site.app.url_map.iter_rules()}
    found = re.findall(r"`(?:GET )?(/(?:api|feeds|games)[^`?]*)`", TEXT)
    assert len(found) == 5
    for address in found:
        assert re.sub(r"SECRET|\b12\b", "*", address) in known


def shaped(value: Any) -> Any:
    """The names and kinds of a JSON value, without what it says."""
    if isinstance(value, dict):
        return {name: shaped(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shaped(inner) for inner in value[:1]]
    return type(value).__name__
