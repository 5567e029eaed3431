"""Kinds of pages: the lobby, people and their settings, links of mails, errors."""

from playwright.sync_api import Page

from core.mail.addresses import (
    AddressLink,
    BackLink,
    DeclineLink,
    InviteLink,
    Links,
    UnsubscribeLink,
)
from core.store.tables import Webhook
from core.table.people import tokens
from core.terms import Terms
from tests.browser.gallery import Gallery, Place, kind, press
from tests.browser.kinds_play import finished


def _still(name: str, path: str, who: str | None = None) -> None:
    """A page that is always there."""
    kind(name)(lambda _gallery: Place(path, who))


_still("sign-in", "/sign-in")
_still("posted", "/sign-in/sent")
_still("link", "/sign-in/abc")
_still("profile", "/profile", "Ann")
_still("clock", "/profile/clock", "Ann")
_still("channels", "/profile/channels", "Ann")
_still("mail settings", "/profile/mail", "Ann")
_still("delete the account", "/profile/delete", "Ann")
_still("bring a file", "/import", "Ann")
_still("new table", "/tables/new", "Ann")
_still("help", "/help/rules")
_still("rules", "/rules")
_still("rulebook", "/rules/recharged")
_still("nowhere", "/nowhere")
_still("broken", "/broken")
_still("mailbox", "/dev/mail")
_still("lobby of a newcomer", "/", "Newcomer")


@kind("lobby of a stranger")
def _lobby_of_a_stranger(gallery: Gallery) -> Place:
    gallery.once(finished)
    gallery.place("before the game")
    return Place("/")


@kind("lobby")
def _lobby(gallery: Gallery) -> Place:
    """Somebody with tables in every state, and an invitation."""
    for name in ("before the game", "waiting", "fuel", "open seat"):
        gallery.place(name)
    gallery.once(finished)
    asks = gallery.house.open("Dora", players=3, private=True, title="Dora's quiet table")
    gallery.invite(asks, "ann@example.org", "Ann")
    gallery.house.open("Dora", players=5, title="Looking for players")
    return Place("/", "Ann")


@kind("before the game")
def _before_the_game(gallery: Gallery) -> Place:
    game = gallery.house.open("Ann", "Ben", players=4, title="Not begun")
    gallery.invite(game, "dora@example.org", "Dora")
    return Place(f"/games/{game}", "Ann")


@kind("before the game, full")
def _full_table(gallery: Gallery) -> Place:
    game = gallery.house.open("Dora", "Ben", robots=1, title="Ready to begin")
    return Place(f"/games/{game}", "Dora")


@kind("before the game, a guest")
def _guest(gallery: Gallery) -> Place:
    return Place(gallery.place("before the game").path, "Emil")


@kind("before the game, invited")
def _invited(gallery: Gallery) -> Place:
    return Place(gallery.place("before the game").path, "Dora")


@kind("closed table")
def _closed(gallery: Gallery) -> Place:
    game = gallery.house.open("Ann", "Ben", players=4, title="Closed")
    gallery.site.visitor("Ann").post(f"/games/{game}/cancel")
    return Place(f"/games/{game}", "Ben")


def _left(gallery: Gallery) -> int:
    """A game of three whose seat of Pia others may take."""
    house, terms = gallery.house, Terms(graces=0)
    people = ("Pia", "Quentin", "Rosa")
    game = gallery.start(*people, turn_hours=1, auction="open", terms=terms, title="A seat is free")
    gallery.play(game, lambda state: state.round == 2)
    seat = house.seat(game, "Pia")
    with gallery.later():
        while not house.state(game).players[seat].caretaker:
            for turn in house.asked(game):
                if turn.seat != seat:
                    house.move(game, turn.seat, house.line(game, turn.seat))
            if all(turn.seat == seat for turn in house.asked(game)):
                house.pass_time(hours=2)
                house.adjudicate(game)
    return game


@kind("open seat")
def _open_seat(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(_left)}", "Dora")


@kind("open seat, its owner")
def _open_seat_owner(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(_left)}", "Pia")


@kind("open seat, another player")
def _open_seat_other(gallery: Gallery) -> Place:
    return Place(f"/games/{gallery.once(_left)}", "Rosa")


@kind("profile of somebody late")
def _late(gallery: Gallery) -> Place:
    gallery.once(_left)
    return Place("/profile", "Pia")


@kind("channels in use")
def _channels_in_use(gallery: Gallery) -> Place:
    user, now = gallery.house.user("Uma"), gallery.house.now
    hook = {"user_id": user.id, "secret": "whs_0123456789abcdef0123456789abcdef"}
    with gallery.house.write() as s:
        s.add(Webhook(**hook, kind="slack", url="https://hooks.example.com/services/T0/B1"))
        long = "https://example.org/the/long/address/of/a/service/that/goes/on/and/on/and/on"
        bad = {"failing_since": now, "disabled_at": now, "last_error": "It answered with 404."}
        s.add(Webhook(**hook, **bad, kind="generic", url=long))
    gallery.start("Uma", "Ben", title="Uma's table")
    return Place("/profile/channels", "Uma")


@kind("channels refused")
def _channels_refused(_gallery: Gallery) -> Place:
    return Place("/profile/channels", "Ann", press("Add webhook", {"url": "http://10.0.0.1/x"}))


_still("operator", "/admin?q=o", "Olga")


@kind("imprint")
def _imprint(gallery: Gallery) -> Place:
    text = "Kraftpost at example.org\nrun by Olga Example\nSome street 1\n\nolga@example.org"
    (gallery.site.settings.data / "imprint.txt").write_text(text)
    return Place("/imprint")


@kind("programs")
def _programs(gallery: Gallery) -> Place:
    user = gallery.house.user("Uma")
    with gallery.house.write() as s:
        for name in ("My bot", "A reader of logs"):
            tokens.make(s, user, name, tuple(tokens.Scope), gallery.house.now)
    return Place("/profile/programs", "Uma", press("Make a token", {"name": "Third"}))


@kind("clock on vacation")
def _clock_on_vacation(gallery: Gallery) -> Place:
    zone = {"zone": "Europe/Berlin", "window": "yes", "from": "09:30", "to": "01:00"}
    gallery.site.visitor("Vera").post("/profile/clock", zone)
    gallery.site.visitor("Vera").post(
        "/profile/vacation", {"days": "5", "sitter": "ann@example.org"}
    )
    return Place("/profile/clock", "Vera")


@kind("sign-in refused")
def _sign_in_refused(_gallery: Gallery) -> Place:
    return Place("/sign-in", None, press("Mail me a link", {"email": "a..b@example.org"}))


@kind("sign-in link used up")
def _sign_in_used(_gallery: Gallery) -> Place:
    return Place("/sign-in/abc", None, press("Sign in"))


@kind("form too old")
def _too_old(_gallery: Gallery) -> Place:
    def act(page: Page) -> None:
        page.locator("input[name=csrf_token]").first.evaluate("e => e.value = ''")
        press("Mail me a link", {"email": "a@example.org"})(page)

    return Place("/sign-in", None, act)


@kind("invitation")
def _invitation(gallery: Gallery) -> Place:
    game = gallery.house.open("Ann", players=3, private=True, title="Quiet table")
    return Place(gallery.link(InviteLink(gallery.invite(game, "nora@example.org", "Nora"))))


@kind("invitation, too late")
def _invitation_too_late(gallery: Gallery) -> Place:
    game = gallery.house.open("Ann", players=3, private=True, title="Quiet table")
    number = gallery.invite(game, "nora@example.org", "Nora")
    gallery.site.visitor("Ann").post(f"/games/{game}/cancel")
    return Place(gallery.link(InviteLink(number)))


@kind("no thanks")
def _no_thanks(gallery: Gallery) -> Place:
    token = gallery.place("invitation").path.rpartition("/")[2]
    number = Links(gallery.site.settings.secret_key, "").read(InviteLink, token).invitation
    return Place(gallery.link(DeclineLink(number)))


@kind("unsubscribe")
def _unsubscribe(gallery: Gallery) -> Place:
    return Place(gallery.link(UnsubscribeLink(gallery.house.user("Ann").id, "turns")))


@kind("unsubscribed")
def _unsubscribed(gallery: Gallery) -> Place:
    path = gallery.link(UnsubscribeLink(gallery.house.user("Zoe").id, "chat"))
    return Place(path, None, press("Unsubscribe"))


@kind("back")
def _back(gallery: Gallery) -> Place:
    game = gallery.once(_left)
    seat = gallery.house.seat(game, "Pia")
    return Place(gallery.link(BackLink(gallery.house.user("Pia").id, game, seat)))


@kind("new address")
def _new_address(gallery: Gallery) -> Place:
    user = gallery.house.user("Xaver")
    soon = int(gallery.house.now.timestamp()) + 900
    return Place(gallery.link(AddressLink(user.id, user.email, "xaver@example.com", soon)))
