"""A small client of Kraftpost's API, with Python's own library only.

    site = Kraftpost("https://play.example.org", "kp_…")
    for turn in site.turns():
        question = site.question(turn["table"])
        site.move(turn["table"], question["turn"], question["silence"])

Every call returns what the API answers, as docs/api.md tells; what it refuses raises Refused.
"""

import json
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

Json = dict[str, Any]
BUSY = (429, 502, 503, 504)  # nothing was done: the same call may be made again
TRIES = 7


class Refused(Exception):
    """The service refuses: `status`, `code` for programs, and the reason as the message."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        self.status, self.code = status, code
        super().__init__(detail or code or str(status))


class Kraftpost:
    """One account at one site, by a token of its profile."""

    def __init__(self, site: str, token: str, timeout: float = 30.0) -> None:
        self.base = f"{site.rstrip('/')}/api/v1"
        self.token = token
        self.timeout = timeout

    def me(self) -> Json:
        """Return the account's name and what the token is for."""
        return self._call("GET", "/me")

    def turns(self) -> list[Json]:
        """Return what the account is asked at all its tables, the most urgent first."""
        return list(self._call("GET", "/me/turns")["turns"])

    def tables(self, *, mine: bool = True, status: str = "") -> list[Json]:
        """Return tables, newest first; `status`: open, running, finished, abandoned."""
        asked = f"?mine={str(mine).lower()}" + (f"&status={status}" if status else "")
        return list(self._call("GET", f"/tables{asked}")["tables"])

    def position(self, table: int) -> Json:
        """Return where a game stands, and who is waited for."""
        return self._call("GET", f"/tables/{table}/position")

    def question(self, table: int) -> Json:
        """Return what the account's seat is asked. Raises Refused `not-asked`."""
        return self._call("GET", f"/tables/{table}/question")

    def preview(self, table: int, turn: int, line: str) -> Json:
        """Return what a move would do; nothing is changed."""
        return self._call("POST", f"/tables/{table}/preview", {"turn": turn, "line": line})

    def move(self, table: int, turn: int, line: str, within: float = 60.0) -> Json:
        """Make a move, wait until it is judged, and return it.

        An answer that is lost does no harm: the call is made again under the same key.

        Raises:
            Refused: it is illegal, not understood or too late.
            TimeoutError: nobody has judged it within so many seconds.
        """
        body = {"turn": turn, "line": line, "key": uuid.uuid4().hex}
        made = self._again(f"/tables/{table}/moves", body)
        end = time.monotonic() + within
        pause = 0.05
        while made["status"] == "pending":
            if time.monotonic() > end:
                raise TimeoutError(f"{line!r} is not judged yet")
            time.sleep(pause)
            pause = min(pause * 1.5, 2.0)
            made = self._call("GET", f"/tables/{table}/moves/{made['id']}")
        if made["status"] != "accepted":
            raise Refused(422, made["code"], made["reason"])
        return made

    def events(self, table: int, after: int = 0, wait: int = 0) -> Json:
        """Return the events after a position; `wait`: seconds to hold until there is one."""
        return self._call("GET", f"/tables/{table}/events?after={after}&wait={wait}")

    def orders(self, table: int) -> list[Json]:
        """Return the account's standing orders in force."""
        return list(self._call("GET", f"/tables/{table}/orders")["orders"])

    def order(self, table: int, line: str) -> list[Json]:
        """Give a standing order; `ready`: there are no more for this round."""
        return list(self._call("POST", f"/tables/{table}/orders", {"line": line})["orders"])

    def say(self, table: int, text: str) -> None:
        """Say a line at a table."""
        self._again(f"/tables/{table}/chat", {"text": text, "key": uuid.uuid4().hex})

    def _again(self, path: str, body: Json, tries: int = 5) -> Json:
        """Post what has a key of its own, again if no answer comes."""
        for attempt in range(tries):
            try:
                return self._call("POST", path, body)
            except OSError:
                if attempt + 1 == tries:
                    raise
            time.sleep(2**attempt)
        raise AssertionError("unreachable")

    def _call(self, method: str, path: str, body: Json | None = None) -> Json:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        for attempt in range(TRIES):
            request = urllib.request.Request(self.base + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    told = answer.read()
                return json.loads(told) if told else {}
            except urllib.error.HTTPError as error:
                if error.code not in BUSY or attempt + 1 == TRIES:
                    raise _refused(error) from None
                time.sleep(float(error.headers.get("Retry-After") or 2**attempt))
        raise AssertionError("unreachable")


def _refused(error: urllib.error.HTTPError) -> Refused:
    try:
        problem = json.loads(error.read())
        return Refused(error.code, problem.get("code", ""), problem.get("detail", ""))
    except ValueError:
        return Refused(error.code, "", error.reason)
