"""A second verifier, written from docs/fairness.md alone; it imports nothing of Kraftpost."""

import hashlib
import hmac
import json
from itertools import combinations
from typing import Any

Event = dict[str, Any]
STEP_3 = 99


class Unfair(Exception):
    """A log that is not as its seed says: the event's number, and what does not fit."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"event {seq}: {what}")
        self.seq = seq


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


def shuffled(cards: list[int], seed: str, purpose: str) -> list[int]:
    deck, stream = list(cards), Stream(seed, purpose)
    for i in range(len(deck) - 1, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def check(text: str) -> None:
    """Raise Unfair at the first thing that does not fit."""
    events = [json.loads(line)["event"] for line in text.splitlines()[1:] if line.strip()]
    started = events[0]
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
    cards = sorted(p["number"] for p in rules["plants"] if p["number"] not in removed)
    deal = fixed if rules["deck_setup"] == "fixed_3_10" else dealt
    market, boxed, stack = deal(rules, cards, at, seed)
    found = [
        ("commitment", started["commitment"], hashlib.sha256(text.encode()).hexdigest()),
        ("order", started["order"], shuffled(list(range(seats)), seed, "order")),
        ("stack", started["stack"], stack),
        ("boxed", started["boxed"], boxed),
        ("market", started["market"], {"actual": market[:4], "future": market[4:]}),
    ]
    if rules["region_choice"] == "random":
        found.append(("regions", started["regions"], regions(rules, at, seed)))
    return found


Deck = tuple[list[int], list[int], list[int]]


def fixed(rules: Event, cards: list[int], at: int, seed: str) -> Deck:
    market, rest = cards[:8], cards[8:]
    aside = [n for n in rest if n == rules["first_plant"]]
    mixed = shuffled([n for n in rest if n not in aside], seed, "stack")
    boxed = rules["boxed_plants"][at]
    return market, mixed[:boxed], [*aside, *mixed[boxed:], STEP_3]


def dealt(rules: Event, cards: list[int], at: int, seed: str) -> Deck:
    always = rules["always_in_market"]
    low = shuffled([n for n in cards if n <= 15 and n not in always], seed, "low plants")
    high = shuffled([n for n in cards if n > 15 and n not in always], seed, "high plants")
    opened = 8 - len(always)
    market, aside, low = [*always, *low[:opened]], low[opened], low[opened + 1 :]
    few, many = rules["boxed_low_plants"][at], rules["boxed_plants"][at]
    mixed = shuffled([*low[few:], *high[many:]], seed, "stack")
    return sorted(market), [*low[:few], *high[:many]], [aside, *mixed, STEP_3]


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


def course(events: list[Event], seed: str) -> None:
    """Cards from the top, and one shuffle where the rules want it."""
    when = events[0]["ruleset"]["step3_reshuffle"]
    state: tuple[list[int], bool, bool] = (events[0]["stack"], False, False)
    kept = [state]
    for seq, event in enumerate(events[1:], start=2):
        stack, done, due = state
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
        elif kind == "StackShuffled":
            if done or when == "none" or event["stack"] != shuffled(stack, seed, "step-3"):
                raise Unfair(seq, "not the shuffle of the seed")
            stack, done, due = event["stack"], True, False
        called = (when == "on_draw" and card == STEP_3) or (
            when == "on_step3_start" and kind == "StepReached" and event["step"] == 3
        )
        state = (stack, done, due or (called and len(stack) > 1))
        if kind == "Rewound":
            state = kept[event["to"] - 1]
        kept.append(state)
