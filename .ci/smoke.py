"""`make play` from end to end, with Python's own library only.

It starts, the printed link signs in, a move by form is adjudicated by the worker, and Ctrl-C leaves
no process behind.
"""

import email
import email.policy
import http.cookiejar
import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

START, MOVE = 180.0, 90.0  # seconds


class Form(HTMLParser):
    """Where the first form with the wanted action goes, and its hidden fields."""

    def __init__(self, url: str, page: str, wanted: str) -> None:
        super().__init__()
        self.url, self.wanted, self.action, self.inside = url, wanted, "", False
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form" and not self.action:
            action = urljoin(self.url, values.get("action", ""))
            self.inside = urlsplit(action).path.endswith(self.wanted)
            self.action = action if self.inside else ""
        elif tag == "input" and self.inside and values.get("type") == "hidden":
            self.fields[values["name"]] = values.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "form"


class Browser:
    """Cookies, pages and forms."""

    def __init__(self) -> None:
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.url, self.page = "", ""

    def open(self, url: str, fields: dict[str, str] | None = None) -> str:
        """Get a page, or post fields to it, and keep what comes back."""
        data = urlencode(fields).encode() if fields is not None else None
        request = urllib.request.Request(url, data, {"Referer": self.url or url})
        try:
            with self.opener.open(request, timeout=30) as answer:
                self.url, self.page = answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{url}: {error}\n{error.read().decode()[:3000]}") from error
        return self.page

    def again(self) -> str:
        """Load the page once more, and say where that led."""
        self.open(self.url)
        return self.url

    def mark(self, game: str) -> str:
        """Return what changes whenever something happens at the table."""
        return str(json.loads(self.open(f"{game}/pulse"))["mark"])

    def submit(self, action: str, **more: str) -> str:
        """Send the form of this page whose action ends so."""
        form = Form(self.url, self.page, action)
        if not form.action:
            raise SystemExit(f"no form for {action} on {self.url}:\n{self.page[:3000]}")
        return self.open(form.action, {**form.fields, **more})


def wait(wanted: Callable[[], Any], within: float, what: str) -> Any:
    """Ask again until the answer is true; exit if it never is within so many seconds."""
    end = time.monotonic() + within
    while not (answer := wanted()):
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {within:g} s")
        time.sleep(0.5)
    return answer


def offered(mail: Path, after: str = "") -> tuple[str, list[str]] | None:
    """Name of the newest turn mail later than the one named, and the commands that it offers."""
    for path in sorted(mail.glob("*.turn.*.eml"), reverse=True):
        if path.name <= after:
            return None
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body = message.get_body(("plain",))
        lines = body.get_content().splitlines() if body else []
        found = [line.partition("#")[0].strip() for line in lines if line.startswith("    ")]
        if found:
            return path.name, found
    return None


def left_behind(data: str) -> list[str]:
    """Return the processes that still run with this data directory."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"KRAFTPOST_DATA={data}\0".encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def play(facts: dict[str, Any]) -> None:
    """Sign in by the printed link and make one move by form."""
    browser = Browser()
    browser.open(f"{facts['site']}/healthz")
    # first: while somebody is at the table, mails about it wait
    _, (line, *_) = wait(lambda: offered(Path(facts["data"]) / "mail"), MOVE, "a turn mail")
    browser.open(facts["mailbox"])
    link = facts["sign_in"]
    browser.open(link)
    browser.submit(urlsplit(link).path)
    if not browser.url.startswith(facts["game"]):
        raise SystemExit(f"the link led to {browser.url}, not to {facts['game']}")
    before = browser.mark(facts["game"])
    browser.open(facts["game"])
    browser.submit("/turn", do="preview", line=line)
    browser.submit("/turn", do="send")

    wait(lambda: "?sent=" in browser.again(), MOVE, "the worker's verdict")
    if browser.mark(facts["game"]) == before:
        raise SystemExit(f"{line!r} changed nothing:\n{browser.page[:3000]}")
    print(f"played {line!r} and saw it adjudicated")


def main() -> None:
    """Run it all; anything that does not hold ends with a message and exit code 1."""
    with tempfile.TemporaryDirectory() as data:
        words = f"--port 0 --smtp-port 0 --json --data {data}"
        service = subprocess.Popen(
            ["make", "--silent", "play", f"ARGS={words}"],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        began = time.monotonic()
        try:
            line = service.stdout.readline() if service.stdout else ""
            if not line:
                raise SystemExit("make play ended before it was ready")
            print(f"ready after {time.monotonic() - began:.1f} s: {line.strip()}")
            play(json.loads(line))
        finally:
            began = time.monotonic()
            os.killpg(service.pid, signal.SIGINT)  # as Ctrl-C does: to make and to kraftpost
            service.wait(60)
        print(f"stopped after {time.monotonic() - began:.1f} s")
        if left := left_behind(data):
            raise SystemExit("left behind:\n" + "\n".join(left))
    print("make play holds")


if __name__ == "__main__":
    main()
