"""The rooms of the house import each other in one direction; `make house` prints the same."""

import networkx as nx

from tools import house


def test_no_import_goes_up_the_layers_of_the_table() -> None:
    assert house.upward(house.imports()) == []


def test_no_rooms_and_no_modules_import_each_other() -> None:
    graph = house.imports()
    assert (house.room_cycles(graph), house.module_cycles(graph)) == ([], [])


def test_a_cycle_and_an_import_upwards_are_found() -> None:
    bad = nx.DiGraph(
        [
            ("core.table.record.gamelog", "core.table.drive.inbox"),
            ("core.a.x", "core.b.y"),
            ("core.b.z", "core.a.x"),
        ]
    )
    assert house.upward(bad) == [("core.table.record.gamelog", "core.table.drive.inbox")]
    assert house.room_cycles(bad) == [["core.a", "core.b"]]
    assert house.module_cycles(bad) == []
