"""Was the mail of the simulated month right? By what was owed, and by what came."""

from collections import Counter
from datetime import datetime, timedelta
from email import policy
from email.message import Message
from email.parser import BytesHeaderParser

from core.store.tables import OutboxMail, Turn
from tests.support.month.audit import Audit
from tests.support.month.life import TICK
from tests.support.month.world import END
from tests.support.smtp_sink import Received

LATE = timedelta(hours=2, minutes=20)
"""The longest pause between two tries of a mail, and a sweep."""


class Post:
    """Looks at what was owed, and at what came."""

    def __init__(self, audit: Audit) -> None:
        self.audit, self.journal = audit, audit.journal
        self.owed = {mail.message_id: mail for mail in audit.mails}
        self.came = [(at, _head(received)) for at, received in self.journal.came]

    def doubled(self) -> list[tuple[str, ...]]:
        """Mails that came twice, and questions asked twice by mail."""
        names = Counter(("id", str(head["Message-ID"])) for _at, head in self.came)
        asked = Counter(
            ("question", str(head["To"]), str(head["Reply-To"]))
            for _at, head in self.came
            if head["X-Kraftpost-Kind"] == "turn"
        )
        return [name for name, number in (names + asked).items() if number > 1]

    def lost(self) -> list[OutboxMail]:
        """Mails that are marked as sent and never came, that failed, or whose time is over."""
        came = {_name(head) for _at, head in self.came}
        return [
            mail
            for mail in self.owed.values()
            if (mail.message_id in came) != (mail.status == "sent")
            or mail.status == "failed"
            or (mail.status == "pending" and mail.next_attempt_at < END - TICK)
            or (mail.status == "dropped" and not self._answered(mail))
        ]

    def _answered(self, mail: OutboxMail) -> bool:
        """Is it about a question that was over before it could be mailed, or to nobody's wish?"""
        person = self.audit.life.people.get(mail.user_id or 0)
        if mail.kind == "reminder" or (person is not None and not person.wants_mail):
            return True
        key = (mail.game_id, mail.seat, mail.turn)
        turn = next(t for t in self.audit.turns if (t.game_id, t.seat, t.turn) == key)
        assert mail.kind == "turn", mail.error
        return turn.closed_at is not None and not self._is_late(mail.created_at, turn.closed_at)

    def late(self) -> list[OutboxMail]:
        """Mails that were sent long after they were owed, for no reason."""
        sent = [mail for mail in self.owed.values() if mail.status == "sent"]
        return [mail for mail in sent if self._is_late(mail.created_at, mail.sent_at or END)]

    def _is_late(self, owed: datetime, done: datetime) -> bool:
        troubles = [*self.journal.mute, *self.journal.outages]
        excused = any(start <= done and owed <= end + LATE for start, end in troubles)
        return done - owed > TICK and not excused

    def untold(self) -> list[Turn]:
        """Questions to people who want mail, of which none was ever owed or came in time."""
        owed = {(m.game_id, m.seat, m.turn): m for m in self.owed.values() if m.kind == "turn"}
        wanted = [t for t in self.audit.turns if self._wants(t) and t.closed_by != "forced"]
        untold = [t for t in wanted if (t.game_id, t.seat, t.turn) not in owed]
        missed = [t for t in wanted if t.closed_by == "missed" and t not in untold]
        return untold + [t for t in missed if self._in_vain(owed[t.game_id, t.seat, t.turn], t)]

    def _wants(self, turn: Turn) -> bool:
        person = self.audit.life.people.get(turn.user_id or 0)
        return person is not None and person.wants_mail

    def _in_vain(self, mail: OutboxMail, turn: Turn) -> bool:
        assert turn.closed_at is not None
        return mail.sent_at is None or mail.sent_at >= turn.closed_at


def _head(received: Received) -> Message:
    """The header lines alone: bodies take long to parse."""
    return BytesHeaderParser(policy=policy.default).parsebytes(received.raw)


def _name(head: Message) -> str:
    return str(head["Message-ID"]).strip("<>").split("@")[0]
