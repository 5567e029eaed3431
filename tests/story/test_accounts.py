"""The accounts of whole games: what they sum up to, and what they say."""

import itertools
from collections import Counter

import pytest

from core.bots.engineer import Engineer
from core.game import events as ev
from core.game.evolve import replay
from core.game.rules import load as rules
from core.story.accounts import ledger, spending
from core.story.course import course, decisive, lead_changes, transitions
from core.story.insight import insight
from webapp.instruments.selfplay import play_game

GAMES = [
    ("germany", "standard", "sealed", 4),
    ("usa", "recharged", "open", 5),
    ("italy", "thai_000", "sealed", 2),
]


@pytest.fixture(scope="module", params=GAMES, ids=lambda g: f"{g[0]}-{g[1]}-{g[3]}")
def played(request):
    board, variant, auction, players = request.param
    ruleset = rules.load(board, variant, {"auction": auction})
    return play_game(ruleset, [Engineer()] * players, f"{players:064x}")


def test_the_sum_of_all_payments_is_what_everybody_has_after_every_event(played):
    money = Counter()
    entries = {}
    for entry in ledger(transitions(played)):
        entries.setdefault(entry.seq, []).append(entry)
    for transition in transitions(played):
        for entry in entries.get(transition.seq, ()):
            money[entry.seat] += entry.amount
            assert entry.balance == money[entry.seat]
        assert [p.elektro for p in transition.after.players] == [
            money[seat] for seat in transition.after.seats
        ]


def test_spending_sums_up_the_accounts(played):
    final = replay(played)
    for seat, accounts in spending(ledger(transitions(played))).items():
        assert sum(accounts.values()) == final.players[seat].elektro
        assert accounts["income"] > 0 > accounts["plants"]


def test_each_round_is_recorded_as_the_position_at_its_end(played):
    rounds = course(transitions(played))
    assert [then.round for then in rounds] == list(range(1, len(rounds) + 1))
    assert rounds[-1].last == len(played)
    for then, following in itertools.pairwise(rounds):
        assert following.first == then.last + 1
        assert isinstance(played[following.first - 1], ev.RoundBegan)
        state = replay(played[: then.last])
        assert [s.elektro for s in then.seats] == [p.elektro for p in state.players]
        assert [s.cities for s in then.seats] == [len(p.cities) for p in state.players]
        assert sorted(s.place for s in then.seats) == list(range(1, len(then.seats) + 1))


def test_worth_grows_only_by_income_and_fuel_prices(played):
    """Buying a plant or a house changes money into worth, and loses none of it."""
    for then in course(transitions(played)):
        state = replay(played[: then.last])
        for seat, one in enumerate(then.seats):
            fuel = sum(state.players[seat].fuel[r] * (p or 0) for r, p in then.prices.items())
            assert one.worth >= one.elektro + fuel


def test_auctions_are_told_with_the_best_bid_against(played):
    told = insight(transitions(played))
    bought = [e for e in played if isinstance(e, ev.PlantBought)]
    assert [(s.seat, s.plant, s.price) for s in told.sales] == [
        (e.seat, e.plant, e.price) for e in bought
    ]
    for sale in told.sales:
        assert sale.above >= 0
        if sale.rival_bid is not None:
            assert sale.rival != sale.seat
            assert sale.rival_bid <= sale.price
    assert sum(t.above for t in told.turnouts) == sum(s.price - s.lowest for s in told.sales)


def test_turnouts_agree_with_the_accounts(played):
    accounts = spending(ledger(transitions(played)))
    for turnout in insight(transitions(played)).turnouts:
        assert turnout.fuel == -accounts[turnout.seat]["fuel"]
        assert turnout.connection == -accounts[turnout.seat]["connections"]
        if turnout.fuel_per_city is not None:
            assert turnout.fuel_per_city * turnout.powered == turnout.fuel


def test_the_decisive_round_is_the_last_change_of_the_lead_to_the_winner(played):
    rounds, final = course(transitions(played)), replay(played)
    changes = lead_changes(rounds)
    assert changes[0].round == 1
    assert all(a.leader != b.leader for a, b in itertools.pairwise(changes))
    point = decisive(rounds, final.standings)
    if point is None:
        assert changes[-1].leader != final.standings[0].seat
    else:
        assert point == changes[-1]
        assert final.standings[[s.seat for s in final.standings].index(point.leader)].place == 1
