"""By which rules and clocks a table plays: for lists, invitations, pages and mails (M30)."""

from core.game.rules.knobs import Ruleset
from core.mail.words import hours
from core.statuses import GameStatus
from core.store.tables import Game
from core.table.notify.moved_deadlines import grace_hours
from core.table.record.deadlines import terms_of
from core.terms import expected_days
from core.text import _, ngettext


def terms(rules: Ruleset, game: Game) -> tuple[str, ...]:
    """Return sentences on map and rules, players and their regions, auction, money."""
    numbers = rules.numbers(game.players)
    players = _("{map}, rules “{variant}”, {n} players.").format(
        map=_(rules.map.name), variant=_(rules.variant_name), n=game.players
    )
    regions = {
        "random": _("{n} connected regions are drawn by chance."),
        "host": _("The host has chosen the {n} regions."),
        "draft": _("The players choose the {n} regions in turn."),
    }[rules.region_choice].format(n=numbers.regions)
    auction = _("Open auctions: one bid after the other, until all others have passed.")
    if rules.auction == "sealed":
        auction = _(
            "Sealed auctions: everybody gives a secret maximum at once, and the highest pays no "
            "more than it takes to win."
        )
    hidden = rules.hidden_money
    money = _("Money is hidden.") if hidden else _("Everybody sees everybody's money.")
    return players, regions, auction, money


def times(game: Game, people: int | None = None) -> str:
    """Return all time settings of a table, and who may join, in one line.

    `people`: its players without bots, if known.
    """
    terms, said = terms_of(game), [clock(game)]
    if terms.deadlines_enforced:
        if terms.windows:
            said.append(_("each player may set the hours in which his clock runs"))
        if terms.weekends_off:
            said.append(_("weekends off"))
        stops = _("vacations and pauses stop clocks")
        said.append(stops if terms.vacation else _("no vacations, no pauses"))
        if terms.on_miss == "draft":
            said.append(_("a saved draft is played when time is over"))
    if terms.planning == "round":
        said.append(_("each round is planned ahead"))
    said.append(expected(game, people))
    if least := terms.least_reliability:
        said.append(_("for players who answer {n} % of turns in time").format(n=least))
    return " · ".join(said if terms.rated else [*said, _("unrated")])


def stakes(game: Game) -> str:
    """Return whether the result counts for ratings, and if not, why (M48)."""
    if game.imported:
        return _("unrated: it was played elsewhere")
    if game.status == GameStatus.ABANDONED:
        return _("unrated: it was ended before its end")
    if game.private:
        return _("unrated: private games do not count")
    if not terms_of(game).rated:
        return _("unrated, as agreed when the table was opened")
    return _("rated, where at least two people play")


def clock(game: Game) -> str:
    """Return how much time a turn has, as a list says it."""
    terms = terms_of(game)
    if not terms.deadlines_enforced:
        return _("no clock: the table waits for everybody")
    if terms.clock == "bank":
        text = _("{bank} at the start and {more} more for each turn, {cap} at most").format(
            bank=hours(terms.bank_hours),
            more=hours(terms.increment_hours),
            cap=hours(terms.cap_hours),
        )
    else:
        text = _("{time} a turn").format(time=hours(game.turn_hours))
    if not terms.graces:
        return text
    grace = ngettext(
        "once a game {hours} more for who is late",
        "{n} times a game {hours} more for who is late",
        terms.graces,
    ).format(n=terms.graces, hours=hours(grace_hours(game)))
    return f"{text}, {grace}"


def expected(game: Game, people: int | None = None) -> str:
    """Return about how long the game will take (M25)."""
    auction = str(game.options.get("auction", "sealed"))
    days = expected_days(terms_of(game), game.turn_hours, people or game.players, auction)
    return ngettext("a game of about one day", "a game of about {n} days", days).format(n=days)
