"""From a row of the outbox to its message: whether it is still wanted, and what it says now.

One function for each kind of mail. Turn mails are dropped once the turn is answered, invitations
once they are (M12, M13); what a mail says is what the database says when it is sent. The words of
notices are here, too; those of the other mails in templates/email.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any, Final

from sqlmodel import Session

from core import questions
from core.game.errors import GameError
from core.game.events import GameAbandoned, closing
from core.game.narrate import wording
from core.game.notation import parse, text
from core.game.rulebook import rule_behind
from core.game.types import Phase, Seat
from core.lists import both, series
from core.mail import message, words
from core.mail.addresses import AddressLink, ReachedLink
from core.mail.compose import compose
from core.mail.kinds import MailKind
from core.mail.message import Digest, Mailbox, Memo, Message, Reader, Said, Topic, Waiting
from core.mail.outbox import NotWanted, Render
from core.mail.page import Page
from core.mail.verbs import GAME_VERBS
from core.mail.words import with_bot
from core.statuses import GameStatus, InvitationStatus, SubmissionStatus
from core.store.tables import Game, Invitation, OutboxMail, Submission, Turn, User, Webhook
from core.table.acts import expiry, lobby, proposals
from core.table.acts.absence import MISSES
from core.table.notify import digests, mails, modes, sending, sitters
from core.table.notify.mails import SeatNotice, UserNotice
from core.table.people import accounts, reliability
from core.table.play import chat
from core.table.record import gamelog, seats, turns
from core.table.record.deadlines import terms_of
from core.table.views import health, reminders
from core.table.views.table_view import table_view
from core.table.views.terms import terms, times
from core.tableview import TableView
from core.text import SOURCE, _, speaking
from core.when import NEVER, exact


def renderer(mailbox: Mailbox) -> Render:
    """Return what writes the messages of `core.mail.outbox.deliver` for this installation."""

    def render(
        session: Session, row: OutboxMail, now: datetime, *others: OutboxMail
    ) -> EmailMessage:
        user = session.get(User, row.user_id) if row.user_id is not None else None
        owed = Owed(session, row, user, now)
        with speaking(owed.reader.locale):
            together = others and row.kind != MailKind.DIGEST
            return compose(
                Message(
                    topic=_gathered(owed, others) if together else _TOPICS[row.kind](owed),
                    reader=owed.reader,
                    name=row.message_id,
                    now=now,
                    answers=row.thread,
                    kind="digest" if row.kind == MailKind.DIGEST else "",
                ),
                mailbox,
            )

    return render


@dataclass(frozen=True, slots=True)
class Owed:
    """A row of the outbox and its user, if any, at the instant at which it is rendered."""

    session: Session
    row: OutboxMail
    user: User | None
    now: datetime

    @property
    def reader(self) -> Reader:
        """The reader, by the address that they have now, or by the row's own."""
        row, user = self.row, self.user
        if user is None:
            locale = str(row.context.get("locale", SOURCE))
            return Reader(None, str(row.context.get("name", "")), row.address, locale=locale)
        if row.kind in (MailKind.NEW_ADDRESS, MailKind.OLD_ADDRESS):  # not, or no longer, theirs
            return Reader(user.id, "", row.address, user.zone, user.locale)
        return Reader(user.id, user.name, user.email, user.zone, user.locale)

    @property
    def owner(self) -> User:
        """The user to whom it is owed; NotWanted if there is none any more."""
        if self.user is None:
            raise NotWanted("nobody to tell")
        return self.user

    @property
    def game(self) -> Game:
        """The game that it is about; NotWanted if there is none."""
        if self.row.game_id is None:
            raise NotWanted("it is about no game")
        return gamelog.find(self.session, self.row.game_id)

    def table(self, upto: int | None = None) -> TableView:
        """Return the table as the reader's own seat sees it, now or after event `upto`.

        Raises:
            NotWanted: the reader has lost the seat, so that they see it no more.
        """
        _want(self._seated(), "somebody else holds the seat")
        return table_view(self.session, self.game.id, self.row.seat, now=self.now, upto=upto)

    def table_if_begun(self) -> TableView | None:
        """Return the table, or None before the game and for a reader without the seat."""
        begun = self.game.started_at is not None and self.row.seat is not None
        return self.table() if begun and self._seated() else None

    @property
    def submission(self) -> Submission | None:
        """The move that it answers, if any."""
        known = self.row.context.get("submission")
        return self.session.get(Submission, known) if known is not None else None

    def _seated(self) -> bool:
        if self.row.seat is None or self.user is None:
            return True
        mine = seats.seat_of(self.session, self.game.id, self.user.id)
        return mine is not None and mine.seat == self.row.seat


def _want(condition: bool, why: str) -> None:
    """Drop the mail unless the condition holds."""
    if not condition:
        raise NotWanted(why)


def _turn(owed: Owed) -> Topic:
    """Return the question as it stands now.

    Raises:
        NotWanted: it is answered, is another's, or its clock stands still (M11, M12, M13, M35).
    """
    asked, user = sending.question(owed.session, owed.row), owed.user
    if asked is None or user is None:
        raise NotWanted("answered meanwhile")
    mine = seats.seat_of(owed.session, asked.game_id, user.id)
    _want(mine is not None and mine.seat == asked.seat, "somebody else holds the seat")
    again = owed.row.kind == MailKind.REMINDER
    if again:
        game = owed.session.get_one(Game, asked.game_id)
        stands = reminders.stands(owed.session, game, asked, owed.now)
        _want(game.status == GameStatus.RUNNING and not stands, "the clock stands still")
    return _question(owed.session, asked, owed.now, again=again)


def _question(session: Session, asked: Turn, now: datetime, *, again: bool = False) -> Topic:
    """Return an open question with all that can be answered; `again`: it still waits."""
    table = table_view(session, asked.game_id, asked.seat, now=now)
    said = _said_since(session, asked)
    if asked.plan:
        return message.Plan(table, said)
    state, seat = gamelog.load(session, asked.game_id), Seat(asked.seat)
    return (message.Reminder if again else message.Turn)(
        table=table,
        last=state.players[seat].missed + 1 >= MISSES,
        moved=_moved(asked),
        said=said,
        begins=_beginning(session, asked, table) if not again else None,
    )


def _beginning(session: Session, asked: Turn, table: TableView) -> message.Start | None:
    """Return what the mail of the beginning would say, for the first question of a game."""
    game = gamelog.find(session, asked.game_id)
    if not _is_first(session, asked):
        return None
    return message.Start(table, terms(lobby.ruleset(game), game))


_SAID_SHOWN: Final = 20


def _said_since(session: Session, asked: Turn) -> tuple[Said, ...]:
    """Return what others said since this seat last moved (L4)."""
    since = turns.last_moved_at(session, asked.game_id, Seat(asked.seat))
    told = chat.lines(session, asked.game_id, _SAID_SHOWN)
    return tuple(
        Said(name, line.at, line.text)
        for line, name in told
        if line.user_id != asked.user_id and (since is None or line.at > since)
    )


def _moved(asked: Turn) -> datetime | None:
    """Return the deadline that was told first if it is another now (M11)."""
    first = asked.first_deadline
    known = first is not None and first < NEVER and asked.deadline < NEVER
    return first if known and first != asked.deadline else None


SHOWN: Final = 50
"""Tables that are named one by one; of the others the number is told (M9)."""


def _digest(owed: Owed) -> Topic:
    """Return all that waits, as it stands now; of a single table its whole question."""
    found = digests.waiting(owed.session, owed.owner, but=())
    _want(bool(found), "nothing waits any more")
    if len(found) == 1:
        return _question(owed.session, found[0][0], owed.now)
    return Digest(*_listed(owed.session, found, owed.now, set()), daily=True)


def _gathered(owed: Owed, others: Sequence[OutboxMail]) -> Topic:
    """Return what mails say that were held, and what else waits; a single thing in full."""
    session, user, rows = owed.session, owed.owner, (owed.row, *others)
    about_turns = [r for r in rows if r.kind in (MailKind.TURN, MailKind.REMINDER)]
    asked = {(r.game_id, r.seat, r.turn) for r in about_turns}
    found = digests.waiting(session, user, but=("digest",))
    fresh = {t.id for t, _game in found if (t.game_id, t.seat, t.turn) in asked}
    told: list[Topic] = []
    for row in rows:
        if row not in about_turns:
            with suppress(NotWanted):
                told.append(_TOPICS[row.kind](replace(owed, row=row)))
    if not fresh and not told:
        raise NotWanted("answered meanwhile")
    if len(fresh) == 1 and not told:
        return _question(session, next(t for t, _game in found if t.id in fresh), owed.now)
    if len(told) == 1 and not fresh:
        return told[0]
    listed = _listed(session, found if fresh else [], owed.now, fresh)
    return Digest(*listed, also=tuple(topic.in_short() for topic in told))


def _listed(
    session: Session, found: list[tuple[Turn, Game]], now: datetime, fresh: set[int]
) -> tuple[tuple[Waiting, ...], int]:
    """Return the nearest deadlines, and how many more wait."""
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
        moved=_moved(asked),
        fresh=fresh,
        commands=Page(table, SOURCE).commands,
    )


def _is_first(session: Session, asked: Turn | None) -> bool:
    """Return whether a question came with the beginning of its game (L26)."""
    return asked is not None and not asked.plan and turns.is_first(session, asked)


def _start(owed: Owed) -> Topic:
    _want(owed.user is not None and owed.user.mail_games, "no game mails any more")
    _want(owed.game.status == GameStatus.RUNNING, "the game is over")
    asked = turns.current_turn(owed.session, owed.game.id, Seat(owed.row.seat or 0))
    if _is_first(owed.session, asked) and owed.row.seat is not None:
        at_once = modes.mode(owed.session, owed.owner, owed.game.id) in ("instant", "always")
        _want(not at_once, "told in the mail of the first turn")
    return message.Start(owed.table(), terms(lobby.ruleset(owed.game), owed.game))


def _end(owed: Owed) -> Topic:
    _want(owed.user is not None and owed.user.mail_games, "no game mails any more")
    table = owed.table()
    last = closing([entry.event for entry in table.log])
    return message.End(table, wording.abandoned(last) if isinstance(last, GameAbandoned) else "")


def _invite(owed: Owed) -> Topic:
    session, game = owed.session, owed.game
    invitation = session.get(Invitation, owed.row.context["invitation"])
    open_seats = seats.open_seats(session, game.id)
    looking = game.status == GameStatus.OPEN or bool(open_seats)
    if invitation is None or invitation.status != InvitationStatus.PENDING or not looking:
        raise NotWanted("the invitation is answered, or the table closed")
    host = session.get(User, game.host_id)
    return message.Invite(
        invitation=invitation.id,
        game=game.id,
        title=game.title,
        host=host.name if host else "",
        seated=tuple(with_bot(r.name, r.bot) for r in seats.seats(session, game.id)),
        free=seats.free(session, game) or len(open_seats),
        times=times(game),
        rules=terms(lobby.ruleset(game), game),
        misses=terms_of(game).deadlines_enforced,
        runs=_runs(session, game, [row.name for row in open_seats]),
    )


def _runs(session: Session, game: Game, free: list[str]) -> str:
    """Return where a running game stands, to somebody asked to play on in it (H1)."""
    if game.status != GameStatus.RUNNING:
        return ""
    text = _(
        "The game has begun, round {round} is played. You would take over the seat of {names} as "
        "it stands: with its cities, plants and money."
    )
    round_ = gamelog.load(session, game.id).round
    return text.format(round=round_, names=both(free))


def _done(owed: Owed) -> Topic:
    _want(owed.user is None or owed.user.mail_answers, "no answers any more")
    game, table, context = owed.game, owed.table_if_begun(), owed.row.context
    if owed.submission is None or table is None:
        return message.Done(
            game=game.id,
            title=game.title,
            said=str(context["said"]),
            remark=str(context.get("remark", "")),
            table=table,
            ordered="given" in context,
            given=tuple(context.get("given", ())),
            tried=tuple(context.get("tried", ())),
        )
    said, rules = owed.submission.text, table.view.ruleset
    with suppress(GameError):
        said = text(parse(said, rules), rules)  # as it was understood
    mail = owed.submission.key.rpartition("#")[0]
    posted = chat.said_with(owed.session, game.id, owed.user.id if owed.user else 0, mail)
    remark = _("Posted to the table's chat.") if posted else ""
    return message.Done(game.id, game.title, said, moved=True, remark=remark, table=table)


def _refused(owed: Owed) -> Topic:
    _want(owed.user is None or owed.user.mail_answers, "no answers any more")
    game, table, context = owed.game, owed.table_if_begun(), owed.row.context
    move = owed.submission
    stale = move.status == SubmissionStatus.STALE if move else bool(context.get("stale"))
    rules = (table.view.ruleset, table.players) if table else None
    return message.Refused(
        game=game.id,
        title=game.title,
        said=move.text if move else str(context["said"]),
        reason=move.reason if move else str(context["reason"]),
        hints=(*context.get("hints", ()), *_silence(owed)),
        stale=stale,
        rule=rule_behind(move.code, *rules) if move and rules else None,
        table=table,
    )


def _silence(owed: Owed) -> list[str]:
    """Say until when refused moves get no answer, in the last one that does (M22)."""
    until, reader = owed.row.context.get("silent"), owed.reader
    if until is None:
        return []
    when = exact(datetime.fromisoformat(until), reader.zone, reader.locale)
    text = _("Until {when} moves that are not allowed get no answer; others are played.")
    return [text.format(when=when)]


def _status(owed: Owed) -> Topic:
    upto = owed.row.context.get("upto")  # a position of the replay, or the present one
    return message.Status(owed.table(None if upto is None else int(upto)))


def _help(owed: Owed) -> Topic:
    return message.Help(owed.game.id, owed.game.title, owed.table_if_begun(), _idle(owed))


_OF_HOSTS: Final = frozenset({"invite", "begin", "pause", "resume", "more"})
_BEFORE: Final = frozenset({"begin"})
_IN_GAME: Final = frozenset({
    *GAME_VERBS, "undo", "ok", "no", "limit", "order", "orders", "cancel", "ready", "map", "show",
    "resend", "pause", "resume", "more",
})  # fmt: skip


def _idle(owed: Owed) -> frozenset[str]:
    """Return the verbs that do nothing for the reader now, by who they are and how far it is."""
    game = owed.game
    host = owed.user is not None and game.host_id == owed.user.id
    idle = frozenset() if host else _OF_HOSTS
    idle |= _IN_GAME if game.status == GameStatus.OPEN else _BEFORE
    if game.status == GameStatus.RUNNING:
        drafting = gamelog.load(owed.session, game.id).phase is Phase.REGIONS
        idle |= frozenset() if drafting else frozenset({"region"})
    return idle


def _chat(owed: Owed) -> Topic:
    _want(owed.user is not None and owed.user.mail_chat, "no chat mails any more")
    told = mails.chat_lines(owed.session, owed.row)
    lines = tuple(Said(name, line.at, line.text) for line, name in told)
    return message.Chat(owed.game.id, owed.game.title, lines, owed.table_if_begun())


def _seat_notice(owed: Owed) -> Topic:
    _want(owed.owner.mail_notices, "no notices any more")
    context = owed.row.context
    if context["what"] == SeatNotice.STOPPED:  # its log may be what cannot be read
        heading, said = seat_words(SeatNotice.STOPPED, context, owed.owner, owed.now)
        lines = (owed.game.title, said)
        return message.Memo(heading, lines, f"/games/{owed.game.id}", _("Open the table"))
    table = owed.table()
    if told := proposals.notice(owed.session, table, context, owed.reader, owed.now):
        return told
    heading, said = seat_words(SeatNotice(context["what"]), context, owed.owner, owed.now)
    away = owed.row.seat is not None and table.seats[owed.row.seat].caretaker
    return message.Notice(table, heading, said, back=away)


def seat_words(
    what: SeatNotice, context: Mapping[str, Any], user: User, now: datetime
) -> tuple[str, str]:
    """Return heading and text of a notice to a seat's owner, or to the host of a stopped game."""
    until = reliability.barred_until(user, now)
    barred = (
        _(
            "Tables of others are closed to you until {when}, and your places at those that have "
            "not begun are given up."
        ).format(when=exact(until, user.zone, user.locale))
        if until is not None
        else ""
    )
    heading, said = {
        SeatNotice.GRACE: (
            _("You were late and have more time"),
            _(
                "Your time for a turn was over. This table gives some more by itself, up to the "
                "deadline below, but only a few times in a game. It is in the log for all to see."
            ),
        ),
        SeatNotice.RETURNED: (
            _("You play again"),
            _("The caretaker has left your seat: from now on you are asked."),
        ),
        SeatNotice.SEATED: (
            _("You play here now"),
            _(
                "The seat is yours, with all that belongs to it. Whenever it is asked you have "
                "the full time for the turn."
            ),
        ),
        SeatNotice.STOPPED: (
            _("Your game has been stopped"),
            _(
                "Something went wrong in it. Nothing is lost, no turn is missed meanwhile, and "
                "whoever runs the site can let it go on."
            ),
        ),
        SeatNotice.RELEASED: (
            _("Your game goes on"),
            _("The trouble has been mended. Who is asked has the whole time for the turn again."),
        ),
        SeatNotice.CARETAKER: (
            _("A caretaker plays for you"),
            _(
                "You missed two turns in a row. A bot now moves for your seat until you return, "
                "and until then others may take it. {barred}"
            ),
        ),
        SeatNotice.OFFERED: (
            _("The game waits for you"),
            _(
                "Your first turn is over, and you have not moved. Nothing was played for you: you "
                "can still make your move as if nothing had happened, until somebody else takes "
                "your seat, or a bot at the deadline below. {barred}"
            ),
        ),
        SeatNotice.DRAFT: (
            _("Your saved move was played"),
            _(
                "Your time was over, so the table made the move that you had saved: {line}. It "
                "does not count as a missed turn."
            ),
        ),
        SeatNotice.ASLEEP: (
            _("Everybody is away"),
            _(
                "All players are away, so the game stands still: bots wait, too. As soon as "
                "somebody returns it goes on; after {days} days it ends without a winner."
            ),
        ),
    }[what]
    line, days = context.get("line", ""), context.get("days", "")
    return heading, said.format(barred=barred, line=line, days=days).rstrip()


def _user_notice(owed: Owed) -> Topic:
    what, game = UserNotice(owed.row.context["what"]), owed.game
    begun = game.status != GameStatus.OPEN
    if owed.user is None or (what in (UserNotice.IDLE, UserNotice.FULL) and begun):
        raise NotWanted("the table has begun, or is closed")
    if what == UserNotice.FULL:
        _want(not seats.free(owed.session, game), "a place is free again")
    if what == UserNotice.REPLACED and game.status not in (GameStatus.OPEN, GameStatus.RUNNING):
        heading = _("The game is over")  # nothing goes on any more (L24)
        told = _("Your seat had been taken over before. How it ended stands on its page.")
        path = f"/games/{game.id}"
        return Memo(f"{game.title} · {heading}", (told,), path, _("To the table"), game.id)
    return user_memo(what, owed.row.context, game, owed.user)


def user_memo(what: UserNotice, context: Mapping[str, Any], game: Game, user: User) -> Memo:
    """Return a notice about a table at which the reader has no seat, or none yet."""
    name = str(context.get("name", ""))
    heading, said = {
        UserNotice.WITHDRAWN: (
            _("A place is free again"),
            _(
                "{name} has left another game by missing turns, and so gives up the place at "
                "your table. Invite somebody else, or seat a bot."
            ),
        ),
        UserNotice.CHANGED: (
            _("The table has changed"),
            _(
                "The host has changed it before the game begins: it is called “{name}”, and a turn "
                "has {hours} hours. If that does not suit you, leave it on its page."
            ),
        ),
        UserNotice.FULL: (
            _("All places are taken"),
            _(
                "The last place at your table has been taken. Begin the game on its page, or "
                "answer this with “begin”; it does not begin by itself."
            ),
        ),
        UserNotice.REPLACED: (
            _("Somebody else plays your seat"),
            _(
                "{name} plays your seat from now on, because you had missed a turn. The game goes "
                "on without you; you get no more mails about it."
            ),
        ),
        UserNotice.NO_SHOW: (
            _("{name} has not come"),
            _(
                "{name} has not made the first move in time. The game waits, and nobody loses "
                "anything: {name} may still come, others can take the seat on the table's page, "
                "you can invite somebody or seat a bot. After a while a bot is seated by itself."
            ),
        ),
        UserNotice.IDLE: (
            _("Is anybody coming?"),
            _(
                "This table has waited for its players for ten days. If the game does not begin, "
                "and nobody presses “Keep it open” on its page, it closes on {when}."
            ),
        ),
        UserNotice.CLOSED: (
            _("The table is closed"),
            _("{name} has closed the table before its game began. Nothing else has happened."),
        )
        if name
        else (
            _("The table is closed"),
            _(
                "Its game has not begun within fourteen days, so the table has been closed. "
                "Nothing else has happened; a new one is opened in a minute."
            ),
        ),
    }[what]
    heading = heading.format(name=name)
    when = exact(expiry.closes_at(game), user.zone, user.locale)
    return Memo(
        heading=f"{game.title} · {heading}",
        lines=(said.format(name=name, when=when, hours=context.get("hours", "")),),
        path=f"/games/{game.id}",
        button=_("To the table"),
        game=game.id,
    )


def _sitter(owed: Owed) -> Topic:
    """Tell a sitter of a seat; NotWanted once they may not move any more, or have moved."""
    session, mail, game, now, user = owed.session, owed.row, owed.game, owed.now, owed.user
    place = sitters.sits_for(session, game, user, now) if user else None
    if user is None or place is None or place.seat != mail.seat:
        raise NotWanted("nobody to sit in for any more")
    row = sitters.present(session, place.user_id, now)
    until = exact(row.ends_at, user.zone, user.locale) if row else ""
    heading = _("You may move for {name}").format(name=place.name)
    if mail.turn is not None:
        asked = turns.current_turn(session, game.id, Seat(mail.seat or 0))
        _want(asked is not None and asked.turn == mail.turn, "answered meanwhile")
        heading = _("{name}'s company is asked for a move").format(name=place.name)
    named = _("{name} is away until {until} and has named you as sitter at “{title}”.")
    seen = _(
        "You see the game as {name} does and may move on the page; everybody can read in "
        "the log that it was you. If you do nothing, nothing is lost: the clock stands."
    ).format(name=place.name)
    lines = (
        named.format(name=place.name, until=until, title=game.title),
        seen.format(name=place.name),
    )
    return Memo(heading, lines, f"/games/{game.id}", _("Open the game"), game.id)


def _sign_in(owed: Owed) -> Topic:
    token, minutes = str(owed.row.context["token"]), int(owed.row.context["minutes"])
    alive = accounts.is_alive(owed.session, token, owed.now)
    _want(alive, "the link is used, void or too old")
    return message.SignIn(token, minutes)


def _new_address(owed: Owed) -> Topic:
    link = AddressLink(*owed.row.context["link"])
    alive = owed.user is not None and accounts.may_change(owed.user, link, owed.now)
    _want(alive, "the link is used or too old")
    return message.NewAddress(link, accounts.TOKEN_LIFE // timedelta(minutes=1))


def _old_address(owed: Owed) -> Topic:
    link = AddressLink(*owed.row.context["link"])
    return message.OldAddress(link, accounts.UNDO_LIFE // timedelta(days=1))


def _test(owed: Owed) -> Topic:
    return test_mail(owed.row, owed.user, owed.now)


def test_mail(mail: OutboxMail, user: User | None, now: datetime) -> message.Trial:
    """Return what a test mail says; raise NotWanted once it is too late for that."""
    if user is None or now >= mail.created_at + accounts.LIFE:
        raise NotWanted("the link is too old")
    until = int((mail.created_at + accounts.LIFE).timestamp())
    link = ReachedLink(mail.id, user.id, user.email, until)
    return message.Trial(link, accounts.LIFE // timedelta(days=1))


def _webhook_off(owed: Owed) -> Topic:
    hook = owed.session.get(Webhook, owed.row.context["hook"])
    if hook is None or hook.disabled_at is None:
        raise NotWanted("the webhook is removed, or works again")
    return webhook_memo(hook)


def webhook_memo(hook: Webhook) -> Memo:
    """Return what the owner of a webhook reads that has failed for a day."""
    service = {"slack": "Slack", "discord": "Discord"}.get(hook.kind, _("your own service"))
    off = _("Your webhook for {service} has failed for a day, so it is called no more.")
    lines = (
        off.format(service=service),
        _("What the last try met: {error}").format(error=hook.last_error),
        _("Mails are not touched by this. Once it is mended, a test switches it on again."),
    )
    heading = _("A webhook has been switched off")
    return Memo(heading, lines, "/profile/channels", _("To my channels"))


def _stopped(owed: Owed) -> Topic:
    """Name what goes on without the reader's turn mails; NotWanted once they are on again."""
    user = owed.owner
    scope = owed.row.context.get("scope", "turns")
    if scope != "turns":
        _want(not getattr(user, f"mail_{scope}"), "they are on again")
        told = {
            "games": _("You get no more mails when a game begins, ends or invites you."),
            "chat": _("You get no more mails with what others say; turn mails tell it."),
            "answers": _("You get no more answers to your own mails; what they ask for is done."),
            "notices": _("You get no more notices of what becomes of your seat."),
        }[scope]
        others = _("All other mails go on as before.")
        back = _("To turn them on again answer this mail with one line: mail on")
        return Memo(
            _("Fewer mails"),
            (told, others, back),
            "/profile/mail",
            _("To my settings"),
            answerable=True,
        )
    _want(user.mail_mode == "off", "turn mails are on again")
    running = [g.title for g, _mode in modes.tables(owed.session, user)]
    said = [
        _("You asked for no more turn mails, so none comes when it is your turn."),
        _("These tables go on: {titles}. If you do not move, turns are missed.").format(
            titles=series(running)
        )
        if running
        else _("You sit at no table at the moment."),
        _("Mails that a game begins or ends, and answers to your mails, still come."),
        _("To turn them on again answer this mail with one line: mail on"),
    ]
    heading, button = _("No more turn mails"), _("To my mail settings")
    return Memo(heading, tuple(said), "/profile/mail", button, answerable=True)


def _answer(owed: Owed) -> Topic:
    """Answer a mail that was about no table."""
    context = owed.row.context
    refused = context.get("kind", MailKind.REFUSED) == MailKind.REFUSED
    said = str(context.get("said", ""))
    heading = (_("Not done: {said}") if refused else _("Done: {said}")).format(said=said)
    told = [str(context.get("reason") or context.get("remark") or ""), *context.get("hints", ())]
    return Memo(heading, tuple(line for line in told if line), answerable=True)


def _health(owed: Owed) -> Topic:
    ill = health.troubles(owed.session, owed.now)
    _want(bool(ill), "all is well again")
    return health_memo(ill)


def health_memo(ill: Sequence[health.Finding]) -> Memo:
    """Return what the operator reads once a day while something is not well."""
    daily = _("“kraftpost doctor” looks at everything. This mail comes once a day while it lasts.")
    said = _("{name}: {told}. {mend}.")
    lines = (*(said.format(name=one.name, told=one.told, mend=one.mend) for one in ill), daily)
    return Memo(_("Kraftpost is not well"), lines)


_TOPICS: Final[Mapping[str, Callable[[Owed], Topic]]] = {
    MailKind.TURN: _turn,
    MailKind.REMINDER: _turn,
    MailKind.DIGEST: _digest,
    MailKind.START: _start,
    MailKind.END: _end,
    MailKind.INVITE: _invite,
    MailKind.DONE: _done,
    MailKind.REFUSED: _refused,
    MailKind.STATUS: _status,
    MailKind.HELP: _help,
    MailKind.SEAT_NOTICE: _seat_notice,
    MailKind.USER_NOTICE: _user_notice,
    MailKind.CHAT: _chat,
    MailKind.SITTER: _sitter,
    MailKind.SIGN_IN: _sign_in,
    MailKind.NEW_ADDRESS: _new_address,
    MailKind.OLD_ADDRESS: _old_address,
    MailKind.TEST: _test,
    MailKind.WEBHOOK_OFF: _webhook_off,
    MailKind.HEALTH: _health,
    MailKind.STOPPED: _stopped,
    MailKind.ANSWER: _answer,
}
