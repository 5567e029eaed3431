"""Mail that came in is stored at once, and acted upon afterwards.

A token in the address says which turn, table or invitation a mail answers, and From must be the
address that belongs to it: else there is no reply at all (M22). An answer counts whole or not at
all, and each is answered once: a move by its adjudication, everything else from here.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Final

import structlog
from sqlmodel import Session, col, select

from core.game.errors import GameError
from core.game.types import Seat
from core.lists import series
from core.mail import bounces, outbox
from core.mail.addresses import InviteToken, PlaceToken, TableToken, TurnToken
from core.mail.commands import (
    MAX_COMMANDS,
    Accept,
    Chat,
    Command,
    Consent,
    Decline,
    GameMove,
    GoAway,
    Help,
    Status,
    Undo,
    Unknown,
    Wish,
    read_commands,
)
from core.mail.inbound import Inbound, read_message
from core.mail.kinds import MailKind
from core.mail.message import Mailbox
from core.mail.verbs import BY_WORD
from core.statuses import InboundStatus
from core.store.tables import Game, InboundMail, Invitation, OutboxMail, User
from core.table.acts import absence, invitations, lobby, replace
from core.table.drive import mail_commands, wishes
from core.table.drive.mail_commands import Answer
from core.table.notify import modes, moved_deadlines
from core.table.play import chat, submissions
from core.table.record import gamelog, seats, turns
from core.table.record.errors import TableError
from core.text import SOURCE, _, speaking
from core.when import exact

_NOT_SAID: Final = "?"
"""Envelope sender of a mail that came without an envelope; an empty one is that of bounces."""
_HEAD: Final = 64 << 10
_MESSAGE_ID: Final = re.compile(
    rb"^message-id:\s*(<[!-;=?-~]{1,250}>)", re.IGNORECASE | re.MULTILINE
)
_LONGEST_SENDER: Final = 320

log = structlog.get_logger()


def receive(
    session: Session,
    raw: bytes,
    envelope_from: str | None,
    recipients: Sequence[str],
    now: datetime,
) -> list[int]:
    """Store a mail, once for each recipient; return the rows' ids, also of those known before."""
    name = _message_id(raw)
    return [_store(session, raw, name, envelope_from, address, now) for address in recipients]


def process(session: Session, inbound_id: int, now: datetime, mailbox: Mailbox) -> int | None:
    """Act on a stored mail, once; return the game that is to be adjudicated, if there is one."""
    row = session.get(InboundMail, inbound_id, with_for_update=True, populate_existing=True)
    if row is None or row.status != InboundStatus.PENDING:
        return None
    envelope = None if row.envelope_from == _NOT_SAID else row.envelope_from
    mail = read_message(row.raw, envelope, row.recipients, mailbox.reply, mailbox.address)
    try:
        reported = _report(session, row.raw, mail, mailbox.domain, now)
        game = None if reported else _act(session, mail, row.key, now)
    except _Ignored as reason:
        row.status, row.reason, game = InboundStatus.IGNORED, str(reason), None
    else:
        row.status = InboundStatus.DONE
    row.processed_at = now
    session.add(row)
    log.info("mail_processed", inbound=row.id, status=row.status, game=game)
    return game


def tell_failed(session: Session, inbound_id: int, now: datetime, mailbox: Mailbox) -> None:
    """Tell whose token a mail has, once, that it could not be read for a day; else do nothing."""
    row = session.get(InboundMail, inbound_id)
    if row is None or row.status != InboundStatus.FAILED:
        return
    token = next(filter(None, map(mailbox.reply.read, row.recipients)), None)
    user, game = None, 0
    if isinstance(token, TurnToken | TableToken):
        user, game = seats.owner(session, token.game, Seat(token.seat)), token.game
    elif isinstance(token, PlaceToken):
        user = session.get(User, token.user)
    if user is None:
        return
    with speaking(user.locale):
        reason = _(
            "Your mail of {when} could not be read, though it was tried for a day. Nothing of it "
            "was done: write it again, as plain text."
        ).format(when=exact(row.received_at, user.zone, user.locale))
        outbox.owe(
            session,
            MailKind.REFUSED if game else MailKind.ANSWER,
            key=f"failed:{row.id}",
            now=now,
            user=user,
            game_id=game or None,
            context={"said": _("your mail"), "reason": reason},
        )


class _Ignored(Exception):
    """A mail that is not answered; says why."""


def _act(session: Session, mail: Inbound, key: str, now: datetime) -> int | None:
    if mail.automatic is not None:
        raise _Ignored(f"automatic: {mail.automatic}")
    if not mail.tokens:
        raise _Ignored("no genuine address")
    match mail.tokens[0]:
        case InviteToken(invitation):
            _act_on_invitation(session, mail, key, invitation, now)
            return None
        case PlaceToken(game, user):
            return _act_as_user(session, mail, key, game, user, now)
        case TurnToken() | TableToken() as token:
            return _act_at_table(session, mail, key, token, now)


def _act_as_user(
    session: Session, mail: Inbound, key: str, game_id: int, user_id: int, now: datetime
) -> int | None:
    """Return what a user asks for who has no seat there, or writes about no table."""
    user, game = session.get(User, user_id), session.get(Game, game_id)
    if user is None or user.deleted_at is not None:
        raise _Ignored("nobody has this address any more")
    if user.email != mail.sender:
        _tell_owner(session, user, mail, game_id, f"place:{game_id}", now)
    row = seats.seat_of(session, game_id, user_id) if game is not None else None
    if game is not None and row is not None and row.seat is not None:
        return _act_at_table(session, mail, key, TableToken(game_id, row.seat), now)
    with speaking(user.locale):
        commands = read_commands(mail.lines)
        answer = Answer(session, mail, key, now, game, user)
        wishes.introduce(answer, user)
        if not _understood(commands, answer):
            return None
        for number, command in enumerate(commands, 1):
            _do_as_user(command, number, answer, user)
        answer.tell()
    return answer.touched[0] if answer.touched else None


def _do_as_user(command: Command, number: int, answer: Answer, user: User) -> None:
    match command:
        case Wish():
            wishes.do(command, number, answer)
        case GoAway():
            mail_commands.act_on_vacation(command, number, answer)
        case Chat(text) if answer.table is not None:
            said = _("chat {text}").format(text=text)
            answer.attempt(number, said, lambda: _said(answer, user, text, number))
        case GameMove(text) if answer.table is None:
            _move_anywhere(text, number, answer, user)
        case Help():
            answer.owe(MailKind.HELP, number, said="help", remark=_plain_help())
        case Status():
            wishes.do(Wish("tables"), number, answer)
        case _:
            reason = _("That goes at a table at which you play: answer its last mail.")
            answer.refuse(" ".join(answer.mail.lines)[:60], reason)


def _move_anywhere(line: str, number: int, answer: Answer, user: User) -> None:
    """Play a move of an answer to a mail about several tables, if it goes at just one of them."""
    session, fits = answer.session, []
    for game, _mode in modes.tables(session, user):
        for turn in turns.asked(session, game.id):
            if turn.user_id == user.id and not turn.plan:
                with suppress(GameError):
                    submissions.check(session, game.id, turn.seat, turn.turn, line)
                    fits.append((game, turn))
    if len(fits) != 1:
        reason = _(
            "At which table? Write to the address that stands above the lines of that table."
        )
        if not fits:
            reason = _("That goes at none of the tables that wait for you.")
        answer.refuse(line, reason)
        return
    game, turn = fits[0]
    key = f"{answer.mail.message_id}#{number}"
    gamelog.lock(session, game.id)
    submissions.submit(session, game.id, turn.seat, turn.turn, line, "mail", key, answer.now)
    answer.ring(game.id)


def _said(answer: Answer, user: User, text: str, number: int) -> str:
    key = f"{answer.mail.message_id}#{number}"
    chat.say(answer.session, answer.game, user, text, key, answer.now)
    return _("Posted to the table's chat.")


def _plain_help() -> str:
    lines = [line for verb in BY_WORD.values() if verb.anywhere for line, _what in verb.help]
    return _("Commands that go anywhere: {lines}.").format(lines=series(lines))


def _tell_owner(
    session: Session, user: User, mail: Inbound, game_id: int, what: str, now: datetime
) -> None:
    """Tell a user, once, of a mail with their token from another address; then ignore it (L9)."""
    if mail.sender:
        with speaking(user.locale):
            outbox.owe(
                session,
                MailKind.REFUSED if game_id else MailKind.ANSWER,
                key=f"other:{user.id}:{what}",
                now=now,
                user=user,
                game_id=game_id or None,
                context={"said": _("your mail"), "reason": _(
                    "An answer to a mail of yours came from another address, so nothing was done. "
                    "If it was you: send it from this address, or change your address on your page."
                )},
            )  # fmt: skip
    raise _Ignored("not from the seat's own address")


def _act_at_table(
    session: Session, mail: Inbound, key: str, token: TurnToken | TableToken, now: datetime
) -> int | None:
    """Return what the owner of a seat asks for."""
    user = seats.owner(session, token.game, Seat(token.seat))
    if user is None:
        raise _Ignored("not from the seat's own address")
    if user.email != mail.sender:
        turn = token.turn if isinstance(token, TurnToken) else now.date()
        _tell_owner(session, user, mail, token.game, f"{token.game}:{token.seat}:{turn}", now)
    with speaking(user.locale):
        commands = read_commands(mail.lines, _names(session, token.game))
        if any(isinstance(command, GoAway) for command in commands):
            moved_deadlines.games_of(session, user.id)  # in the order of all: no deadlock
        game = gamelog.lock(session, token.game)
        answer = Answer(session, mail, key, now, game, user, token.seat)
        again = _again(commands)
        wishes.introduce(answer, user)
        if not _sensible(commands, answer, token, again=again):
            return None
        with suppress(TableError):  # who may not come back yet is told when the move is judged
            absence.return_owner(session, game.id, token.seat, now)
        if again:
            try:
                token = mail_commands.instead(commands, answer, token) or token
            except mail_commands.Unfit as error:
                answer.refuse(*error.args)
                return None
            commands = tuple(c for c in commands if not isinstance(c, Undo))
        elif isinstance(token, TurnToken) and _stands(commands, answer, token):
            return None
        rest = mail_commands.act(commands, answer, token)
        if rest is None:
            return game.id if again else None
        for number, command in enumerate(rest, 1):
            _do(command, number, answer, token)
        if any(isinstance(c, GameMove) for c in rest):  # its answer tells of the chat, too
            answer.done[:] = [one for one in answer.done if not one[0].startswith("chat ")]
        answer.tell()
    moved = any(isinstance(c, GameMove | Undo | Consent) for c in commands)
    moved = moved or mail_commands.concerns(commands) or bool(answer.touched)
    return game.id if moved else None


def _names(session: Session, game_id: int) -> list[str]:
    """Return the names of a map, which begin no courtesy."""
    game = gamelog.find(session, game_id)
    board = lobby.ruleset(game).map
    return [*(city.name for city in board.cities), *(region.name for region in board.regions)]


def _again(commands: Sequence[Command]) -> bool:
    """Return whether a mail takes a move back and makes another one."""
    kinds = [type(c) for c in commands if isinstance(c, Undo | GameMove)]
    return kinds == [Undo, GameMove]


def _stands(commands: Sequence[Command], answer: Answer, token: TurnToken) -> bool:
    """Answer a mail whose turn its sender has answered already; False where that is not so."""
    moves = [command.text for command in commands if isinstance(command, GameMove)]
    return bool(moves) and mail_commands.stands(answer, token, moves[0])


def _sensible(
    commands: Sequence[Command],
    answer: Answer,
    token: TurnToken | TableToken,
    *,
    again: bool = False,
) -> bool:
    """Return whether all of the mail can be done; if not, it is refused as a whole."""
    if not _understood(commands, answer):
        return False
    moves = [command for command in commands if isinstance(command, GameMove)]
    if len(commands) > MAX_COMMANDS:
        reason = _("One mail has room for {n} lines: send the others in another one.")
        answer.refuse(_("too many lines"), reason.format(n=MAX_COMMANDS))
    elif len(moves) > 1 and not mail_commands.together(commands):
        answer.refuse(
            moves[1].text,
            _("One mail answers one question: write one move, and wait for the next question."),
        )
    elif moves and isinstance(token, TableToken) and not again:
        answer.refuse(
            moves[0].text,
            _("This answers a mail that did not ask you for a move. Answer your last turn mail."),
        )
    elif any(isinstance(command, Accept | Decline) for command in commands):
        answer.not_understood(
            "accept", _("You sit at this table already; there is nothing to accept.")
        )
    else:
        return True
    return False


def _understood(commands: Sequence[Command], answer: Answer) -> bool:
    unknown = next((c for c in commands if isinstance(c, Unknown)), None)
    if unknown is not None:
        hints = [_("Did you mean: {line}").format(line=line) for line in unknown.suggestions]
        reason = _("This line is no command.")
        if unknown.torn:
            reason = _(
                "It may be the end of your line of chat, or a command that nobody else must read. "
                "Send it again without the chat."
            )
        near = bool(unknown.suggestions) or unknown.torn
        answer.not_understood(unknown.text, reason, hints, near=near)
    elif not commands and answer.mail.unread is not None:
        reason = _("Your mail could not be read: {why}").format(why=answer.mail.unread.reason)
        answer.not_understood(_("your mail"), reason)
    elif not commands:
        answer.not_understood(
            _("your mail"),
            _("No command was found. It must stand at the top of the answer, on its own line."),
        )
    return unknown is None and bool(commands)


def _do(command: Command, number: int, answer: Answer, token: TurnToken | TableToken) -> None:
    """Do one command of a mail that has been found sensible."""
    session, now, key = answer.session, answer.now, f"{answer.mail.message_id}#{number}"
    match command:
        case GameMove(text) if isinstance(token, TurnToken):
            submissions.submit(session, token.game, token.seat, token.turn, text, "mail", key, now)
        case Chat(text):
            user = answer.user

            def say() -> str:
                if user is not None:
                    chat.say(session, answer.game, user, text, key, now)
                return _("Posted to the table's chat.")

            answer.attempt(number, _("chat {text}").format(text=text), say)
        case Wish():
            wishes.do(command, number, answer)
        case GoAway():
            mail_commands.act_on_vacation(command, number, answer)
        case Undo() | Consent():
            mail_commands.act_on_table(command, number, answer, token)
        case Status() if answer.game.started_at is not None:
            answer.owe(MailKind.STATUS, number)
        case _:
            answer.owe(MailKind.HELP, number)


def _act_on_invitation(
    session: Session, mail: Inbound, key: str, invitation_id: int, now: datetime
) -> None:
    """Act on the answer of somebody who was invited, and may have no user yet."""
    invitation = session.get(Invitation, invitation_id)
    if invitation is None or invitation.email != mail.sender:
        raise _Ignored("not from the invited address")
    game = gamelog.lock(session, invitation.game_id)
    user = session.exec(select(User).where(User.email == mail.sender)).first()
    answer = Answer(session, mail, key, now, game, user)
    with speaking(user.locale if user else SOURCE):
        commands = read_commands(mail.lines)
        if not _understood(commands, answer):
            return
        if len(commands) > 1 and not _go_together(commands):
            reason = _("One mail accepts or declines; “chat …” may stand below “accept”.")
            answer.refuse(" ".join(mail.lines)[:60], reason)
            return
        match commands[0]:
            case Accept() | Consent(0, True):
                _accept(answer, invitation, commands[1:])
            case Decline() | Consent(0, False):
                _decline(answer, invitation)
            case _:
                answer.not_understood(
                    " ".join(mail.lines)[:100],
                    _("This answers an invitation."),
                    [_("Answer with accept or decline.")],
                )


def _go_together(commands: Sequence[Command]) -> bool:
    accepts = isinstance(commands[0], Accept | Consent)
    return accepts and all(isinstance(command, Chat | Wish) for command in commands[1:])


def _accept(answer: Answer, invitation: Invitation, also: Sequence[Command]) -> None:
    session, now = answer.session, answer.now
    try:
        seat = replace.accept_seat(session, invitation, now)
    except TableError as error:
        answer.refuse("accept", str(error))
        return
    user = session.get(User, seat.user_id)
    seated = Answer(session, answer.mail, answer.key, now, answer.game, user)
    remark = _("You sit at the table. A mail tells you when the game begins.")
    seated.done.append(("accept", remark))
    if user is not None:
        wishes.introduce(seated, user)
        for number, command in enumerate(also, 2):
            _do_as_user(command, number, seated, user)
    seated.tell()


def _decline(answer: Answer, invitation: Invitation) -> None:
    try:
        invitations.decline(answer.session, invitation, answer.now)
    except TableError as error:
        answer.refuse("decline", str(error))
        return
    remark = _("You have no place at the table, and hear of it only if the host asks again.")
    answer.owe(MailKind.DONE, 1, said="decline", remark=remark)


def _message_id(raw: bytes) -> str:
    """Return what makes a mail that is sent again the same one.

    Its bytes where nothing better is.
    """
    head = re.split(rb"\r?\n\r?\n", raw[:_HEAD], maxsplit=1)[0]
    found = _MESSAGE_ID.search(head)
    return found[1].decode("ascii") if found else sha256(raw).hexdigest()


def _store(
    session: Session,
    raw: bytes,
    name: str,
    envelope_from: str | None,
    recipient: str,
    now: datetime,
) -> int:
    key = sha256(f"{name}\n{recipient.lower()}".encode()).hexdigest()
    known = session.exec(select(InboundMail.id).where(InboundMail.key == key)).first()
    if known is not None:
        return known
    claimed = _NOT_SAID if envelope_from is None else envelope_from
    row = InboundMail(
        key=key,
        message_id=name,
        envelope_from="".join(c if c.isprintable() else "?" for c in claimed)[:_LONGEST_SENDER],
        recipients=[recipient],
        raw=raw,
        received_at=now,
    )
    session.add(row)
    session.flush()
    return row.id


def taken(
    session: Session,
    raw: bytes,
    envelope_from: str | None,
    recipients: Sequence[str],
    mailbox: Mailbox,
) -> list[str]:
    """Return the recipients for which a mail is taken in, of those that `Mailbox.takes`.

    The address that our mails are from takes nothing but reports on mails of ours, so that people
    who write there are told at once that nobody reads it.
    """
    answered = [address for address in recipients if mailbox.answers(address)]
    if len(answered) == len(recipients) or not bounces.may_be_report(raw, envelope_from):
        return answered
    ours = _mails(session, bounces.names(raw, mailbox.domain))
    return list(recipients) if ours else answered


def _report(session: Session, raw: bytes, mail: Inbound, domain: str, now: datetime) -> int:
    """Do what a report says, if the mail is one; return the number of users that it has marked.

    Anybody can write a report, so one counts only if it holds the random name of a mail that was
    sent to this user at their present address (M1). None is ever answered (M22).
    """
    report = bounces.read_report(raw, domain) if mail.automatic is not None else None
    if report is None:
        return 0
    marked = sum(_act_on(session, report, row, now) for row in _mails(session, report.names))
    log.info("mail_reported", complaint=report.complaint, users=marked)
    return marked


def _act_on(session: Session, report: bounces.Report, row: OutboxMail, now: datetime) -> bool:
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if user is None or user.email != row.address or _is_settled(session, row):
        return False
    if not report.complaint:
        return bounces.came_back(session, row, report.why, now)
    modes.no_turns(session, user, now, told=False)
    bounces.mark(session, user, bounces.COMPLAINT, now)
    return True


def _mails(session: Session, found: Sequence[str]) -> Sequence[OutboxMail]:
    tried = (col(OutboxMail.message_id).in_(found), col(OutboxMail.attempts) > 0)
    return session.exec(select(OutboxMail).where(*tried)).all() if found else ()


def _is_settled(session: Session, row: OutboxMail) -> bool:
    """Return True if a test mail arrived that was sent later: then a late report is history."""
    tests = session.exec(
        select(OutboxMail).where(
            OutboxMail.kind == MailKind.TEST,
            OutboxMail.user_id == row.user_id,
            OutboxMail.address == row.address,
            col(OutboxMail.created_at) >= (row.sent_at or row.created_at),
        )
    )
    return any("arrived" in test.context for test in tests)
