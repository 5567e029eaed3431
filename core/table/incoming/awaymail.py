"""Vacations by mail: ``vacation 5 days``, and ``vacation end`` for who is back."""

from core.mail.commands import GoAway
from core.store.tables import User
from core.table.away import vacation
from core.table.errors import TableError
from core.table.incoming.answering import Answer
from core.text import _
from core.when import exact


def act(command: GoAway, number: int, answer: Answer) -> None:
    """Enter or end the sender's vacation, for all his tables, and answer."""
    if answer.user is None:
        return
    said = _said(command)
    try:
        remark = _done(command, answer, answer.user)
    except TableError as error:
        answer.owe("refused", number, said=said, reason=str(error))
    else:
        answer.owe("done", number, said=said, remark=remark)


def _said(command: GoAway) -> str:
    if not command.days:
        return "vacation end"
    return f"vacation {command.days} {'day' if command.days == 1 else 'days'}"


def _done(command: GoAway, answer: Answer, user: User) -> str:
    session, now = answer.session, answer.now
    if not command.days:
        if vacation.end(session, user, now):
            return _("Welcome back: your clocks run again.")
        return _("You are on no vacation.")
    row = vacation.take(session, user, vacation.Plan(command.days), now)
    until = exact(row.ends_at, user.zone, user.locale)
    text = _(
        "Your clocks stand still until {until}; answer “vacation end” if you are back before."
    ).format(until=until)
    deaf = vacation.deaf_tables(session, user)
    if not deaf:
        return text
    more = _("These tables were opened without vacations, so their clocks run on: {titles}")
    return f"{text} {more.format(titles=', '.join(deaf))}"
