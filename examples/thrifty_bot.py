"""An example of a program that plays: thrifty, but not asleep.

    python thrifty_bot.py https://play.example.org kp_TOKEN

It looks every few seconds at what it is asked, answers each question by its own small rules, and
ends with Ctrl-C. It knows no rule of the game: the options of a question are all that is legal.
"""

import sys
import time
from typing import Any

from kraftpost_client import Kraftpost, Refused

Json = dict[str, Any]
KEPT = 15  # Elektro that it likes to keep


def answer(question: Json, position: Json) -> str:
    """Return the line to play: the chooser of its kind of question, else what silence would be."""
    choose = CHOOSERS.get(question["asks"])
    me = position["players"][position["seat"]]
    line = choose(question["options"], me) if choose else None
    return line or question["silence"]


def opening(options: Json, me: Json) -> str | None:
    """Put up the dearest plant that leaves something, as long as it has fewer than three."""
    fitting = [one for one in options["plants"] if one["minimum"] + KEPT <= options["maximum"]]
    if not fitting or (len(me["plants"]) >= 3 and options["may_pass"]):
        return None
    best = max(fitting, key=lambda one: one["plant"])
    return f"auction {best['plant']} for {best['minimum']}"


def bid(options: Json, me: Json) -> str | None:
    """Bid up to a tenth above the plant's number."""
    most = min(options["maximum"], options["plant"] * 11 // 10)
    if len(me["plants"]) >= 3 or options["minimum"] > most:
        return None
    return f"bid {most if options['sealed'] else options['minimum']}"


def purchase(options: Json, _me: Json) -> str | None:
    """Buy two tokens of the cheapest fuel that it can store and pay."""
    bargains = [
        (one["costs"][min(2, len(one["costs"])) - 1], one["resource"], min(2, len(one["costs"])))
        for one in options["fuels"]
        if one["costs"]
    ]
    affordable = [one for one in bargains if one[0] <= options["elektro"]]
    if not affordable:
        return None
    _cost, fuel, tokens = min(affordable)
    return f"buy {tokens} {fuel}"


CHOOSERS = {"OpeningOffer": opening, "BidOffer": bid, "PurchaseOffer": purchase}


def play_once(site: Kraftpost) -> int:
    """Answer all that is asked now; return how many moves were made."""
    made = 0
    for turn in site.turns():
        table = turn["table"]
        try:
            if turn["plan"]:
                site.order(table, "ready")
                continue
            question = site.question(table)
            line = answer(question, site.position(table)["position"])
            if question["asks"] == "BuildOffer":
                line = cheapest(question) or line
            site.move(table, question["turn"], line)
            made += 1
        except Refused as refusal:
            if refusal.code not in ("stale", "not-asked"):
                print(f"Table {table}: {refusal}", file=sys.stderr)
                fall_back(site, table)
    return made


def cheapest(question: Json) -> str | None:
    """Build in the cheapest city within reach: the first useful line that builds one."""
    lines = (one["line"] for one in question["commands"])
    return next((line for line in lines if line.startswith("build ") and "," not in line), None)


def fall_back(site: Kraftpost, table: int) -> None:
    """Play what silence would be, where its own idea was refused."""
    try:
        question = site.question(table)
        site.move(table, question["turn"], question["silence"])
    except Refused as refusal:
        print(f"Table {table}: {refusal}", file=sys.stderr)


def main() -> None:
    """Play until Ctrl-C."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    site = Kraftpost(sys.argv[1], sys.argv[2])
    print(f"Playing as {site.me()['name']}. Ctrl-C ends it.")
    try:
        while True:
            time.sleep(0.2 if play_once(site) else 5)
    except KeyboardInterrupt:
        print("Ended.")


if __name__ == "__main__":
    main()
