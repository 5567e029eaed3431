"""From a row of the outbox to a message: looks again whether it is wanted, and what to say now.

Turn mails are dropped once the turn is answered, invitations once they are (M12, M13). What a
mail says is what stands in the database when it is sent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import singledispatch
from typing import Any, Final

from sqlmodel import Session

from core import questions
from core.game import engine
from core.game.errors import GameError
from core.game.events import GameAbandoned, closing
from core.game.narrate import wording
from core.game.narrate.wording import abandoned
from core.game.notation import parse, text
from core.game.rulebook import Rule, rule_behind
from core.game.rules.knobs import Ruleset
from core.game.types import Seat
from core.mail import message as letters
from core.mail import words
from core.mail.addresses import AddressLink
from core.mail.compose import compose
from core.mail.kinds import MailKind
from core.mail.message import Also, Digest, Letter, Mailbox, Memo, Reader, Said, Topic, Waiting
from core.mail.outbox import NotWanted, Render
from core.mail.words import with_bot
from core.statuses import GameStatus, InvitationStatus, SubmissionStatus
from core.store.tables import Game, Invitation, OutboxMail, Submission, Turn, User, Webhook
from core.table.acts import expiry, lobby, proposals, replace
from core.table.acts.absence import MISSES
from core.table.notify import digests, post, sending, sitters
from core.table.people import accounts, reliability
from core.table.record import gamelog, seats
from core.table.record.deadlines import terms_of
from core.table.views import health, reminders
from core.table.views.health import Finding
from core.table.views.table_view import table_view
from core.table.views.terms import terms, times
from core.tableview import TableView
from core.text import SOURCE, _, ngettext, speaking
from core.when import NEVER, exact

_Words = tuple[str, str]
"""Heading and text."""


def to_seat(what: str, context: Mapping[str, Any], user: User, now: datetime) -> _Words:
    """A notice to the owner of a seat, or to the host of a game that was stopped."""
    return _plain().get(what) or _of_absence(what, context, _barred(user, now))


def _plain() -> dict[str, _Words]:
    return {
        "grace": (
            _("You were late and have more time"),
            _(
                "Your time for a turn was over. This table gives some more by itself, up to the "
                "deadline below, but only a few times in a game. It is in the log for all to see."
            ),
        ),
        "returned": (
            _("You play again"),
            _("The caretaker has left your seat: from now on you are asked."),
        ),
        "seated": (
            _("You play here now"),
            _(
                "The seat is yours, with all that belongs to it. Whenever it is asked you have "
                "the full time for the turn."
            ),
        ),
        "stopped": (
            _("Your game has been stopped"),
            _(
                "Something went wrong in it. Nothing is lost, no turn is missed meanwhile, and "
                "whoever runs the site can let it go on."
            ),
        ),
        "released": (
            _("Your game goes on"),
            _("The trouble has been mended. Who is asked has the whole time for the turn again."),
        ),
    }


def _of_absence(what: str, context: Mapping[str, Any], barred: str) -> _Words:
    match what:
        case "caretaker":
            return _("A caretaker plays for you"), _(
                "You missed two turns in a row. A bot now moves for your seat until you return, "
                "and until then others may take it. {barred}"
            ).format(barred=barred).rstrip()
        case "offered":
            return _("The game waits for you"), _(
                "Your first turn is over, and you have not moved. Nothing was played for you: you "
                "can still make your move as if nothing had happened, until somebody else takes "
                "your seat, or a bot at the deadline below. {barred}"
            ).format(barred=barred).rstrip()
        case "draft":
            return _("Your saved move was played"), _(
                "Your time was over, so the table made the move that you had saved: {line}. It "
                "does not count as a missed turn."
            ).format(line=context["line"])
        case "asleep":
            return _("Everybody is away"), _(
                "All players are away, so the game stands still: bots wait, too. As soon as "
                "somebody returns it goes on; after {days} days it ends without a winner."
            ).format(days=context["days"])
    raise LookupError(what)


def to_user(what: str, context: Mapping[str, Any], game: Game, user: User) -> Memo:
    """A notice about a table at which the reader has no seat, or none yet."""
    heading, text = _about(what, context, game, user)
    return Memo(
        heading=f"{game.title} · {heading}",
        lines=(text,),
        path=f"/games/{game.id}",
        button=_("To the table"),
    )


def _of_places(name: str) -> dict[str, _Words]:
    return {
        "withdrawn": (
            _("A place is free again"),
            _(
                "{name} has left another game by missing turns, and so gives up the place at "
                "your table. Invite somebody else, or seat a bot."
            ).format(name=name),
        ),
        "full": (
            _("All places are taken"),
            _(
                "The last place at your table has been taken. Begin the game on its page; it does "
                "not begin by itself."
            ),
        ),
    }


def _about(what: str, context: Mapping[str, Any], game: Game, user: User) -> _Words:
    name = str(context.get("name", ""))
    if found := _of_places(name).get(what):
        return found
    closes = exact(expiry.closes_at(game), user.zone, user.locale)
    match what:
        case "replaced":
            return _("Somebody else plays your seat"), _(
                "{name} plays your seat from now on, because you had missed a turn. The game goes "
                "on without you; you get no more mails about it."
            ).format(name=name)
        case "no-show":
            return _("{name} has not come").format(name=name), _(
                "{name} has not made the first move in time. The game waits, and nobody loses "
                "anything: {name} may still come, others can take the seat on the table's page, "
                "you can invite somebody or seat a bot. After a while a bot is seated by itself."
            ).format(name=name)
        case "idle":
            return _("Is anybody coming?"), _(
                "This table has waited for its players for ten days. If the game does not begin, "
                "and nobody presses “Keep it open” on its page, it closes on {when}."
            ).format(when=closes)
        case "closed" if name:
            return _("The table is closed"), _(
                "{name} has closed the table before its game began. Nothing else has happened."
            ).format(name=name)
    return _("The table is closed"), _(
        "Its game has not begun within fourteen days, so the table has been closed. Nothing else "
        "has happened; a new one is opened in a minute."
    )


def _barred(user: User, now: datetime) -> str:
    until = reliability.barred_until(user, now)
    if until is None:
        return ""
    return _(
        "New tables are closed to you until {when}, and your places at tables that have not begun "
        "are given up."
    ).format(when=exact(until, user.zone, user.locale))


def topic(session: Session, row: OutboxMail, user: User | None, now: datetime) -> Topic:
    """The question of a turn mail or a reminder as it stands now.

    Raises:
        NotWanted: it is answered, is another's, or its clock stands still (M11, M12, M13, M35).
    """
    asked = sending.question(session, row)
    if asked is None or user is None:
        raise NotWanted("answered meanwhile")
    mine = seats.seat_of(session, asked.game_id, user.id)
    if mine is None or mine.seat != asked.seat:
        raise NotWanted("somebody else holds the seat")
    if row.kind == "reminder":
        game = session.get_one(Game, asked.game_id)
        if game.status != GameStatus.RUNNING or reminders.stands(session, game, asked, now):
            raise NotWanted("the clock stands still")
    return question(session, asked, now, again=row.kind == "reminder")


def question(session: Session, asked: Turn, now: datetime, *, again: bool = False) -> Topic:
    """An open question in full, with all that can be answered; `again`: it still waits."""
    table = table_view(session, asked.game_id, asked.seat, now=now)
    if asked.plan:
        return letters.Plan(table)
    state, seat = gamelog.load(session, asked.game_id), Seat(asked.seat)
    kind = letters.Reminder if again else letters.Turn
    return kind(
        table=table,
        default=engine.default_move(state, seat),
        last=state.players[seat].missed + 1 >= MISSES,
        moved=moved(asked),
    )


def moved(asked: Turn) -> datetime | None:
    """The deadline that was told first, where it is another now (M11)."""
    first = asked.first_deadline
    known = first is not None and first < NEVER and asked.deadline < NEVER
    return first if known and first != asked.deadline else None


SHOWN: Final = 50
"""Tables that are named one by one; of the others the number is told (M9)."""
Write = Callable[[OutboxMail], Topic]
"""What a mail of another kind would have said."""


def daily(session: Session, row: OutboxMail, user: User | None, now: datetime) -> Topic:
    """The digest of a day: all that waits, as it stands now; of a single table all there is."""
    if user is None:
        raise NotWanted("nobody to tell")
    found = digests.waiting(session, user, but=())
    if not found:
        raise NotWanted("nothing waits any more")
    if len(found) == 1:
        return question(session, found[0][0], now)
    return Digest(*_listed(session, found, now, set()), daily=True)


def gathered(
    session: Session,
    rows: Sequence[OutboxMail],
    user: User | None,
    now: datetime,
    write: Write,
) -> Topic:
    """Return what mails say that were held, and whatever else waits; a single thing in full."""
    if user is None:
        raise NotWanted("nobody to tell")
    asked = {(r.game_id, r.seat, r.turn) for r in rows if r.kind in ("turn", "reminder")}
    found = digests.waiting(session, user, but=("digest",))
    fresh = {t.id for t, _game in found if (t.game_id, t.seat, t.turn) in asked}
    others = _topics([r for r in rows if r.kind not in ("turn", "reminder")], write)
    if not fresh and not others:
        raise NotWanted("answered meanwhile")
    if len(fresh) == 1 and not others:
        return question(session, next(t for t, _game in found if t.id in fresh), now)
    if len(others) == 1 and not fresh:
        return others[0]
    listed = _listed(session, found if fresh else [], now, fresh)
    return Digest(*listed, also=tuple(map(_also, others)))


def _topics(rows: Sequence[OutboxMail], write: Write) -> list[Topic]:
    """What mails of other kinds say; those that nobody wants any more say nothing."""
    found = []
    for row in rows:
        try:
            found.append(write(row))
        except NotWanted:
            continue
    return found


def _listed(
    session: Session, found: list[tuple[Turn, Game]], now: datetime, fresh: set[int]
) -> tuple[tuple[Waiting, ...], int]:
    """The nearest deadlines, and how many more wait."""
    nearest, mark = found[:SHOWN], 0 < len(fresh) < len(found)
    listed = (_one(session, t, g, now, mark and t.id in fresh) for t, g in nearest)
    return tuple(listed), len(found[SHOWN:])


def _one(session: Session, asked: Turn, game: Game, now: datetime, fresh: bool) -> Waiting:
    table = table_view(session, game.id, asked.seat, now=now)
    question = None if asked.plan else questions.of(table.view)
    doing = question.doing if question else _("your plan")
    return Waiting(
        game=game.id,
        title=game.title,
        seat=asked.seat,
        turn=asked.turn,
        what=f"{words.round_of(table)} · {doing}",
        deadline=asked.deadline if asked.deadline < NEVER else None,
        moved=moved(asked),
        fresh=fresh,
    )


@singledispatch
def _also(topic: object) -> Also:
    raise TypeError(f"no words for {type(topic).__name__} among others")


@_also.register
def _notice(topic: letters.Notice) -> Also:
    path = f"/games/{topic.table.game_id}"
    return Also(topic.table.title, topic.heading, (topic.text,), path)


@_also.register
def _start(topic: letters.Start) -> Also:
    heading = _("The game has begun")
    names = wording.both(topic.table.names)
    return Also(topic.table.title, heading, (*topic.rules, names), f"/games/{topic.table.game_id}")


@_also.register
def _chat(topic: letters.Chat) -> Also:
    count = len(topic.lines)
    heading = ngettext("{n} new line at the table", "{n} new lines at the table", count)
    lines = tuple(f"{line.name}: {line.text}" for line in topic.lines)
    return Also(topic.title, heading.format(n=count), lines, f"/games/{topic.game}")


@_also.register
def _memo(topic: letters.Memo) -> Also:
    return Also("", topic.heading, topic.lines, topic.path)


def hook_disabled(hook: Webhook) -> Memo:
    """To the owner of a webhook that has failed for a day."""
    service = {"slack": "Slack", "discord": "Discord"}.get(hook.kind, _("your own service"))
    return Memo(
        heading=_("A webhook has been switched off"),
        lines=(
            _("Your webhook for {service} has failed for a day, so it is called no more.").format(
                service=service
            ),
            _("What the last try met: {error}").format(error=hook.last_error),
            _("Mails are not touched by this. Once it is mended, a test switches it on again."),
        ),
        path="/profile/channels",
        button=_("To my channels"),
    )


def not_well(ill: Sequence[Finding]) -> Memo:
    """To whoever runs the service, once a day while it lasts."""
    return Memo(
        heading=_("Kraftpost is not well"),
        lines=(
            *(f"{one.name}: {one.told}. {one.mend}." for one in ill),
            _("“kraftpost doctor” looks at everything. This mail comes once a day while it lasts."),
        ),
    )


def renderer(mailbox: Mailbox) -> Render:
    """Return what writes the messages of `core.mail.outbox.deliver` for this installation."""

    def render(
        session: Session, row: OutboxMail, now: datetime, *others: OutboxMail
    ) -> EmailMessage:
        user = session.get(User, row.user_id) if row.user_id is not None else None
        with speaking(user.locale if user else SOURCE):
            writer = _Writer(session, row, user, now, others)
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
    """One row, and what the database says about it now; `others` are told in its mail."""

    session: Session
    row: OutboxMail
    user: User | None
    now: datetime
    others: Sequence[OutboxMail] = ()

    def topic(self) -> Topic:
        if not self.others or self.row.kind == MailKind.DIGEST:
            return _TOPICS[self.row.kind](self)
        rows = (self.row, *self.others)
        return gathered(self.session, rows, self.user, self.now, self._alone)

    def _alone(self, row: OutboxMail) -> Topic:
        return _Writer(self.session, row, self.user, self.now).topic()

    def reader(self) -> Reader:
        user = self.user
        if user is None:
            name = str(self.row.context.get("name", ""))
            return Reader(None, name, self.row.address)
        if self.row.kind in ("address", "moved"):  # to an address that is not, or no longer, his
            return Reader(user.id, "", self.row.address, user.zone, user.locale)
        return Reader(user.id, user.name, user.email, user.zone, user.locale)

    def turn(self) -> Topic:
        return topic(self.session, self.row, self.user, self.now)

    def digest(self) -> Topic:
        return daily(self.session, self.row, self.user, self.now)

    def start(self) -> Topic:
        self._want(self.user is not None and self.user.mail_games, "no game mails any more")
        self._want(self.game.status == GameStatus.RUNNING, "the game is over")
        return letters.Start(self.table(), terms(self._rules(), self.game))

    def end(self) -> Topic:
        self._want(self.user is not None and self.user.mail_games, "no game mails any more")
        table = self.table()
        last = closing([entry.event for entry in table.log])
        return letters.End(table, abandoned(last) if isinstance(last, GameAbandoned) else "")

    def invite(self) -> Topic:
        invitation = self.session.get(Invitation, self.row.context["invitation"])
        game = self.game
        looking = game.status == GameStatus.OPEN or bool(replace.open_seats(self.session, game))
        if invitation is None or invitation.status != InvitationStatus.PENDING or not looking:
            raise NotWanted("the invitation is answered, or the table closed")
        host = self.session.get(User, game.host_id)
        return letters.Invite(
            invitation=invitation.id,
            game=game.id,
            title=game.title,
            host=host.name if host else "",
            seated=tuple(with_bot(r.name, r.bot) for r in seats.seats(self.session, game.id)),
            free=seats.free(self.session, game) or len(replace.open_seats(self.session, game)),
            times=times(game),
            rules=terms(self._rules(), game),
            misses=terms_of(game).deadlines_enforced,
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
            stale=submission.status == SubmissionStatus.STALE
            if submission
            else bool(context.get("stale")),
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
        if acted := proposals.letter(self.session, self.table(), context, self.reader(), self.now):
            return acted
        if user is None:
            raise NotWanted("nobody to tell")
        heading, words = to_seat(what, context, user, self.now)
        table = self.table()
        away = self.row.seat is not None and table.seats[self.row.seat].caretaker
        return letters.Notice(table, heading, words, back=away)

    def chat(self) -> Topic:
        self._want(self.user is not None and self.user.mail_chat, "no chat mails any more")
        told = post.lines(self.session, self.row)
        lines = tuple(Said(name, line.at, line.text) for line, name in told)
        return letters.Chat(self.game.id, self.game.title, lines, self._table_if_begun())

    def signin(self) -> Topic:
        context = self.row.context
        alive = accounts.is_alive(self.session, str(context["token"]), self.now)
        self._want(alive, "the link is used, void or too old")
        return letters.SignIn(str(context["token"]), int(context["minutes"]))

    def address(self) -> Topic:
        link = AddressLink(*self.row.context["link"])
        alive = self.user is not None and accounts.may_change(self.user, link, self.now)
        self._want(alive, "the link is used or too old")
        return letters.NewAddress(link, accounts.TOKEN_LIFE // timedelta(minutes=1))

    def moved(self) -> Topic:
        link = AddressLink(*self.row.context["link"])
        return letters.OldAddress(link, accounts.UNDO_LIFE // timedelta(days=1))

    def word(self) -> Topic:
        user, what = self.user, self.row.context["what"]
        if user is None or (what in ("idle", "full") and self.game.status != GameStatus.OPEN):
            raise NotWanted("the table has begun, or is closed")
        if what == "full":
            self._want(not seats.free(self.session, self.game), "a place is free again")
        return to_user(what, self.row.context, self.game, user)

    def hook(self) -> Topic:
        hook = self.session.get(Webhook, self.row.context["hook"])
        if hook is None or hook.disabled_at is None:
            raise NotWanted("the webhook is removed, or works again")
        return hook_disabled(hook)

    def sitter(self) -> Topic:
        return sitters.memo(self.session, self.row, self.game, self.now)

    def health(self) -> Topic:
        ill = health.troubles(self.session, self.now)
        self._want(bool(ill), "all is well again")
        return not_well(ill)

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
        mine = seats.seat_of(self.session, self.game.id, self.user.id)
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
    "test": lambda writer: accounts.letter(writer.row, writer.user, writer.now),
    "hook": _Writer.hook,
    "health": _Writer.health,
    "sitter": _Writer.sitter,
}
