"""Somebody who plays by the forms alone, with whatever the page offers."""

import re

from playwright.sync_api import Page, TimeoutError, expect

MAIL_LINK = re.compile(r"/sign-in/[\w-]+")


def sign_in(page: Page, site: str, email: str) -> None:
    """Ask for a link, read the mail on /dev/mail, press the link's button, choose a name."""
    page.goto(f"{site}/sign-in")
    page.get_by_label("Your e-mail address").fill(email)
    page.get_by_role("button", name="Mail me a link").click()
    page.get_by_role("link", name="Open the mailbox of this machine").click()
    mail = page.locator("li", has_text=email).get_by_role("link")
    for _ in range(60):
        if mail.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    mail.first.click()
    link = MAIL_LINK.search(page.locator("pre").first.inner_text())
    assert link is not None
    page.goto(site + link.group(0))
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill(email.partition("@")[0])
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(f"{site}/")
    expect(page.get_by_role("heading", name="Your tables")).to_be_visible()


def open_table(page: Page, players: int, bots: int, title: str) -> None:
    """Fill in the form for a table and begin."""
    page.get_by_role("link", name="New table").click()
    page.locator("details.more > summary").click()
    page.get_by_label("Name of the table").fill(title)
    page.get_by_label("Map", exact=True).select_option(label="Germany")
    page.get_by_label("Players", exact=True).select_option(str(players))
    page.get_by_label("Bots among them").select_option(str(bots))
    page.get_by_role("checkbox", name="Begin at once").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def play_until(page: Page, done, moves: int = 400) -> int:
    """Answer every turn by its form until `done(page)`; the number of moves made."""
    made = 0
    for _ in range(moves * 4):
        if done(page):
            return made
        if page.locator("#turn").count():
            answer(page)
            made += 1
        else:
            page.wait_for_timeout(300)
            page.reload()
    raise AssertionError(f"not done after {made} moves")


def answer(page: Page) -> None:
    """Fill in the form, look at the preview, send it, see that it is done."""
    choose(page)
    page.get_by_role("button", name="Preview").click()
    send = page.get_by_role("button", name="Send it")
    try:
        send.click()
    except TimeoutError:
        raise AssertionError(page.locator("main").inner_text()) from None
    expect(page.locator(".done")).to_contain_text("Done:")


def choose(page: Page) -> None:
    """Something sensible and quick: cheap plants, fuel that fits, the nearest city."""
    turn = page.locator("#turn")
    if turn.locator("input[name=plant]").count():
        plants = turn.locator("input[name=plant]:not([value=pass])")
        spare = turn.locator("input[name=plant][value=pass]")
        owned = page.locator("tr.me .mini").count()
        (spare if spare.count() and owned >= 2 else plants.last).check()
    elif turn.locator("input[name=act][value=pass]").count():
        turn.locator("input[name=act][value=pass]").check()
    elif turn.locator("select[data-costs]").count():
        for select in turn.locator("select[data-costs]").all()[:1]:
            select.select_option(index=1)
    elif turn.locator("input[name=city]").count():
        turn.locator("input[name=city]").first.check()
