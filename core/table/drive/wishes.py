"""What a person can ask for by mail beside moves: their own settings, their place, their table.

Each function does one verb of core.mail.verbs and returns the sentence that answers it; what does
not go is a TableError, as on the pages.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final
from zoneinfo import available_timezones

from core.game.rules import catalog
from core.game.types import Seat
from core.lists import sentences
from core.mail.kinds import MailKind
from core.mail.sender import the_address
from core.mail.verbs import Wish
from core.statuses import GameStatus
from core.store.tables import Game, User
from core.table.acts import absence, invitations, lobby, proposals, rematch
from core.table.drive.mail_commands import Answer
from core.table.notify import modes
from core.table.people import accounts
from core.table.record import turns
from core.table.record.errors import TableError
from core.text import _, one_line
from core.when import exact


def do(wish: Wish, number: int, answer: Answer) -> None:
    """Do what is asked for, and answer it."""
    user = answer.user
    if user is None:
        answer.refuse(wish.verb, _("Accept the invitation first; then this works, too."))
        return
    said = f"{wish.verb} {wish.rest}".rstrip()
    if wish.verb in _MAILS:
        _send(wish, number, answer, said)
    else:
        answer.attempt(number, said, lambda: _WISHES[wish.verb](answer, user, wish.rest))


_MAILS: Final = ("map", "show", "resend")


def _send(wish: Wish, number: int, answer: Answer, said: str) -> None:
    """Owe the mail that is asked for."""
    game = answer.table
    if game is None or game.started_at is None:
        answer.refuse(said, _("The game has not begun; there is nothing to show yet."))
    elif wish.verb == "show":
        upto = int(wish.rest)
        if upto > game.seq:
            text = _("The log has {n} events so far.")
            answer.refuse(said, text.format(n=game.seq))
        else:
            answer.owe(MailKind.STATUS, number, upto=upto)
    elif wish.verb == "resend" and answer.seat is not None:
        asked = turns.current_turn(answer.session, game.id, Seat(answer.seat))
        kind = MailKind.STATUS if asked is None else MailKind.TURN
        answer.owe(kind, number, turn=asked.turn if asked else None)
    else:
        answer.owe(MailKind.STATUS, number)


def _demand_table(answer: Answer) -> Game:
    if answer.table is None:
        text = _("Which table? Answer a mail about it; “tables” names yours.")
        raise TableError("no-table", text)
    return answer.table


def _tables(answer: Answer, user: User, rest: str) -> str:
    told = []
    for game, _mode in modes.tables(answer.session, user):
        asked = [t for t in turns.asked(answer.session, game.id) if t.user_id == user.id]
        what = _("has not begun") if game.status == GameStatus.OPEN else _("others are asked")
        if asked:
            due = exact(asked[0].deadline, user.zone, user.locale)
            what = _("waits for you until {due}").format(due=due)
        told.append(_("{title} (table {id}): {what}.").format(
            title=one_line(game.title), id=game.id, what=what
        ))  # fmt: skip
    return sentences(told) or _("You sit at no table. “open” opens one.")


def _join(answer: Answer, user: User, rest: str) -> str:
    wanted = int(re.sub(r"\D", "", rest))
    game = answer.session.get(Game, wanted)
    if game is None or not lobby.may_see(answer.session, game, user):
        raise TableError("no-such-table", _("There is no open table of that number."))
    lobby.join(answer.session, game, user, answer.now)
    return _("You have a place at “{title}”. The rest comes by mail.").format(title=game.title)


def _open(answer: Answer, user: User, rest: str) -> str:
    old = answer.table
    many = re.search(r"(?:^| )for ([2-6])(?: players| people)?$", rest)
    rest = rest[: many.start()] if many else rest
    title = rest or _("Table of {name}").format(name=user.name)
    settings = lobby.TableSettings(title=title, map=catalog.maps()[0].key, private=True)
    if old is not None:
        settings = lobby.TableSettings(
            title=title, map=old.map, variant=old.variant, players=old.players,
            turn_hours=old.turn_hours, private=True,
        )  # fmt: skip
    if many:
        settings = replace(settings, players=int(many[1]))
    game = lobby.create_table(answer.session, user, settings, answer.now)
    answer.about(game)
    return _(
        "Your table “{title}” (number {id}) is open, for {n} players. Answer this mail with "
        "“invite Ann <ann@example.org>”, a line for each; with “begin” once all places are taken."
    ).format(title=game.title, id=game.id, n=game.players)


def _invite(answer: Answer, user: User, rest: str) -> str:
    game = _demand_table(answer)
    if game.host_id != user.id:
        raise TableError("not-the-host", _("Only the host of this table can do that."))
    rest += ">" if "<" in rest and ">" not in rest else ""  # reading trims the end of a line
    address = the_address(rest) or the_address(rest.split()[-1])
    name = rest.partition("<")[0].strip(" \"'") if "<" in rest else ""
    row = invitations.invite(answer.session, game, address or rest, name, answer.now)
    posted = invitations.posted(answer.session, row)
    told = _("{who} is invited by mail.") if posted else _("{who} finds the invitation here.")
    return told.format(who=row.name or row.email)


def _begin(answer: Answer, user: User, rest: str) -> str:
    game = _demand_table(answer)
    if not lobby.may_begin(answer.session, game, user, answer.now):
        raise TableError("not-the-host", _("Only the host of this table can do that."))
    lobby.start(answer.session, game, answer.now)
    answer.ring(game.id)
    return _("The game begins. Everybody gets a mail.")


def _rematch(answer: Answer, user: User, rest: str) -> str:
    game = rematch.rematch(answer.session, _demand_table(answer), user, answer.now)
    answer.about(game)
    return _(
        "The table is open once more (number {id}), and the others are asked. Once all have come, "
        "answer this mail with “begin”."
    ).format(id=game.id)


def _leave(answer: Answer, user: User, rest: str) -> str:
    game = _demand_table(answer)
    if game.status == GameStatus.OPEN:
        lobby.leave(answer.session, game, user, answer.now)
        return _("You have given up your place at the table.")
    if answer.seat is None:
        raise TableError("no-seat", _("You have no seat in this game."))
    absence.resign(answer.session, game.id, answer.seat, "", answer.now)
    answer.ring(game.id)
    return _("You have left the game. Until somebody else has your seat, “status” brings you back.")


def _host(kind: str) -> Callable[[Answer, User, str], str]:
    def act(answer: Answer, user: User, rest: str) -> str:
        game = _demand_table(answer)
        found = re.search(r"\d+", rest) if kind == "extend" else None
        hours = int(found[0]) if found else 0
        if found and re.match(r" ?d", rest[found.end() :]):
            hours *= 24
        words = rest[found.end() :] if found else rest
        reason = re.sub(r"^ ?(?:hours?|days?|h|d)\b", "", words).strip(" :,-") or _("by mail")
        row = proposals.act_as_host(
            answer.session, game.id, user, kind, {"reason": reason, "hours": hours}, answer.now
        )
        answer.ring(game.id)
        if row is not None:
            return _("The others at the table are asked whether they agree.")
        return _HOST_TOLD[kind]()

    return act


_HOST_TOLD: Final[Mapping[str, Callable[[], str]]] = {
    "pause": lambda: _("All clocks stand still. “resume” lets them run again."),
    "resume": lambda: _("The clocks run again."),
    "extend": lambda: _("Who is asked has that much more time."),
}


def _mail(answer: Answer, user: User, rest: str) -> str:
    named = rest.casefold()
    mode = {"on": "instant", "daily": "digest", "gathered": "batched"}.get(named, named)
    if mode == "off":
        modes.no_turns(answer.session, user, answer.now)
        return _("No more turn mails. “mail on” brings them back.")
    modes.all_on(answer.session, user, mode, answer.now)
    if mode == "digest":
        return _("From now on one mail a day names all tables that wait for you.")
    return _("From now on a mail comes for each turn.")


def _quiet(answer: Answer, user: User, rest: str) -> str:
    times = re.findall(r"(\d{1,2})(?:[:.h](\d\d))?(?: ?(am|pm))?", rest.casefold())
    quiet = None
    if times:
        minutes = [
            (int(h) % 12 + 12 * (half == "pm") if half else int(h)) * 60 + int(m or 0)
            for h, m, half in times[:2]
        ]
        quiet = (minutes[0], minutes[1] % (24 * 60))
    modes.change(answer.session, user, modes.settings_of(user, quiet), answer.now)
    if quiet is None:
        return _("There are no quiet hours any more.")
    return _("No mails between {start} and {end} by your clock ({zone}).").format(
        start=_clock(quiet[0]), end=_clock(quiet[1]), zone=user.zone
    )


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _zone(answer: Answer, user: User, rest: str) -> str:
    key = rest.casefold().replace(" ", "_").strip("_.")
    zones = sorted(available_timezones())
    found = [z for z in zones if z.casefold() == key]
    found = found or [z for z in zones if z.casefold().rpartition("/")[2] == key]
    if not found:
        raise TableError("zone-unknown", _(
            "There is no time zone of that name. Write it as in “zone Europe/Berlin”."
        ))  # fmt: skip
    _change(answer, user, zone=found[0])
    return _("Times are told by {zone} from now on: it is {now} there.").format(
        zone=user.zone, now=exact(answer.now, user.zone, user.locale)
    )


def _name(answer: Answer, user: User, rest: str) -> str:
    _change(answer, user, name=rest)
    return _("You are called {name} from now on; running games keep the old name.").format(
        name=user.name
    )


def _change(answer: Answer, user: User, name: str = "", zone: str = "") -> None:
    profile = accounts.Profile(
        name or user.name, zone or user.zone, user.locale, user.share_private
    )
    accounts.change_profile(answer.session, user, profile)


def introduce(answer: Answer, user: User) -> None:
    """Take zone and name of somebody who never chose any from the mail that they write."""
    mail = answer.mail
    if accounts.is_nameless(user) and mail.name:
        try:
            with answer.session.begin_nested():
                _change(answer, user, name=mail.name)
        except TableError:
            return  # a name without ink, or too long: they keep the neutral one
    if user.zone == "UTC" and mail.sent is not None and (off := mail.sent.utcoffset()):
        hours = off.total_seconds() / 3600
        if hours == int(hours):
            user.zone = f"Etc/GMT{-int(hours):+d}"
            answer.session.add(user)


_WISHES: Final[Mapping[str, Callable[[Answer, User, str], str]]] = {
    "tables": _tables,
    "join": _join,
    "open": _open,
    "invite": _invite,
    "begin": _begin,
    "rematch": _rematch,
    "leave": _leave,
    "resign": _leave,
    "pause": _host("pause"),
    "resume": _host("resume"),
    "more": _host("extend"),
    "mail": _mail,
    "quiet": _quiet,
    "zone": _zone,
    "name": _name,
}
