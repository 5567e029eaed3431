"""Ports that are taken, and a data directory that two must not share."""

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest

from webapp.cli.common import PlaceTaken, accepts, free_port, held, running


def listen() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def test_a_free_port_is_taken_as_it_is() -> None:
    said: list[str] = []
    with listen() as gone:
        port = gone.getsockname()[1]
    assert free_port("127.0.0.1", port, "the site", said.append) == port
    assert said == []


def test_a_taken_port_gives_the_next_free_one_and_says_so() -> None:
    said: list[str] = []
    with listen() as other:
        port = other.getsockname()[1]
        found = free_port("127.0.0.1", port, "the site", said.append)
    assert found > port
    assert said == [f"Port {port} is taken by another program: the site listens on {found}."]


def test_zero_lets_the_system_choose() -> None:
    said: list[str] = []
    assert free_port("127.0.0.1", 0, "the site", said.append) > 1023
    assert said == []


def test_an_address_of_another_machine_is_refused_at_once() -> None:
    with pytest.raises(PlaceTaken, match=r"Cannot listen on 192\.0\.2\.1:8000"):
        free_port("192.0.2.1", 8000, "the site", print)


def test_no_port_left_is_told() -> None:
    with socket.create_server(("127.0.0.1", 65535)), pytest.raises(PlaceTaken, match="from 65535"):
        free_port("127.0.0.1", 65535, "the site", print)


def test_a_held_directory_names_who_holds_it(tmp_path: Path) -> None:
    with held(tmp_path) as note:
        with pytest.raises(PlaceTaken, match="already running"), held(tmp_path):
            pass
        note({"site": "http://127.0.0.1:8000", "pid": os.getpid()})
        with pytest.raises(PlaceTaken, match=rf"8000 \(process {os.getpid()}\)"), held(tmp_path):
            pass
        assert running(tmp_path)["pid"] == os.getpid()
    assert running(tmp_path) == {}
    with held(tmp_path):
        pass


def test_the_next_one_forgets_what_was_noted(tmp_path: Path) -> None:
    (tmp_path / "up.json").write_text('{"site": "http://127.0.0.1:8000", "pid": 1}')
    with held(tmp_path):
        assert running(tmp_path) == {}


def test_what_a_killed_one_noted_counts_no_more(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    (tmp_path / "up.json").write_text(json.dumps({"site": "http://x", "pid": gone.pid}))
    assert running(tmp_path) == {}
    (tmp_path / "up.json").write_text(json.dumps({"site": "http://x", "pid": os.getpid()}))
    assert running(tmp_path)["site"] == "http://x"


def test_accepts() -> None:
    with listen() as server:
        port = server.getsockname()[1]
        assert accepts("127.0.0.1", port)
    assert not accepts("127.0.0.1", port)
