"""Was the mail of the simulated month right? By what was owed, and by what came.

When a mail should have come is reckoned from its reader's wishes alone (tests.support.month.world),
minute by minute by his own clock on the wall; that a server refused, or nothing ran, excuses.
"""

import json
import re
from base64 import urlsafe_b64decode
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from core.mail import outbox
from core.mail.kinds import KINDS
from core.store.tables import OutboxMail, Turn
from core.when import NEVER
from tests.support.month.audit import MINUTE, Audit
from tests.support.month.life import TICK, Key
from tests.support.month.world import END, Person
from tests.support.smtp_sink import Received

LATE = timedelta(hours=2, minutes=20)
"""The longest pause between two tries of a mail, and a sweep."""
HERE = timedelta(minutes=15)
"""So long a mail waits at most for somebody who is at the table."""
TELLING = ("turn", "reminder", "digest")
"""Mails that tell which questions wait."""
FORM = re.compile(r"/turn/([\w-]+)\.")


@dataclass
class Came:
    """A mail as it came, and what was owed by it."""

    at: datetime
    row: OutboxMail
    received: Received

    @property
    def kind(self) -> str:
        """What the mail says that it is: several turns that came together are a digest."""
        return str(self.received.message["X-Kraftpost-Kind"])

    @cached_property
    def told(self) -> set[Key]:
        """The questions to whose forms it leads."""
        body = self.received.message.get_body(("plain",))
        assert body is not None
        tokens = FORM.findall(body.get_content())
        links = [json.loads(urlsafe_b64decode(token + "==")) for token in tokens]
        return {(game, seat, turn) for _user, game, seat, turn in links}


class Post:
    """Looks at what was owed, and at what came."""

    def __init__(self, audit: Audit) -> None:
        self.audit, self.journal = audit, audit.journal
        self.owed = {mail.message_id: mail for mail in audit.mails}
        self.came = [Came(at, self._row(received), received) for at, received in self.journal.came]
        self.people = audit.life.people

    def _row(self, received: Received) -> OutboxMail:
        found = re.search(rb"(?im)^message-id:\s*<([0-9a-f]+)@", received.raw)
        assert found
        return self.owed[found[1].decode()]

    @cached_property
    def told(self) -> dict[Key, list[datetime]]:
        """When each question was told, by whichever mail."""
        found: dict[Key, list[datetime]] = defaultdict(list)
        for mail in self.came:
            if mail.kind in TELLING:
                for key in mail.told:
                    found[key].append(mail.at)
        return found

    @cached_property
    def closed(self) -> dict[Key, datetime]:
        return {key_of(turn): turn.closed_at or END for turn in self.audit.turns}

    def doubled(self) -> list[object]:
        """Mails that came twice, and days with two digests.

        An open turn is told again to whom mail came back: he may not have got it.
        """
        again = {user for _start, _end, user in self.journal.unreached}
        names: Counter[object] = Counter(
            mail.row.key
            for mail in self.came
            if mail.row.kind != "turn" or mail.row.user_id not in again
        )
        days: Counter[object] = Counter(
            (mail.row.user_id, _local(self._reader(mail), mail.at).date())
            for mail in self.came
            if mail.row.kind == "digest"
        )
        return [name for name, number in (names + days).items() if number > 1]

    def lost(self) -> list[OutboxMail]:
        """Mails that are marked as sent and never came, that failed, or whose time is over."""
        came = {mail.row.id for mail in self.came}
        return [
            mail
            for mail in self.owed.values()
            if (mail.id in came) != (mail.status == "sent")
            or mail.status == "failed"
            or (mail.status == "pending" and mail.next_attempt_at < END - TICK)
            or (mail.status == "dropped" and not self._rightly_dropped(mail))
        ]

    def _rightly_dropped(self, mail: OutboxMail) -> bool:
        """Nobody wanted it, it is told by another mail (of that `untold` knows), or came back."""
        if KINDS[mail.kind].unreached == "drop":
            back = (span for *span, user in self.journal.unreached if user == mail.user_id)
            if any(start - TICK <= mail.next_attempt_at < end for start, end in back):
                return True
        if mail.error in (outbox.TOGETHER, outbox.IN_DIGEST, "answered meanwhile"):
            return True
        if mail.kind == "start" and mail.error == "told in the mail of the first turn":
            return True
        if mail.kind == "turn":
            return mail.error in (
                "nothing waits any more", "somebody else holds the seat", "no turn mails any more",
            )  # fmt: skip
        return mail.kind in TELLING

    def disturbing(self) -> list[tuple[str, datetime]]:
        """Mails that came inside their reader's quiet hours, and were not to."""
        return [
            (mail.row.key, mail.at)
            for mail in self.came
            if not KINDS[mail.row.kind].at_night
            and self._sleeps(mail.row.user_id, mail.at)
            and not self._urgent(mail)
        ]

    def _urgent(self, mail: Came) -> bool:
        """Is it about a question whose deadline is near enough to break its reader's quiet?"""
        hours = timedelta(hours=self._reader(mail).except_hours)
        told = mail.told if mail.kind in TELLING else ()
        return any(self._deadline(key, mail.at) - mail.at <= hours for key in told)

    def _deadline(self, key: Key, at: datetime) -> datetime:
        """The deadline of a question as it was when a mail came, or as the same sweep moved it."""
        known = self.journal.deadlines.get(key, [])
        before = [deadline for since, deadline in known if since < at]
        moved = [deadline for since, deadline in known if since == at]
        return min(before[-1:] + moved, default=NEVER)

    def _sleeps(self, user: int | None, at: datetime) -> bool:
        person = self.people.get(user or 0)
        if person is None or person.quiet is None:
            return False
        local = _local(person, at)
        start, end = person.quiet
        minute = local.hour * 60 + local.minute
        return start <= minute < end if start < end else minute >= start or minute < end

    def late(self) -> list[OutboxMail]:
        """Mails about anything but turns that came long after they were owed, for no reason."""
        return [
            mail.row
            for mail in self.came
            if mail.kind not in TELLING
            and self._overdue(self._awake(mail.row.user_id, mail.row.created_at), mail.at, None)
        ]

    def untold(self) -> list[tuple[Turn, datetime]]:
        """Questions that were open when they should have been told, and were not."""
        found = []
        for turn in self.audit.turns:
            due = self._due(turn)
            end = turn.closed_at or END
            if due is None or not self._overdue(due, end, turn.user_id):
                continue
            told = self.told[key_of(turn)]
            if not any(not self._overdue(due, at, turn.user_id) for at in told):
                found.append((turn, due))
        return found

    def _due(self, turn: Turn) -> datetime | None:
        """When its reader wants to be told of a question; None for never."""
        person = self.people.get(turn.user_id or 0)
        if person is None or turn.closed_by == "forced":
            return None
        mode = person.tables.get(turn.game_id, person.mode)
        if mode in ("off", "mute"):
            return None
        at = turn.asked_at + HERE
        if mode == "batched":
            at += timedelta(minutes=person.batch_minutes)
        if mode == "digest":
            at = turn.asked_at + MINUTE
            while (_local(person, at).hour, _local(person, at).minute) != (person.digest_hour, 0):
                at += MINUTE
            if self._rests(turn, at):
                return None
        return self._awake(turn.user_id, at)

    def _rests(self, turn: Turn, at: datetime) -> bool:
        """Is he on vacation then? Nobody is told daily of what stands still."""
        spans = [(a, b) for _known, who, a, b in self.journal.vacations if who == turn.user_id]
        return any(start <= at + timedelta(days=1) and at < end for start, end in spans)

    def _awake(self, user: int | None, at: datetime) -> datetime:
        """The first minute from then on that is not quiet."""
        while self._sleeps(user, at):
            at += MINUTE
        return at

    def vain(self) -> list[tuple[str, datetime]]:
        """Mails about tables that were sent while all mail to their reader came back."""
        return [
            (mail.row.key, mail.at)
            for mail in self.came
            for start, end, user in self.journal.unreached
            if user == mail.row.user_id and start + TICK < mail.at < end
            if KINDS[mail.row.kind].unreached != "send"
        ]

    def _overdue(self, due: datetime, at: datetime, user: int | None) -> bool:
        back = [(start, end) for start, end, who in self.journal.unreached if who == user]
        troubles = [*self.journal.mute, *self.journal.outages, *back]
        near = [end + LATE for start, end in troubles if start <= at and due <= end + LATE]
        return at > max([due + 2 * TICK, *near])

    def nagging(self) -> list[tuple[str, datetime]]:
        """Reminders of what is answered, of a clock that stands, or to who wants none."""
        return [
            (mail.row.key, mail.at)
            for mail in self.came
            if mail.kind == "reminder" and self._nags(mail)
        ]

    def _nags(self, mail: Came) -> bool:
        (key,) = mail.told
        person = self._reader(mail)
        mode = person.tables.get(key[0], person.mode)
        wanted = mail.row.key.rpartition(":")[2] in person.reminders and mode not in ("off", "mute")
        turn = next(t for t in self.audit.turns if key_of(t) == key)
        return (
            not wanted
            or mail.at > self.closed[key]
            or mail.at >= turn.deadline + TICK
            or self._stands(turn, mail.at)
        )

    def _stands(self, turn: Turn, at: datetime) -> bool:
        told = [(known, a, b) for known, game, a, b in self.journal.pauses if game == turn.game_id]
        known = {start: (start, end) for at_, start, end in sorted(told) if at_ <= at}
        return any(start < at < end for start, end in known.values())

    def unreminded(self) -> list[Turn]:
        """Turns that were missed, and of which nobody was reminded who wants to be."""
        owed = {(m.game_id, m.seat, m.turn) for m in self.owed.values() if m.kind == "reminder"}
        return [
            turn
            for turn in self.audit.turns
            if turn.closed_by == "missed" and not turn.plan and self._wants_reminder(turn)
            if key_of(turn) not in owed and turn.deadline < NEVER
        ]

    def _wants_reminder(self, turn: Turn) -> bool:
        person = self.people.get(turn.user_id or 0)
        if person is None or person.tables.get(turn.game_id, person.mode) in ("off", "mute"):
            return False
        return bool(person.reminders)

    def _reader(self, mail: Came) -> Person:
        return self.people[mail.row.user_id or 0]


def key_of(turn: Turn) -> Key:
    """Game, seat and position of a question."""
    return turn.game_id, turn.seat, turn.turn


def _local(person: Person, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(person.user.zone))
