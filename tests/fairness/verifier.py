"""A second verifier, written from docs/fairness.md alone; it imports nothing of Kraftpost."""

import hashlib
import hmac
import json
from itertools import combinations
from typing import Any

Event = dict[str, Any]
STEP_3 = 99
OLD = {
    "stack": [], "never_boxed": [], "step2_top_plants": [], "market_rows": [4, 4],
    "actual_row": "lowest", "market_lifecycle": "steps", "regions_touch": "yes",
    "step2_trigger": "cities", "blocked_places": None,
}  # fmt: skip
"""What a log of version 0.1 does not say."""


class Unfair(Exception):
    """A log that is not as its seed says: the event's number, and what does not fit."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"event {seq}: {what}")
        self.seq = seq


class Unsaid(Exception):
    """Rules whose regions the text does not lay out."""


class Stream:
    """The numbers of one purpose."""

    def __init__(self, seed: str, purpose: str) -> None:
        self.key, self.purpose, self.k = seed.encode(), purpose, 0

    def below(self, bound: int) -> int:
        while True:
            text = f"{self.purpose}:{self.k}".encode()
            self.k += 1
            word = int.from_bytes(hmac.new(self.key, text, hashlib.sha256).digest()[:8], "big")
            if word < 2**64 - 2**64 % bound:
                return word % bound


def shuffled(cards: list[Any], seed: str, purpose: str) -> list[Any]:
    deck, stream = list(cards), Stream(seed, purpose)
    for i in range(len(deck) - 1, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def check(text: str) -> None:
    """Raise Unfair at the first thing that does not fit."""
    events = [json.loads(line)["event"] for line in text.splitlines()[1:] if line.strip()]
    started = events[0]
    rules = started["ruleset"] = {**OLD, **started["ruleset"]}
    if rules["regions_touch"] != "yes":
        raise Unsaid
    seed = next((e["seed"] for e in reversed(events[-2:]) if "seed" in e), "")
    if not seed:
        raise Unfair(len(events), "no seed")
    for what, told, true in table(started, seed):
        if told != true:
            raise Unfair(1, what)
    course(events, seed)


def table(started: Event, seed: str) -> list[tuple[str, object, object]]:
    rules, seats = started["ruleset"], started["seats"]
    at = seats - 2
    text = seed if started["edition"] else f"{seed}:{','.join(map(str, started['stack']))}"
    removed = rules["removed_plants"]
    if removed and isinstance(removed[0], list):
        removed = removed[at]
    gone = [*removed, *rules["step2_top_plants"]]
    cards = sorted(p["number"] for p in rules["plants"] if p["number"] not in gone)
    deal = fixed if rules["deck_setup"] == "fixed_3_10" else dealt
    planned = rules["market_lifecycle"] == "supply_after_building"
    market, boxed, piles = ([], [], ([], [], [])) if planned else deal(rules, cards, at, seed)
    stack = laid_out(layers(rules), cards, piles, seed)
    if planned:
        market, stack = stack[:seats], stack[seats:]
    row = seats if planned else actual_row(rules, market)
    found = [
        ("commitment", started["commitment"], hashlib.sha256(text.encode()).hexdigest()),
        ("order", started["order"], shuffled(list(range(seats)), seed, "order")),
        ("stack", started["stack"], stack),
        ("boxed", started["boxed"], boxed),
        ("market", started["market"], {"actual": market[:row], "future": market[row:]}),
    ]
    if rules["region_choice"] == "random":
        found.append(("regions", started["regions"], regions(rules, at, seed)))
    return found


Piles = tuple[list[int], list[int], list[int]]
Deck = tuple[list[int], list[int], Piles]
LAYER = {
    "plants": [], "low": 0, "high": 0, "random": 0, "rest": False, "step3": False,
    "numbers": None, "ascending": False,
}  # fmt: skip


def layers(rules: Event) -> list[Event]:
    if rules["stack"]:
        return list(rules["stack"])
    last = [{**LAYER, "rest": True}, {**LAYER, "step3": True}]
    if rules["deck_setup"] == "shuffled_3_15":
        return [{**LAYER, "low": 1}, *last]
    first = rules["first_plant"]
    return last if first is None else [{**LAYER, "plants": [first]}, *last]


def named(rules: Event) -> set[int]:
    return {n for layer in layers(rules) for n in layer["plants"]}


def put_away(rules: Event, pile: list[int], count: int) -> tuple[list[int], list[int]]:
    gone = [n for n in pile if n not in rules["never_boxed"]][:count]
    return gone, [n for n in pile if n not in gone]


def fixed(rules: Event, cards: list[int], at: int, seed: str) -> Deck:
    size = sum(rules["market_rows"])
    mixed = shuffled([n for n in cards[size:] if n not in named(rules)], seed, "stack")
    boxed, rest = put_away(rules, mixed, rules["boxed_plants"][at])
    return cards[:size], boxed, ([], [], rest)


def dealt(rules: Event, cards: list[int], at: int, seed: str) -> Deck:
    always = rules["always_in_market"]
    free = [n for n in cards if n not in always and n not in named(rules)]
    low = shuffled([n for n in free if n <= 15], seed, "low plants")
    high = shuffled([n for n in free if n > 15], seed, "high plants")
    few, early = rules["boxed_low_plants"][at], min(rules["never_boxed"], default=99) <= 15
    before, low = put_away(rules, low, few if early else 0)
    opened = sum(rules["market_rows"]) - len(always)
    market, low = [*always, *low[:opened]], low[opened:]
    wanted = sum(layer["low"] for layer in layers(rules))
    waiting, low = low[:wanted], low[wanted:]
    after, low = put_away(rules, low, 0 if early else few)
    boxed, high = put_away(rules, high, rules["boxed_plants"][at])
    wanted = sum(layer["high"] for layer in layers(rules))
    rest = shuffled([*low, *high[wanted:]], seed, "stack")
    return sorted(market), [*before, *after, *boxed], (waiting, high[:wanted], rest)


def laid_out(wanted: list[Event], cards: list[int], piles: Piles, seed: str) -> list[int]:
    low, high, rest = (list(pile) for pile in piles)
    taken = []
    for layer in wanted:
        some = [[n for n in layer["plants"] if n in cards]]
        for key, pile in (("low", low), ("high", high), ("random", rest)):
            some.append(pile[: layer[key]])
            del pile[: layer[key]]
        first, last = layer["numbers"] or (1, 0)
        some.append([n for n in cards if first <= n <= last])
        taken.append([*some, [STEP_3] if layer["step3"] else []])
    stack: list[int] = []
    for k, (layer, some) in enumerate(zip(wanted, taken, strict=True), start=1):
        parts = [part for part in (*some, rest if layer["rest"] else []) if part]
        mixed = [card for part in parts for card in part]
        mix = len(parts) > 1 or (layer["numbers"] and not layer["ascending"])
        stack += shuffled(mixed, seed, f"layer {k}") if mix else mixed
    return stack


def actual_row(rules: Event, market: list[int]) -> int:
    row: int = rules["market_rows"][0]
    if rules["actual_row"] == "lowest" or len(market) <= row:
        return row
    highest = max(plant["number"] for plant in rules["plants"])
    (fifth,) = [plant for plant in rules["plants"] if plant["number"] == market[row]]
    return row + (not fifth["fuels"] and fifth["number"] != highest)


def regions(rules: Event, at: int, seed: str) -> list[str]:
    board = rules["map"]
    names = [region["id"] for region in board["regions"]]
    possible = [c for c in combinations(names, rules["regions_in_play"][at]) if whole(board, c)]
    return list(possible[Stream(seed, "regions").below(len(possible))])


def whole(board: Event, chosen: tuple[str, ...]) -> bool:
    cities = {city["id"] for city in board["cities"] if city["region"] in chosen}
    reached, edge = set[str](), [min(cities)]
    while edge:
        city = edge.pop()
        if city in cities and city not in reached:
            reached.add(city)
            lines = [(x["a"], x["b"]) for x in board["connections"] if city in (x["a"], x["b"])]
            edge += [b if a == city else a for a, b in lines]
    return reached == cities


def blocked(rules: Event, seats: int, seed: str) -> list[str]:
    """The cities that are drawn: of each price the first ones of a shuffle."""
    drawn: list[str] = []
    for cost, count in rules["blocked_places"]["places"]:
        cities = [
            city["id"] for city in rules["map"]["cities"]
            if (city["house_costs"] or rules["house_costs"])[0] == cost
        ]  # fmt: skip
        some = shuffled(cities, seed, f"blocked {cost}")
        drawn += some[: rules["blocked_places"]["sets"][seats - 2] * count]
    return drawn


Pile = tuple[list[int], list[int], bool]
"""The stack, the pile beside it, and whether the Step 3 card is still to come twice."""


def beside(event: Event, started: Event, now: Pile, seed: str) -> tuple[Pile, bool]:
    """What only some maps do with stack and pile, and whether the event is as the seed says."""
    (stack, aside, twice), kind = now, event["type"]
    if kind == "PlantSetAside":
        return (stack, [*aside, event["plant"]], twice), True
    if kind == "StackUsedUp":
        fair = not stack and event["stack"] == shuffled(aside, seed, "side-pile")
        return (event["stack"], [], twice), fair
    if kind == "Step3CardBack":
        fair = event["stack"] == [*shuffled(stack, seed, "step-2"), STEP_3]
        return (event["stack"], aside, False), fair
    if kind == "StackShuffled" and twice:
        fair = event["stack"] == shuffled(stack, seed, "step-2-card")
        return (event["stack"], aside, twice), fair
    if kind == "CitiesBlocked":
        return now, event["cities"] == blocked(started["ruleset"], started["seats"], seed)
    return now, True


def course(events: list[Event], seed: str) -> None:
    """Cards from the top, and one shuffle where the rules want it."""
    rules = events[0]["ruleset"]
    when = rules["step3_reshuffle"]
    now: Pile = (events[0]["stack"], [], rules["step2_trigger"] == "deck")
    state: tuple[Pile, bool, bool] = (now, False, False)
    kept = [state]
    for seq, event in enumerate(events[1:], start=2):
        before, done, due = state
        now, fair = beside(event, events[0], before, seed)
        if not fair:
            raise Unfair(seq, "not as the seed has it")
        stack, aside, twice = now
        kind = event["type"]
        drawn = kind == "PlantDrawn" or event.get("from_stack", False)
        card = event.get("plant", STEP_3) if drawn else None
        if drawn:
            if due:
                raise Unfair(seq, "a card before the shuffle")
            if not stack or stack[0] != card:
                raise Unfair(seq, "not the top card")
            stack = stack[1:]
        elif kind == "PlantPutUnder":
            stack = [*stack, event["plant"]]
        elif kind == "PlantsOnTop":
            if event["plants"] != rules["step2_top_plants"]:
                raise Unfair(seq, "not the plants that wait for Step 2")
            stack = [*event["plants"], *stack]
        elif kind == "StackShuffled" and not twice:
            if done or when == "none" or event["stack"] != shuffled(stack, seed, "step-3"):
                raise Unfair(seq, "not the shuffle of the seed")
            stack, done, due = event["stack"], True, False
        called = (when == "on_draw" and card == STEP_3 and not twice) or (
            when == "on_step3_start" and kind == "StepReached" and event["step"] == 3
        )
        state = ((stack, aside, twice), done, due or (called and len(stack) > 1))
        if kind == "Rewound":
            state = kept[event["to"] - 1]
        kept.append(state)
