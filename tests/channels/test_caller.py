"""M24: calls go to public https addresses only, once looked up, and end in time."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator

import pytest

from core.channels.http_caller import Caller, Failed, Target, Unfit, check, public
from tests.support.hook_server import HookServer, near

SECRET_HEADER = {"X-Test": "1"}


@pytest.fixture
def server() -> Iterator[HookServer]:
    running = HookServer()
    yield running
    running.close()


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.1.2.3", "10.1.2.3", "172.16.0.1", "192.168.1.1",
        "100.64.0.1",  # carriers' own
        "169.254.169.254",  # the metadata of clouds
        "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1",
        "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:9.9.9.9", "::ffff:a9fe:a9fe", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:7f00:1::", "hooks.test", "",
    ],
)  # fmt: skip
def test_m24_what_is_not_public(address: str) -> None:
    assert not public(address)
    with pytest.raises(Unfit, match="open internet"):
        Caller(addresses=lambda _host, _port: (address,)).post("https://x.example", b"", {})


@pytest.mark.parametrize("address", ["9.9.9.9", "140.82.121.4", "2620:fe::fe", "2a00:1450::1"])
def test_what_is_public(address: str) -> None:
    assert public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/x", "ftp://hooks.example.com/", "file:///etc/passwd", "//x.y/",
        "hooks.example.com", "https://", "https:///x", "https://a:b@hooks.example.com/",
        "https://me@hooks.example.com", "https://hooks.example.com:99999/", "https://[::1/",
        "https://hooks.example.com/a b", "https://hooks.example.com/\r\nX: y", "https://hööks.de/",
        f"https://hooks.example.com/{'x' * 500}",
    ],
)  # fmt: skip
def test_m24_what_is_no_address_to_call(url: str) -> None:
    with pytest.raises(Unfit):
        Target.of(url)
    with pytest.raises(Unfit):
        Caller(addresses=lambda _host, _port: pytest.fail("looked up")).post(url, b"", {})


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1:8443/", "https://localhost/",
        "https://redis/", "https://printer.local/x", "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.1]/",
    ],
)  # fmt: skip
def test_what_can_be_refused_at_once(url: str) -> None:
    with pytest.raises(Unfit, match="open internet"):
        check(url)


@pytest.mark.parametrize("url", ["https://127.1/", "https://2130706433/", "https://0x7f.1/"])
def test_m24_odd_spellings_of_loopback_are_found_out(url: str) -> None:
    """What the system's own look-up makes of them is what counts."""
    with pytest.raises((Unfit, Failed)):
        Caller().post(url, b"", {})


def test_a_call_arrives(server: HookServer) -> None:
    near().post(server.url, b'{"a": 1}', SECRET_HEADER)
    (call,) = server.received
    assert call.path == "/services/T0/B1?x=1"
    assert call.headers["Host"] == f"hooks.test:{server.port}"
    assert call.headers["X-Test"] == "1"
    assert call.json == {"a": 1}


def test_m24_one_private_address_among_public_ones_spoils_all(server: HookServer) -> None:
    caller = near(addresses=lambda _host, _port: ("127.0.0.1", "10.0.0.1"))
    with pytest.raises(Unfit):
        caller.post(server.url, b"", {})
    assert not server.received


def test_m24_the_name_is_looked_up_once_and_that_address_is_called(server: HookServer) -> None:
    """A name that means something else the second time leads nowhere else."""
    answers = iter([("127.0.0.1",)])
    near(addresses=lambda _host, _port: next(answers)).post(server.url, b"", {})
    assert len(server.received) == 1
    with pytest.raises(StopIteration):
        next(answers)


def test_m24_a_redirect_is_not_followed(server: HookServer) -> None:
    other = HookServer()
    server.status, server.headers = 307, {"Location": other.url}
    try:
        with pytest.raises(Failed, match="status 307"):
            near().post(server.url, b"{}", {})
        assert not other.received
    finally:
        other.close()


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_only_yes_is_yes(server: HookServer, status: int) -> None:
    server.status = status
    with pytest.raises(Failed, match=f"status {status}"):
        near().post(server.url, b"{}", {})


def test_m24_the_certificate_must_be_the_names(server: HookServer) -> None:
    with pytest.raises(Failed, match="certificate"):
        near().post(server.url.replace("hooks.test", "other.test"), b"", {})
    with pytest.raises(Failed, match="certificate"):
        near(tls=ssl.create_default_context()).post(server.url, b"", {})
    assert not server.received


def test_a_second_address_is_tried_when_the_first_is_dead(server: HookServer) -> None:
    caller = near(
        reachable=lambda address: address.startswith("127."),
        addresses=lambda _host, _port: ("127.0.0.2", "127.0.0.1"),
    )
    caller.post(server.url, b"{}", {})
    assert len(server.received) == 1


def test_nobody_listens() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"https://hooks.test:{closed.getsockname()[1]}/"
        with pytest.raises(Failed, match="no connections"):
            near().post(url, b"", {})


def test_no_such_host() -> None:
    def nobody(_host: str, _port: int) -> tuple[str, ...]:
        raise socket.gaierror(-2, "unknown")

    with pytest.raises(Failed, match=r"no host gone\.example"):
        near(addresses=nobody).post("https://gone.example/", b"", {})


def test_m24_an_answer_that_drips_is_cut_short(server: HookServer) -> None:
    server.drip = True
    begun = time.monotonic()
    with pytest.raises(Failed, match="did not answer"):
        near(seconds=0.5).post(server.url, b"", {})
    assert time.monotonic() - begun < 5


def test_m24_a_server_that_says_nothing_is_left() -> None:
    """It takes the connection and never shakes hands."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"https://hooks.test:{mute.getsockname()[1]}/"
        with pytest.raises(Failed, match="did not answer"):
            near(seconds=0.3).post(url, b"", {})


def test_no_timer_is_left_behind(server: HookServer) -> None:
    def timers() -> set[threading.Thread]:
        return {t for t in threading.enumerate() if isinstance(t, threading.Timer)}

    before = timers()
    near().post(server.url, b"{}", {})
    for timer in timers() - before:
        timer.join(1)
        assert not timer.is_alive()


def test_m24_a_resolver_that_hangs_holds_nobody() -> None:
    """The system's look-up has no limit of its own."""
    asked = threading.Event()

    def hangs(_host: str, _port: int) -> tuple[str, ...]:
        asked.wait(30)
        return ("127.0.0.1",)

    begin = time.monotonic()
    try:
        with pytest.raises(Failed, match="did not answer within"):
            near(addresses=hangs, seconds=0.3).post("https://slow.example/", b"", {})
        assert time.monotonic() - begin < 10
    finally:
        asked.set()
