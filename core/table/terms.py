"""By which rules a table plays, in sentences: for invitations, start mails and pages (M30)."""

from core.game.rules.model import Ruleset
from core.store.tables import Game
from core.text import _


def terms(rules: Ruleset, game: Game) -> tuple[str, ...]:
    """Map and rules, players and their regions, auction, money."""
    numbers = rules.numbers(game.players)
    players = _("{map}, rules “{variant}”, {n} players.").format(
        map=rules.map.name, variant=rules.variant_name, n=game.players
    )
    return (players, _regions(rules, numbers.regions), _auction(rules), _money(rules))


def _regions(rules: Ruleset, count: int) -> str:
    sentences = {
        "random": _("{n} connected regions are drawn by chance."),
        "host": _("The host has chosen the {n} regions."),
        "draft": _("The players choose the {n} regions in turn."),
    }
    return sentences[rules.region_choice].format(n=count)


def _auction(rules: Ruleset) -> str:
    if rules.auction == "sealed":
        return _(
            "Sealed auctions: everybody gives a secret maximum at once, and the highest pays no "
            "more than it takes to win."
        )
    return _("Open auctions: one bid after the other, until all others have passed.")


def _money(rules: Ruleset) -> str:
    return _("Money is hidden.") if rules.hidden_money else _("Everybody sees everybody's money.")
