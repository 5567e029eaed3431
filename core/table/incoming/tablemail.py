"""`undo`, `ok 7` and `no 7` by mail: the same as the forms of the table's page."""

from core.mail.address import TableToken, TurnToken
from core.mail.commands import Consent, Undo
from core.mail.words import both
from core.store.tables import Proposal
from core.table import places
from core.table.amending import proposals, proposed, undo
from core.table.errors import TableError
from core.table.incoming.answering import Answer
from core.text import _, ngettext


def act(
    command: Undo | Consent, number: int, answer: Answer, token: TurnToken | TableToken
) -> None:
    """Do it, and answer it; a refusal says why and what to do instead."""
    said = _said(command)
    try:
        with answer.session.begin_nested():
            remark = _undo(answer, token) if isinstance(command, Undo) else _say(answer, command)
    except TableError as error:
        answer.owe("refused", number, said=said, reason=str(error))
    else:
        answer.owe("done", number, said=said, remark=remark)


def _said(command: Undo | Consent) -> str:
    if isinstance(command, Undo):
        return "undo"
    return f"{'ok' if command.agrees else 'no'} {command.number}"


def _undo(answer: Answer, token: TurnToken | TableToken) -> str:
    """Take the last move back, unless the mail is about a question before it."""
    session, game, seat = answer.session, answer.game, token.seat
    if isinstance(token, TurnToken) and token.turn < undo.look(session, game.id, seat).turn:
        raise undo.moved_on()
    row = proposals.ask_to_undo(session, game.id, seat, None, answer.now)
    if row is None:
        return _("Your move is taken back, and you are asked again.")
    return _asked(answer, row)


def _asked(answer: Answer, row: Proposal) -> str:
    names = {r.seat: r.name for r in places.seats(answer.session, answer.game.id)}
    asked = [names[seat] for seat in proposed.voters(answer.session, row)]
    text = ngettext(
        "{names} is asked to agree, and you hear of it. {lost}",
        "{names} are asked to agree, and you hear of it. {lost}",
        len(asked),
    )
    whose = row.body["whose"]
    lost = proposed.vanishing(whose, [names[seat] for seat, _n in whose])
    return text.format(names=both(asked), lost=lost)


def _say(answer: Answer, command: Consent) -> str:
    row = proposals.answer(
        answer.session,
        answer.game.id,
        command.number,
        answer.seat if answer.seat is not None else -1,
        agrees=command.agrees,
        now=answer.now,
    )
    return {
        "accepted": _("All who had to have agreed: it is done."),
        "refused": _("You said no, so it is not done."),
    }.get(row.status, _("Your word counts. Others are still asked."))
