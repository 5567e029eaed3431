"""`make pictures`: plays a demo game for some rounds and takes the README's pictures of it."""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from smoke import MOVE, Browser, offered, wait

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
MOVES = 24
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 780}
TALLEST = 1000  # pixels of a picture


def main() -> None:
    """Start a service of its own, play, take the pictures, and stop it."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        words = ["up", "--port", "0", "--smtp-port", "0", "--json", "--data", data, *sys.argv[1:]]
        service = subprocess.Popen(
            [sys.executable, "-m", "webapp.cli", *words], stdout=subprocess.PIPE, text=True
        )
        try:
            facts = json.loads(service.stdout.readline() if service.stdout else "")
            browser = Browser()
            mail = play(browser, facts)
            browser.open(facts["sign_in"])
            browser.submit(urlsplit(browser.url).path)
            take(browser, facts, mail)
        finally:
            service.send_signal(signal.SIGINT)
            service.wait(60)


def play(browser: Browser, facts: dict[str, Any]) -> str:
    """Answer so many turn mails by mail; the name of the last turn mail, not yet answered."""
    mails, seen = Path(facts["data"]) / "mail", ""
    for number in range(MOVES + 1):
        name, lines = wait(lambda last=seen: offered(mails, last), MOVE, "a turn mail")
        if number == MOVES:
            return str(name)
        seen = name
        line = next((one for one in lines if "nothing" not in one and one != "pass"), lines[0])
        browser.open(f"{facts['mailbox']}/{name}")
        browser.submit("/reply", text=line)
        print(f"{number + 1}/{MOVES} {line}", file=sys.stderr)
    return seen


def take(browser: Browser, facts: dict[str, Any], mail: str) -> None:
    """Take the pictures as the person who is signed in."""
    cookies = [
        {"name": one.name, "value": one.value or "", "url": facts["site"]} for one in browser.jar
    ]
    middle = browser.seq(facts["game"]) // 2
    shots = {
        "game": (DESKTOP, facts["game"]),
        "phone": (PHONE, facts["game"]),
        "mail": (DESKTOP, f"{facts['mailbox']}/{mail}"),
        "replay": (DESKTOP, f"{facts['game']}/at/{middle}"),
    }
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (size, url) in shots.items():
            context = chromium.new_context(viewport=size)  # type: ignore[arg-type]
            context.add_cookies(cookies)  # type: ignore[arg-type]
            shoot(context.new_page(), url, PICTURES / f"{name}.png")
        chromium.close()


def shoot(page: Page, url: str, path: Path) -> None:
    """Take one picture, with few colours so that it stays small."""
    page.goto(url)
    page.wait_for_load_state("networkidle")
    mail = page.locator("iframe")  # where there is one, the picture is of the mail alone
    (mail.first if mail.count() else page).screenshot(path=path)
    with Image.open(path) as picture:
        top = picture.convert("RGB").crop((0, 0, picture.width, min(picture.height, TALLEST)))
    top.quantize(128).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB", file=sys.stderr)


if __name__ == "__main__":
    main()
