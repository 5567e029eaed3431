"""Links in mails: each for one purpose, one person, one thing (M19 is the pages' part)."""

import pytest

from core.mail.addresses import (
    AddressLink,
    BackLink,
    DeclineLink,
    InviteLink,
    Link,
    Links,
    TurnLink,
    UnsubscribeLink,
)

LINKS = Links("a secret", "https://play.example.org/")
ALL: list[Link] = [
    TurnLink(7, 12, 3, 57),
    BackLink(7, 12, 3),
    InviteLink(5),
    UnsubscribeLink(7, "chat"),
    DeclineLink(5),
    AddressLink(7, "anna@example.org", "anna@example.com", 1796000000),
]


def token(link: Link, links: Links = LINKS) -> str:
    return links.url(link).rpartition("/")[2]


@pytest.mark.parametrize("link", ALL, ids=lambda link: type(link).__name__)
class TestEveryLink:
    def test_says_what_was_put_in(self, link: Link) -> None:
        assert LINKS.read(type(link), token(link)) == link

    def test_leads_to_the_site(self, link: Link) -> None:
        assert LINKS.url(link).startswith("https://play.example.org/")

    def test_opens_nothing_of_another_kind(self, link: Link) -> None:
        for other in ALL:
            if type(other) is not type(link):
                assert LINKS.read(type(other), token(link)) is None

    def test_is_worth_nothing_when_any_character_changes(self, link: Link) -> None:
        good = token(link)
        for place, letter in enumerate(good):
            bad = good[:place] + ("A" if letter != "A" else "B") + good[place + 1 :]
            read = LINKS.read(type(link), bad)
            # Base64 leaves some bits of its last letter unused: the same token, otherwise spelt.
            assert read is None or (place in (good.index(".") - 1, len(good) - 1) and read == link)

    def test_of_another_installation_is_worth_nothing(self, link: Link) -> None:
        foreign = token(link, Links("another", "https://play.example.org"))
        assert LINKS.read(type(link), foreign) is None


@pytest.mark.parametrize("bad", ["", ".", "x", "a.b.c", "WzEsMl0", "%00", "ä.ö", "." * 5000])
def test_nonsense_is_no_link(bad: str) -> None:
    assert LINKS.read(TurnLink, bad) is None
