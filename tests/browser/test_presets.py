"""A table with each set of rules, opened in a browser, played by bots to a verified end."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.game.log.jsonl import load
from core.game.rules import catalog
from core.game.verify import verify
from tests.browser.conftest import Open
from tests.support.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("preset", catalog.variants(), ids=lambda preset: preset.key)
def test_a_preset_from_the_form_to_its_replay(
    site: Site, open_page: Open, tmp_path: Path, preset: catalog.VariantInfo
) -> None:
    page = open_page("/tables/new?more", "Host")
    page.get_by_label("Name of the table").fill("By these rules")
    page.get_by_label("Map", exact=True).select_option("usa")
    page.get_by_label("Rules", exact=True).select_option(preset.key)
    page.get_by_label("Players", exact=True).select_option("3")
    page.get_by_label("Bots among them").select_option("2")
    page.get_by_role("checkbox", name="Begin at once").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="By these rules")).to_be_visible()
    game_id = int(page.url.rsplit("/", 1)[1])
    assert site.house.state(game_id).ruleset.variant == preset.key
    site.house.play(game_id)
    page.reload()
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    with page.expect_download() as download:
        page.evaluate(f"location.href = '/games/{game_id}/log.jsonl'")
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    assert verify(load(file.read_text("utf-8").splitlines()).events).fair
