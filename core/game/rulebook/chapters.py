"""The rulebook before the first move: numbers, regions, cards (R2, R3, R5, R6)."""

from core.game.board import deck
from core.game.board.deck import LOW_PLANTS
from core.game.narrate.wording import fuel_name, plant_use
from core.game.rulebook.model import COUNTS, Chapter, Grid, Row, Rule, Told, rule
from core.game.rules.knobs import Track
from core.game.types import PlantNumber, Resource
from core.lists import both, chain, series
from core.text import _


def numbers(told: Told) -> Chapter:
    """Return what hangs on the number of players."""
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
    removed = {players: rules.removed(players) for players in told.counts}
    if len(set(removed.values())) == 1:
        out = [_("Not in the game: plants {plants}.").format(plants=_plants(p)) for p in
               removed.values() if p][:1]  # fmt: skip
    else:
        text = _("Not in a game of {players}: plants {plants}.")
        out = [text.format(players=n, plants=_plants(p)) for n, p in removed.items() if p]
    in_game = deck.in_game(rules, told.counts[0])
    if rules.deck_setup == "fixed_3_10":
        open_cards = _("Plants {plants} lie open.").format(
            plants=both(map(str, in_game[: sum(rules.market_rows)]))
        )
    else:
        dealt = sum(rules.market_rows)
        text = _("Eight of the plants up to {last} are dealt and lie open.")
        if dealt != 8:
            text = _("{n} of the plants up to {last} are dealt and lie open.")
        open_cards = text.format(n=dealt, last=LOW_PLANTS[-1])
    always = _("Sure to be among them: {plants}.").format(
        plants=both(map(str, rules.always_in_market))
    )
    return rule(
        "R3.5",
        *out,
        open_cards,
        always if rules.always_in_market else "",
    )


def _plants(numbers: tuple[PlantNumber, ...]) -> str:
    return both(map(str, numbers))


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
    shuffled = _("The rest is shuffled; the Step 3 card lies at the bottom.")
    return rule("R3.6", boxed) if rules.stack else rule("R3.6", boxed, shuffled, top)


def plants(told: Told) -> Chapter:
    """Return the plants, and how their market works."""
    listed = sorted(told.rules.with_plants_of(()).plants, key=lambda plant: plant.number)
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
                *_rows(told),
            ),
            rule(
                "R6.2",
                _("A plant that is gone is replaced from the stack at once, while there is one."),
                sorting,
            ),
            rule("R6.3", _("Plants that were bought, given up or put away never come back.")),
        ),
    )


def _rows(told: Told) -> tuple[str, str]:
    actual, future = told.rules.market_rows
    if (actual, future) == (4, 4):
        first = _("Four plants are the actual market and can be bought; four are to come.")
    else:
        first = _(
            "{actual} plants are the actual market and can be bought; {future} are to come."
        ).format(actual=actual, future=future)
    last = _("In Step 3 there are up to six, and all can be bought.")
    if actual + future < 8:
        last = _("In Step 3 there are up to {n}, and all can be bought.").format(
            n=actual + future - 2
        )
    return first, last


def order(told: Told) -> Chapter:
    """Return what a round is, and who comes first in it."""
    tie = {
        "highest_plant": _("A tie goes to the one with the highest plant."),
        "plant_count": _("A tie goes to the one with more plants, then to the highest plant."),
    }[told.rules.order_tiebreak]
    again = {
        True: _("In round 1 the order is made anew after the auctions, by the plants bought."),
        False: _("The order drawn for round 1 stands for the whole round."),
    }[told.rules.reorder_after_first_auction]
    end = {
        "pay_fuel_plants": _("plants run and are paid, fuel comes, the plant market moves on"),
        "pay_plants_fuel": _("plants run and are paid, the plant market moves on, fuel comes"),
    }[told.rules.phase5_order]
    return Chapter(
        _("A round, and turn order (phase 1)"),
        (
            rule(
                "R7.1",
                _(
                    "A round has five phases: turn order, auctions, buying fuel, building, and "
                    "bureaucracy ({end})."
                ).format(end=end),
            ),
            rule("R7.2", _("Who has most cities is first."), tie),
            rule("R7.9", again),
        ),
    )


def auctions(told: Told) -> Chapter:
    """Phase 2."""
    rules = told.rules
    row = rules.no_sale_row == "actual"
    no_sale = {
        0: _("When nobody has bought a plant, none leaves the game for that."),
        1: _(
            "When nobody has bought a plant, the smallest one leaves the game and is replaced."
        ) if not row else _(
            "When nobody has bought a plant, the smallest one of the actual market leaves the game "
            "and is replaced."
        ),
        2: _(
            "When nobody has bought a plant, the smallest one leaves the game and is replaced, "
            "then the next."
        ) if not row else _(
            "When nobody has bought a plant, the smallest one of the actual market leaves the game "
            "and is replaced, then the next."
        ),
    }[rules.no_sale_boxes]  # fmt: skip
    first = {
        "round_1": _("In round 1 everybody buys a plant: who has to open may not pass."),
        "never": _("Passing is allowed in round 1, too."),
        "always": _("A player who can pay for a plant may not pass instead of opening."),
    }[rules.opener_must_open]
    return Chapter(
        _("Auctions (phase 2)"),
        (
            rule(
                "R7.3",
                _("In turn order, a player puts up a plant of the actual market, or passes."),
                _("Who passes here is out for the phase: he puts nothing up and bids no more."),
                _("The lowest bid is the plant's number."),
            ),
            rule(
                "R7.4",
                _("Nobody buys more than one plant a round."),
                _("If somebody else wins, the same player may put up another plant."),
            ),
            _bidding(told),
            rule("R7.8", first),
            rule("R7.10", no_sale),
            *_too_many(told),
            *_token(told),
        ),
    )


def _bidding(told: Told) -> Rule:
    way = {
        "clockwise": _("Bids go round clockwise, by seat."),
        "turn_order": _("Bids go round in turn order."),
    }[told.rules.bid_direction]
    sentences: tuple[str, ...]
    if told.rules.auction == "open":
        sentences = (
            _("Each raises by 1 Elektro or more, or passes and is out of this auction only."),
            _("The last one left pays his bid."),
        )
    else:
        sentences = (
            _("Everybody gives a secret maximum at once, or passes."),
            _(
                "Then the bids are made for them, each time 1 Elektro more, as far as the maxima "
                "go: the winner pays no more than it takes."
            ),
            {
                "at_end": _("What the winner would have paid at most is told when the game ends."),
                "at_once": _("All maxima are told with the sale."),
            }[told.rules.reveal_sealed_bids],
        )
    return rule("R7.5", *sentences, way, _("Nobody bids more than he has."))


def _too_many(told: Told) -> tuple[Rule, ...]:
    which = {
        "old_only": _("Who has more gives up one of those he had before."),
        "any": _("Who has more gives up any of them, the new one included."),
    }[told.rules.discard_choice]
    fuel = {
        "may": _("Its fuel may move to plants that have room; what finds none is lost."),
        "must": _("Its fuel must move to plants that have room; what finds none is lost."),
    }[told.rules.discard_fuel_move]
    return (
        rule("R7.11", _("One may own {n} plants.").format(n=told.of("plant_limit")), which),
        rule("R7.12", fuel, _("Where that is a choice, the owner makes it.")),
    )


def _token(told: Told) -> tuple[Rule, ...]:
    if not told.rules.discount_token:
        return ()
    return (
        rule(
            "R17.3",
            _("When the auctions begin, a token lies on the smallest plant."),
            _("With the token its lowest bid is 1 Elektro."),
            _("When that plant is put up, the token is gone for the round."),
            _("If a smaller plant is drawn, that plant and the token go, and another is drawn."),
            _("If the token still lies there in the end, its plant leaves and is replaced."),
        ),
    )


STEPS = (1, 2, 3)


def market(told: Told) -> Chapter:
    """Prices, what lies there at the start, what comes."""
    return Chapter(
        _("Fuel market"),
        (
            rule(
                "R4.1",
                _("Each token costs what its place says; the cheapest is sold first."),
                grid=_prices(told),
            ),
            rule("R4.4", _refill_words(told), _stop(told), grid=_refill(told)),
            rule(
                "R4.5",
                _("Tokens fill the dearest free places first."),
                _("If the supply is short, what is there comes; nothing is owed."),
            ),
            rule("R4.6", _("Fuel that was burned or lost goes to the supply, not to the market.")),
        ),
    )


def buying(told: Told) -> Chapter:
    """Phase 3."""
    price = told.rules.coal_overflow_price
    overflow = _(
        "Once the market has no coal, the supply sells it for {price} Elektro a token, also "
        "within one purchase."
    )
    return Chapter(
        _("Buying fuel (phase 3)"),
        (
            rule(
                "R8.1",
                _("The last in turn order begins."),
                _("Each buys once, as much as he likes and can pay."),
            ),
            rule(
                "R8.2",
                _("A plant holds twice what it burns, and only fuel that it burns."),
                _("Fuel may be moved between one's own plants at any time."),
                _(
                    "A plant burns only what lies on it: before plants run, all fuel is laid out "
                    "once."
                )
                if told.rules.burn_own_storage
                else _("A plant may burn fuel that lies on another."),
            ),
            rule(
                "R8.3",
                _("Only fuel that one can store is sold. Nobody sells, trades or gives fuel away."),
                _("What the market has not is sold out for the round."),
                overflow.format(price=price) if price is not None else "",
            ),
        ),
    )


def _prices(told: Told) -> Grid:
    head = (_("fuel"), _("prices, from the cheapest"), _("tokens in all"), _("at the start"))
    rules = told.rules
    return Grid(
        head,
        tuple(
            _track(_in(name, r), track, rules.tracks[r].tokens if at == 0 else None)
            for at, (name, tracks) in enumerate(zip(rules.market_names, rules.markets, strict=True))
            for r, track in tracks.items()
        ),
    )


def _in(market: str, resource: Resource) -> str:
    name = fuel_name(resource)
    return _("{fuel}, {market}").format(fuel=name, market=market) if market else name


def _track(name: str, track: Track, tokens: int | None) -> Row:
    places = sorted(set(track.prices))
    prices = series(_place(price, track.prices.count(price)) for price in places)
    lying = sum(price >= track.start_from for price in track.prices)
    start = _("{n}, the cheapest at {price}")
    cheapest = min((p for p in track.prices if p >= track.start_from), default=0)
    return (
        name,
        prices,
        "" if tokens is None else str(tokens),
        start.format(n=lying, price=cheapest) if lying else _("none"),
    )


def _place(price: int, tokens: int) -> str:
    return str(price) if tokens == 1 else _("{n} at {price}").format(n=tokens, price=price)


def _refill(told: Told) -> Grid:
    """Return a line for each fuel: what Steps 1, 2, 3 bring."""
    first = COUNTS[0]
    rows = (
        (
            _in(name, resource),
            *(" / ".join(map(str, track.refill[players - first])) for players in told.counts),
        )
        for name, tracks in zip(told.rules.market_names, told.rules.markets, strict=True)
        for resource, track in tracks.items()
    )
    return Grid((_("Steps 1 / 2 / 3, players"), *map(str, told.counts)), tuple(rows))


def _refill_words(told: Told) -> str:
    return {
        "current": _("At the end of a round the fuel of the Step that the game is in comes."),
        "upcoming": _(
            "At the end of a round the fuel of the Step comes in which the next round will be."
        ),
    }[told.rules.refill_row]


def _stop(told: Told) -> str:
    plant = told.rules.uranium_stop_after
    if plant is None:
        return ""
    return _("Once plant {plant} has been bought, no more uranium comes.").format(plant=plant)


def building(told: Told) -> Chapter:
    """Phase 4."""
    rules = told.rules
    first, second, third = rules.house_costs
    begin = {
        True: _("One begins in any city in play that is still empty; there is no connection cost."),
        False: _("One begins in any city in play with a free place; there is no connection cost."),
    }[rules.first_city_must_be_empty]
    through = {
        True: _("A way may lead through any city, empty, full or foreign, for its connections."),
        False: _("A way may lead only through cities in which somebody has a house."),
    }[rules.pass_through_empty]
    return Chapter(
        _("Building (phase 4)"),
        (
            rule(
                "R9.1",
                _("The last in turn order begins. Each builds as much as he likes and can pay."),
            ),
            rule("R9.2", begin, _("Nobody has to build.")),
            rule(
                "R9.3",
                _("A city costs its house and the cheapest way from one's own network."),
                _(
                    "The first house in a city costs {first} Elektro, the second {second}, the "
                    "third {third}."
                ).format(first=first, second=second, third=third),
            ),
            rule(
                "R9.4",
                _("In Step 1 a city has one house, in Step 2 two, in Step 3 three."),
                _("A player builds once in a city."),
            ),
            rule("R9.5", through, _("Connections are paid again each time.")),
            rule(
                "R9.9",
                _("A player has houses for {n} cities.").format(n=rules.houses_per_player),
            ),
        ),
    )


def outgrown(told: Told) -> Chapter:
    """Plants that have become too small."""
    return Chapter(_("Plants that have become too small"), (_outgrown(told),))


def _outgrown(told: Told) -> Rule:
    rules = told.rules
    if rules.obsolete_timing == "off":
        return rule("R11.1", _("No plant becomes too small."))
    small = {
        ("lte", "leader"): _(
            "A plant is too small when its number is not above the cities of the player who has "
            "most."
        ),
        ("lte", "every_player"): _(
            "A plant is too small when its number is not above the cities of the player who has "
            "fewest."
        ),
        ("lt", "leader"): _(
            "A plant is too small when its number is below the cities of the player who has most."
        ),
        ("lt", "every_player"): _(
            "A plant is too small when its number is below the cities of the player who has fewest."
        ),
    }[rules.obsolete_compare, rules.obsolete_scope]
    rows = {
        "actual": _("The rule looks at the actual market."),
        "all": _("The rule looks at both rows of the market."),
    }[rules.obsolete_rows]
    when = {
        "always": _("It leaves the game at once, after any house and any card drawn."),
        "phase4": _("It leaves the game at once, but only while houses are built."),
        "phase5_once": _("It leaves the game in the bureaucracy of Steps 1 and 2."),
        "draws_only": _("It leaves the game when it is drawn, and only then."),
    }[rules.obsolete_timing]
    return rule(
        "R11.1",
        small,
        when,
        rows,
        _("It is replaced. Plants that somebody owns stay."),
    )


def bureaucracy(told: Told) -> Chapter:
    """Phase 5."""
    rules = told.rules
    less = {
        True: _("Plants may stay off, and fuel be kept."),
        False: _("One runs plants for as many cities as one can."),
    }[rules.may_underpower]
    least = {
        "least_fuel": _("“power all” burns the least fuel that powers as many cities."),
        "fewest_plants": _("“power all” runs the fewest plants that power as many cities."),
    }[rules.power_default]
    grid = Grid(
        (_("cities powered"), *map(str, range(len(rules.payment)))),
        ((_("Elektro"), *map(str, rules.payment)),),
    )
    return Chapter(
        _("Bureaucracy (phase 5)"),
        (
            rule("R10.1", _("All at once say which of their plants run."), less, least),
            rule(
                "R10.2",
                _("One is paid for cities that are powered, at most one's own."),
                grid=grid,
            ),
            rule("R10.5", _rotation(told), _late_rotation(told)),
        ),
    )


def _rotation(told: Told) -> str:
    return {
        "largest_under_stack": _(
            "In Steps 1 and 2 the largest future plant goes under the stack and is replaced."
        ),
        "obsolete_else_largest": _(
            "In Steps 1 and 2 plants that have become too small leave; only if there is none, "
            "the largest future plant goes under the stack and is replaced."
        ),
        "largest_but_wind": _(
            "In Steps 1 and 2 the largest future plant that burns something goes under the stack "
            "and is replaced; if there is none, the largest such plant of the actual market. The "
            "last plant of the deck goes, too."
        ),
    }[told.rules.rotation]


def _late_rotation(told: Told) -> str:
    return {
        "box_lowest": _("In Step 3 the smallest plant leaves the game and is replaced."),
        "obsolete_else_lowest": _(
            "In Step 3 plants that have become too small leave; only if there is none, the "
            "smallest plant leaves the game and is replaced."
        ),
        "none": _("In Step 3 the plant market stays as it is."),
    }[told.rules.step3_rotation]


def steps(told: Told) -> Chapter:
    """Step 2 and Step 3."""
    rules = told.rules
    begins = {
        "before_phase5": _(
            "Step 2 begins after the building phase in which somebody reaches {n} cities."
        ),
        "immediate": _("Step 2 begins with the house with which somebody reaches {n} cities."),
        "next_round": _("Step 2 begins with the round after somebody has reached {n} cities."),
    }[rules.step2_start]
    costs = {
        0: _("The market stays as it is."),
        1: _("The smallest plant of the market then leaves the game and is replaced."),
        2: _("The smallest plant of the market then leaves the game and is replaced, twice."),
    }[rules.step2_boxes]
    third = {
        "next_phase": _("Step 3 begins with the phase after the one in which its card is drawn."),
        "phase5": _("Step 3 begins with the bureaucracy after its card is drawn."),
        "next_round": _("Step 3 begins with the round after its card is drawn."),
    }[rules.step3_start]
    return Chapter(
        _("Steps"),
        (
            rule(
                "R12.1",
                begins.format(n=told.of("step2_cities")),
                costs,
                _("If Step 3 has begun before, there is no Step 2."),
            ),
            rule("R13.1", third),
            rule("R13.2", _card_in_auctions(told), _shuffle(told)),
            rule("R13.3", *_card_later(told)),
        ),
    )


def _card_in_auctions(told: Told) -> str:
    if told.rules.step3_start == "next_round":
        return _("Until then it lies in the market as its highest card.")
    return _(
        "Drawn in the auctions, it lies in the market as its highest card until they are over."
    )


def _card_later(told: Told) -> tuple[str, str]:
    left = sum(told.rules.market_rows) - 2
    text = _("When it leaves, the smallest plant leaves with it, and {n} plants are left.")
    if left == 6:
        text = _("When it leaves, the smallest plant leaves with it, and six plants are left.")
    gone = text.format(n=left)
    if told.rules.step3_start == "next_round":
        return _("It leaves the market when Step 3 begins."), gone
    moment = {
        "immediate": _("Drawn later, it leaves the market at once."),
        "end_of_phase": _(
            "Drawn while houses are built, it leaves the market when all have built; drawn in "
            "the bureaucracy, at once."
        ),
    }[told.rules.step3_cleanup_p4]
    return moment, gone


def _shuffle(told: Told) -> str:
    return {
        "on_draw": _("The stack is shuffled when the card is drawn."),
        "on_step3_start": _("The stack is shuffled when Step 3 begins."),
        "none": _("The stack is not shuffled again."),
    }[told.rules.step3_reshuffle]


def end(told: Told) -> Chapter:
    """Who wins, and what is hidden until then."""
    over = {
        "after_phase4": _(
            "The game ends with the building phase in which somebody reaches {n} cities; all "
            "still build in it."
        ),
        "immediate": _("The game ends with the very house with which somebody reaches {n} cities."),
    }[told.rules.end_timing]
    money = {
        True: _(
            "Money is hidden: players see only their own, until the game is over. All that is paid "
            "is open, so whoever adds up the log knows the rest."
        ),
        False: _("Everybody sees everybody's money."),
    }[told.rules.hidden_money]
    return Chapter(
        _("The end"),
        (
            rule(
                "R14.1",
                over.format(n=told.of("end_cities")),
                _("Nothing is paid any more."),
            ),
            _winner(told),
            rule(
                "R15.1",
                money,
                _("Plants, fuel and cities are open; the stack is not."),
            ),
        ),
    )


def _winner(told: Told) -> Rule:
    words = {"money": _("to most money"), "cities": _("to most cities")}
    ties = [words[measure] for measure in told.rules.tie_breaks if measure in words]
    broken = _("A tie goes {measures}.").format(measures=chain(ties))
    return rule(
        "R14.2",
        _("Who can power most cities with the fuel he has wins."),
        broken if ties else "",
        _("Who is still equal shares the place."),
    )
