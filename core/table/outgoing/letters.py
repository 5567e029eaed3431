"""From a row of the outbox to a message: looks again whether it is wanted, and what to say now.

Turn mails are dropped once the turn is answered, invitations once they are (M12, M13). What a
mail says is what stands in the database when it is sent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Final

from sqlmodel import Session

from core.game.errors import GameError
from core.game.events import GameAbandoned
from core.game.log.closing import closing
from core.game.narrate.outcome import abandoned
from core.game.notation import parse, text
from core.game.rulebook import Rule, rule_behind
from core.game.rules.model import Ruleset
from core.mail import letter as letters
from core.mail.compose import compose
from core.mail.letter import Letter, Mailbox, Reader, Said, Topic
from core.mail.links import AddressLink
from core.mail.outbox import NotWanted
from core.mail.words import with_bot
from core.store.tables import Game, Invitation, OutboxMail, Submission, User, Webhook
from core.table import gamelog, health, places
from core.table.amending import acts
from core.table.joining import coming, lobby
from core.table.joining.terms import terms, times
from core.table.outgoing import chatmail, digestmail, memos, notices, sitmail, testmail, turnmail
from core.table.people import accounts, readdress
from core.table.timing.clocks import terms_of
from core.table.view import table_view
from core.tableview import TableView
from core.text import SOURCE, speaking


def renderer(mailbox: Mailbox) -> Callable[[Session, OutboxMail, datetime], EmailMessage]:
    """What `core.mail.outbox.deliver` asks for each row, with this installation's names."""

    def render(session: Session, row: OutboxMail, now: datetime) -> EmailMessage:
        user = session.get(User, row.user_id) if row.user_id is not None else None
        with speaking(user.locale if user else SOURCE):
            writer = _Writer(session, row, user, now)
            return compose(
                Letter(
                    topic=writer.topic(),
                    reader=writer.reader(),
                    name=row.message_id,
                    now=now,
                    answers=row.thread,
                    kind="digest" if row.kind == "digest" else "",
                ),
                mailbox,
            )

    return render


@dataclass(frozen=True)
class _Writer:
    """One row, and what the database says about it now."""

    session: Session
    row: OutboxMail
    user: User | None
    now: datetime

    def topic(self) -> Topic:
        return _TOPICS[self.row.kind](self)

    def reader(self) -> Reader:
        user = self.user
        if user is None:
            name = str(self.row.context.get("name", ""))
            return Reader(None, name, self.row.address)
        if self.row.kind in ("address", "moved"):  # to an address that is not, or no longer, his
            return Reader(user.id, "", self.row.address, user.zone, user.locale)
        return Reader(user.id, user.name, user.email, user.zone, user.locale)

    def turn(self) -> Topic:
        return turnmail.topic(self.session, self.row, self.user, self.now)

    def digest(self) -> Topic:
        return digestmail.daily(self.session, self.row, self.user, self.now)

    def together(self) -> Topic:
        def write(row: OutboxMail) -> Topic:
            return _TOPICS[row.kind](_Writer(self.session, row, self.user, self.now))

        return digestmail.together(self.session, self.row, self.user, self.now, write)

    def start(self) -> Topic:
        self._want(self.user is not None and self.user.mail_games, "no game mails any more")
        self._want(self.game.status == "running", "the game is over")
        return letters.Start(self.table(), terms(self._rules(), self.game))

    def end(self) -> Topic:
        self._want(self.user is not None and self.user.mail_games, "no game mails any more")
        table = self.table()
        last = closing([entry.event for entry in table.log])
        return letters.End(table, abandoned(last) if isinstance(last, GameAbandoned) else "")

    def invite(self) -> Topic:
        invitation = self.session.get(Invitation, self.row.context["invitation"])
        game = self.game
        looking = game.status == "open" or bool(coming.open_seats(self.session, game))
        if invitation is None or invitation.status != "pending" or not looking:
            raise NotWanted("the invitation is answered, or the table closed")
        host = self.session.get(User, game.host_id)
        return letters.Invite(
            invitation=invitation.id,
            game=game.id,
            title=game.title,
            host=host.name if host else "",
            seated=tuple(with_bot(r.name, r.bot) for r in places.seats(self.session, game.id)),
            free=places.free(self.session, game) or len(coming.open_seats(self.session, game)),
            times=times(game),
            rules=terms(self._rules(), game),
            misses=terms_of(game).claims,
        )

    def done(self) -> Topic:
        table = self._table_if_begun()
        submission = self._submission()
        if submission is None or table is None:
            return letters.Done(
                game=self.game.id,
                title=self.game.title,
                said=str(self.row.context["said"]),
                remark=str(self.row.context.get("remark", "")),
                table=table,
                ordered="given" in self.row.context,
                given=tuple(self.row.context.get("given", ())),
                tried=tuple(self.row.context.get("tried", ())),
            )
        said = _as_understood(submission.text, table.view.ruleset)
        return letters.Done(self.game.id, self.game.title, said, moved=True, table=table)

    def refused(self) -> Topic:
        submission, table = self._submission(), self._table_if_begun()
        context = self.row.context
        return letters.Refused(
            game=self.game.id,
            title=self.game.title,
            said=submission.text if submission else str(context["said"]),
            reason=submission.reason if submission else str(context["reason"]),
            hints=tuple(context.get("hints", ())),
            stale=submission.status == "stale" if submission else bool(context.get("stale")),
            rule=_rule(submission, table) if submission and table else None,
            table=table,
        )

    def status(self) -> Topic:
        upto = self.row.context.get("upto")  # a position of the replay, or the present one
        if upto is None:
            return letters.Status(self.table())
        self._want(self._seated(), "somebody else holds the seat")
        view = table_view(self.session, self.game.id, self.row.seat, now=self.now, upto=int(upto))
        return letters.Status(view)

    def help(self) -> Topic:
        return letters.Help(self.game.id, self.game.title, self._table_if_begun())

    def notice(self) -> Topic:
        what, context, user = self.row.context["what"], self.row.context, self.user
        if acted := acts.letter(self.session, self.table(), context, self.reader(), self.now):
            return acted
        if user is None:
            raise NotWanted("nobody to tell")
        heading, words = notices.to_seat(what, context, user, self.now)
        table = self.table()
        away = self.row.seat is not None and table.seats[self.row.seat].caretaker
        return letters.Notice(table, heading, words, back=away)

    def chat(self) -> Topic:
        self._want(self.user is not None and self.user.mail_chat, "no chat mails any more")
        told = chatmail.lines(self.session, self.row)
        lines = tuple(Said(name, line.at, line.text) for line, name in told)
        return letters.Chat(self.game.id, self.game.title, lines, self._table_if_begun())

    def signin(self) -> Topic:
        context = self.row.context
        alive = accounts.is_alive(self.session, str(context["token"]), self.now)
        self._want(alive, "the link is used, void or too old")
        return letters.SignIn(str(context["token"]), int(context["minutes"]))

    def address(self) -> Topic:
        link = AddressLink(*self.row.context["link"])
        alive = self.user is not None and readdress.may_change(self.user, link, self.now)
        self._want(alive, "the link is used or too old")
        return letters.NewAddress(link, accounts.TOKEN_LIFE // timedelta(minutes=1))

    def moved(self) -> Topic:
        link = AddressLink(*self.row.context["link"])
        return letters.OldAddress(link, readdress.UNDO_LIFE // timedelta(days=1))

    def word(self) -> Topic:
        user, what = self.user, self.row.context["what"]
        if user is None or (what in ("idle", "full") and self.game.status != "open"):
            raise NotWanted("the table has begun, or is closed")
        if what == "full":
            self._want(not places.free(self.session, self.game), "a place is free again")
        return notices.to_user(what, self.row.context, self.game, user)

    def hook(self) -> Topic:
        hook = self.session.get(Webhook, self.row.context["hook"])
        if hook is None or hook.disabled_at is None:
            raise NotWanted("the webhook is removed, or works again")
        return memos.hook_disabled(hook)

    def sitter(self) -> Topic:
        return sitmail.memo(self.session, self.row, self.game, self.now)

    def health(self) -> Topic:
        ill = health.troubles(self.session, self.now)
        self._want(bool(ill), "all is well again")
        return memos.not_well(ill)

    @property
    def game(self) -> Game:
        if self.row.game_id is None:
            raise NotWanted("it is about no game")
        return gamelog.find(self.session, self.row.game_id)

    def table(self) -> TableView:
        """The table as the reader's own seat sees it; who has lost the seat sees it no more."""
        self._want(self._seated(), "somebody else holds the seat")
        return table_view(self.session, self.game.id, self.row.seat, now=self.now)

    def _table_if_begun(self) -> TableView | None:
        begun = self.game.started_at is not None and self.row.seat is not None
        return self.table() if begun and self._seated() else None

    def _seated(self) -> bool:
        """Does the reader still hold the seat that the mail is about?"""
        if self.row.seat is None or self.user is None:
            return True
        mine = places.seat_of(self.session, self.game.id, self.user.id)
        return mine is not None and mine.seat == self.row.seat

    def _rules(self) -> Ruleset:
        return lobby.ruleset(self.game)

    def _submission(self) -> Submission | None:
        known = self.row.context.get("submission")
        return self.session.get(Submission, known) if known is not None else None

    def _want(self, condition: bool, why: str) -> None:
        if not condition:
            raise NotWanted(why)


def _rule(submission: Submission, table: TableView) -> Rule | None:
    return rule_behind(submission.code, table.view.ruleset, table.players)


def _as_understood(line: str, rules: Ruleset) -> str:
    try:
        return text(parse(line, rules), rules)
    except GameError:
        return line


_TOPICS: Final[dict[str, Callable[[_Writer], Topic]]] = {
    "turn": _Writer.turn,
    "reminder": _Writer.turn,
    "digest": _Writer.digest,
    "together": _Writer.together,
    "start": _Writer.start,
    "end": _Writer.end,
    "invite": _Writer.invite,
    "done": _Writer.done,
    "refused": _Writer.refused,
    "status": _Writer.status,
    "help": _Writer.help,
    "notice": _Writer.notice,
    "word": _Writer.word,
    "chat": _Writer.chat,
    "signin": _Writer.signin,
    "address": _Writer.address,
    "moved": _Writer.moved,
    "test": lambda writer: testmail.letter(writer.row, writer.user, writer.now),
    "hook": _Writer.hook,
    "health": _Writer.health,
    "sitter": _Writer.sitter,
}
