"""The profile's form for a new address, and the page behind the link that is mailed there."""

from core.mail.addresses import AddressLink, Links
from core.store.tables import OutboxMail, User
from tests.support.site import Site


def _path(site: Site, kind: str) -> str:
    (mail,) = site.house.all(OutboxMail, kind=kind)
    settings = site.settings
    link = AddressLink(*mail.context["link"])
    url = Links(settings.secret_key, settings.public_url).url(link)
    return url.removeprefix(settings.public_url)


def test_an_address_is_changed_by_the_button_behind_the_mailed_link(site: Site):
    ann = site.visitor("Ann")
    assert "ann@example.org" in ann.page("/profile")
    ann.post("/profile/address", {"email": "ann@example.com"})
    assert "on its way" in ann.page("/profile")
    path = _path(site, "address")
    for _ in range(3):  # M19: scanners open it, too
        assert "ann@example.com" in site.visitor().page(path)
    assert site.house.all(User)[0].email == "ann@example.org"
    browser = site.visitor()
    assert browser.post(path).location == "/profile"
    assert "ann@example.com" in browser.page("/profile")
    assert ann.get("/profile").status_code == 303, "signed out"
    again = site.visitor().post(path)
    assert (again.status_code, "used or is too old" in again.text) == (422, True)
    site.visitor().post(_path(site, "moved"))
    assert site.house.all(User)[0].email == "ann@example.org"
    assert browser.get("/profile").status_code == 303


def test_what_is_no_address_is_refused(site: Site):
    answer = site.visitor("Ann").post("/profile/address", {"email": "a..b@example.org"})
    assert (answer.status_code, site.house.all(OutboxMail)) == (422, [])


def test_a_link_that_is_not_ours_opens_nothing(site: Site):
    assert site.visitor().get("/address/nonsense").status_code == 404
    assert site.visitor().post("/address/nonsense").status_code == 404
