"""What the templates of some kinds need beyond the letter itself."""

from functools import singledispatch
from typing import Any

from core.game.narrate.wording import both, victory
from core.game.notation import text
from core.mail.letter import End, Help, Invite, Start, Topic, Turn
from core.mail.page import Page
from core.mail.words import with_bot
from core.text import _, ngettext


@singledispatch
def extras(topic: Topic, _page: Page | None) -> dict[str, Any]:
    """More names for the templates of this topic; most need none."""
    return {}


@extras.register
def _turn(topic: Turn, _page: Page | None) -> dict[str, Any]:
    return {"silence": text(topic.default, topic.table.view.ruleset)}


@extras.register
def _start(topic: Start, _page: Page | None) -> dict[str, Any]:
    seats = [topic.table.seats[seat] for seat in topic.table.view.order]
    names = [with_bot(seat.name, seat.bot) for seat in seats]
    return {"names": names, "first": names[0]}


@extras.register
def _end(topic: End, _page: Page | None) -> dict[str, Any]:
    names, standings = topic.table.names, topic.table.view.standings
    ties = topic.table.view.ruleset.tie_breaks
    return {
        "winners": [names[s.seat] for s in standings if s.place == 1],
        "verdict": victory(standings, ties, lambda seat: names[seat]) if standings else "",
    }


@extras.register
def _invite(topic: Invite, _page: Page | None) -> dict[str, Any]:
    free = ngettext("{n} place is free.", "{n} places are free.", topic.free).format(n=topic.free)
    seated = _("At the table: {names}; {free}").format(names=both(topic.seated), free=free)
    return {"seated": seated}


@extras.register
def _help(_topic: Help, _page: Page | None) -> dict[str, Any]:
    return {
        "commands_help": [
            ("region North", _("add a region, where players choose them")),
            ("auction 13 for 15", _("put plant 13 up, opening at 15")),
            ("bid 18", _("raise; in a sealed auction your secret maximum")),
            ("pass", _("drop out, or decline to open")),
            ("discard 4", _("which plant goes")),
            ("discard 4 keep 3 coal", _("the same, where the fuel leaves a choice")),
            ("buy 3 coal 1 oil", _("the whole purchase of this round")),
            ("buy nothing", _("no purchase")),
            ("build Erfurt, Halle", _("in this order; beginnings of names will do")),
            ("build nothing", _("no building")),
            ("power 13 20", _("plants to run")),
            ("power all", _("most cities with least fuel")),
            ("power 5 with 1 coal 1 oil", _("choose a hybrid's mix")),
            ("power nothing", _("run no plant")),
            ("undo", _("take your last move back, if it may be")),
            ("ok 7", _("agree to proposal 7; no 7 to refuse it")),
            ("limit 20 to 26", _("standing order: bid by itself, up to 26")),
            ("order auction 13 to 26", _("what to bid on in this round, else pass")),
            ("order fuel all keep 20", _("fill your plants as far as it goes")),
            ("order build Halle at most 30", _("in order of wish, as far as it goes")),
            ("order power all every round", _("always most cities with least fuel")),
            ("orders", _("mail me my standing orders")),
            ("cancel 3", _("take standing order 3 back")),
            ("ready", _("no more plans for this round")),
            ("vacation 5 days", _("your clocks stand still from now")),
            ("vacation end", _("you are back")),
            ("status", _("mail me the position")),
            ("help", _("mail me these commands")),
            ("chat …", _("a line for the table")),
        ]
    }
