"""The rulebook before the first move: numbers, regions, cards (R2, R3, R5, R6)."""

from core.game.narrate.wording import both, plant_use
from core.game.phases.setup import LOW_PLANTS, OPENING_MARKET
from core.game.rulebook.model import Chapter, Grid, Rule, Told, rule
from core.text import _


def numbers(told: Told) -> Chapter:
    """What hangs on the number of players."""
    rows = {
        _("regions in play"): "regions_in_play",
        _("plants put away unseen"): "boxed_plants",
        _("beside those, plants up to {last}").format(last=LOW_PLANTS[-1]): "boxed_low_plants",
        _("plants that one may own"): "plant_limit",
        _("cities that start Step 2"): "step2_cities",
        _("cities that end the game"): "end_cities",
    }
    grid = Grid(
        (_("players"), *map(str, told.counts)),
        tuple(
            (what, *(str(told.at(key, n)) for n in told.counts))
            for what, key in rows.items()
            if key != "boxed_low_plants" or any(told.rules.boxed_low_plants)
        ),
    )
    return Chapter(
        _("Numbers"),
        (
            rule("R2.1", _("These numbers hang on how many play."), grid=grid),
            rule(
                "R3.2",
                _("Everybody begins with {money} Elektro and nothing else.").format(
                    money=told.rules.starting_elektro
                ),
            ),
        ),
    )


def start(told: Told) -> Chapter:
    """Regions, seats, cards."""
    return Chapter(
        _("Before the first round"),
        (
            _regions(told),
            rule("R3.3", _("Seats and the first turn order are drawn by chance.")),
            _opening(told),
            _stack(told),
        ),
    )


def _regions(told: Told) -> Rule:
    chosen = {
        "random": _("{n} regions are drawn by chance."),
        "host": _("The host chooses {n} regions."),
        "draft": _("In turn order the players choose a region each, until there are {n}."),
    }[told.rules.region_choice]
    elsewhere = {
        False: _("Elsewhere nothing is built, and no connection may be used."),
        True: _("Elsewhere nothing is built, but connections may be used."),
    }[told.rules.cross_unselected_region]
    return rule(
        "R3.1",
        chosen.format(n=told.of("regions_in_play")),
        _("All their cities reach each other inside them. They belong to nobody."),
        elsewhere,
    )


def _opening(told: Told) -> Rule:
    rules = told.rules
    removed = _("Not in the game: plants {plants}.").format(
        plants=both(map(str, rules.removed_plants))
    )
    in_game = sorted({p.number for p in rules.plants} - set(rules.removed_plants))
    if rules.deck_setup == "fixed_3_10":
        open_cards = _("Plants {plants} lie open.").format(
            plants=both(map(str, in_game[:OPENING_MARKET]))
        )
    else:
        open_cards = _("Eight of the plants up to {last} are dealt and lie open.").format(
            last=LOW_PLANTS[-1]
        )
    always = _("Sure to be among them: {plants}.").format(
        plants=both(map(str, rules.always_in_market))
    )
    return rule(
        "R3.5",
        removed if rules.removed_plants else "",
        open_cards,
        always if rules.always_in_market else "",
    )


def _stack(told: Told) -> Rule:
    rules = told.rules
    boxed = _("Of the others {n} are put away unseen.").format(n=told.of("boxed_plants"))
    if rules.deck_setup == "fixed_3_10":
        top = _("Plant {plant} lies on top of the stack.").format(plant=rules.first_plant)
        top = top if rules.first_plant is not None else ""
    else:
        boxed = _(
            "Put away unseen: {high} of the plants above {last}, {low} of the others."
        ).format(high=told.of("boxed_plants"), low=told.of("boxed_low_plants"), last=LOW_PLANTS[-1])
        top = _("One more plant up to {last} is dealt face down onto the stack.").format(
            last=LOW_PLANTS[-1]
        )
    return rule("R3.6", boxed, _("The rest is shuffled; the Step 3 card lies at the bottom."), top)


def plants(told: Told) -> Chapter:
    """The plants, and how their market works."""
    listed = sorted(told.rules.plants, key=lambda plant: plant.number)
    grid = Grid((_("plant"), _("a round")), tuple((str(p.number), plant_use(p)) for p in listed))
    sorting = {
        "full_sort": _("A plant that is drawn is sorted in, smallest first, over both rows."),
        "future_first": _(
            "A plant that is drawn goes to the future market. If there is a gap in the actual "
            "market, the smallest future plant fills it; if not, all stay where they are."
        ),
    }[told.rules.market_insert]
    return Chapter(
        _("Plants and their market"),
        (
            rule(
                "R5.2",
                _("A plant runs once a round with exactly its fuel, or not at all."),
                _("A plant for two fuels takes any mix. Without a fuel it runs for nothing."),
                grid=grid,
            ),
            rule(
                "R6.1",
                _("Four plants are the actual market and can be bought; four are to come."),
                _("In Step 3 there are up to six, and all can be bought."),
            ),
            rule(
                "R6.2",
                _("A plant that is gone is replaced from the stack at once, while there is one."),
                sorting,
            ),
            rule("R6.3", _("Plants that were bought, given up or put away never come back.")),
        ),
    )
