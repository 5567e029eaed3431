"""Regions by chance, by the host or by the players, from opening the table to the first auction."""

from email.message import EmailMessage

import pytest

from core.game.types import Phase
from core.table.record.errors import TableError
from tests.support.post_office import PostOffice, of_kind, offered, text_of
from tests.support.table import House

DRAFT = {"region_choice": "draft"}


def question(mails: list[EmailMessage]) -> EmailMessage:
    (mail,) = of_kind(mails, "turn")
    return mail


def test_players_draft_the_regions_by_mail(house: House, office: PostOffice) -> None:
    game = house.start("Anna", "Ben", "Clara", options=DRAFT, auction="open")
    asked, drafted = question(office.fetch()), []
    while house.state(game).phase is Phase.REGIONS:
        line = offered(asked)[-1]
        drafted.append(line.partition(" ")[2])
        assert line.startswith("region ")
        assert office.answer(asked, line) == "done"
        mails = office.fetch()
        assert len(of_kind(mails, "done")) == 1
        asked = question(mails)
    state = house.state(game)
    assert state.phase is Phase.AUCTION
    assert sorted(state.ruleset.region[r].name for r in state.regions) == sorted(drafted)
    assert offered(asked)[0].startswith("auction ")
    assert office.answer(asked, offered(asked)[0]) == "done"
    assert house.state(game).auction is not None


def test_a_region_apart_is_refused_by_mail_with_its_rule(house: House, office: PostOffice) -> None:
    game = house.start("Anna", "Ben", options=DRAFT)
    first = question(office.fetch())
    taken = offered(first)[0]
    assert office.answer(first, taken) == "done"
    second = question(office.fetch())
    assert office.answer(second, taken) == "done"
    (refused,) = of_kind(office.fetch(), "refused")
    text = text_of(refused)
    assert "taken already, or not connected" in text
    assert "Rule R3.1: In turn order the players choose a region each, until there are 3." in text
    assert f"/games/{game}/rules#R3.1" in text
    assert len(house.state(game).regions) == 1
    assert offered(refused) == offered(second)


def test_who_misses_his_choice_gets_a_region_that_fits(house: House) -> None:
    # who has chosen once is no stranger: his turn can be missed
    game = house.played("Anna", "Ben", options=DRAFT, turn_hours=1, moves=2)
    house.pass_time(hours=2)
    house.adjudicate(game)
    state = house.state(game)
    assert (len(state.regions), state.phase) == (3, Phase.AUCTION)


def test_bots_draft_too(house: House) -> None:
    game = house.played(
        "Anna", robots=3, options=DRAFT, until=lambda state: state.phase is not Phase.REGIONS
    )
    assert len(house.state(game).regions) == 4


def test_a_host_chooses_and_the_game_begins_with_an_auction(house: House) -> None:
    chosen = ("green", "brown", "yellow")
    game = house.start("Anna", "Ben", regions=chosen)
    state = house.state(game)
    assert (set(state.regions), state.phase) == (set(chosen), Phase.AUCTION)


def test_chance_is_the_default(house: House) -> None:
    state = house.state(house.start("Anna", "Ben"))
    assert (len(state.regions), state.phase) == (3, Phase.AUCTION)


@pytest.mark.parametrize(
    ("regions", "options", "code"),
    [
        ((), {"region_choice": "host"}, "regions-unfit"),
        (("green", "brown"), {}, "regions-unfit"),
        (("green", "brown", "atlantis"), {}, "regions-unfit"),
        (("green", "brown", "purple"), {}, "regions-apart"),
        ((), {"region_choice": "dice"}, "rules-unfit"),
    ],
)
def test_regions_that_do_not_fit_are_refused(
    house: House, regions: tuple[str, ...], options: dict[str, str], code: str
) -> None:
    with pytest.raises(TableError) as refusal:
        house.open("Anna", "Ben", regions=regions, options=options)
    assert refusal.value.code == code
