"""``kraftpost up`` with everything real: it answers, mends itself, and leaves nothing behind."""

import http.client
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from core.store.session import make_engine, read
from core.store.tables import Heartbeat
from tests.support.service import Service, eventually
from webapp.cli.common import running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for the tests that leave it in good health."""
    running = Service(tmp_path_factory.mktemp("up") / "data")
    yield running
    running.stop()


def get(service: Service, path: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(service.site).netloc, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def heard(service: Service, name: str) -> datetime:
    """When a program last said that it lives."""
    engine = make_engine(f"sqlite:///{service.data}/kraftpost.sqlite3")
    with read(engine) as session:
        beat = session.get(Heartbeat, name)
    engine.dispose()
    return beat.at if beat else datetime.min.replace(tzinfo=UTC)


def doctor(service: Service) -> str:
    words = [sys.executable, "-m", "webapp.cli", "doctor", "--data", str(service.data)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode else "well"


def test_everything_answers_and_the_doctor_agrees(shared: Service) -> None:
    assert get(shared, "/healthz") == 200
    assert get(shared, "/dev/mail") == 200
    with smtplib.SMTP(*shared.smtp) as client:
        assert client.noop()[0] == 250
    eventually(lambda: doctor(shared) == "well", within=60, every=1)
    assert running(shared.data)["site"] == shared.site


@pytest.mark.parametrize("name", ["web", "worker", "beat", "inbound", "redis"])
def test_a_killed_program_comes_back_and_works(shared: Service, name: str) -> None:
    others = {one: shared.pid(one) for one in ("web", "worker", "beat", "inbound", "redis")}
    died, dead = datetime.now(UTC), shared.kill(name)
    eventually(lambda: shared.pid(name) != dead)
    eventually(lambda: doctor(shared) == "well", within=60, every=1)
    # A tick goes through beat, Redis and the worker.
    eventually(lambda: min(heard(shared, "beat"), heard(shared, "worker")) > died, within=60)
    assert {one: shared.pid(one) for one in others if one != name} == {
        one: pid for one, pid in others.items() if one != name
    }


def test_a_second_one_on_the_same_data_is_refused(shared: Service) -> None:
    with pytest.raises(RuntimeError, match="already running") as refusal:
        Service(shared.data)
    assert shared.site in str(refusal.value)
    assert get(shared, "/healthz") == 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly(service: Service, number: signal.Signals) -> None:
    assert len(service.processes()) >= 5
    said = service.stop(number)
    assert service.process.returncode == 0
    assert said.splitlines()[-2:] == ["Stopping …", "Stopped."]
    assert service.processes() == []
    assert running(service.data) == {}


def test_killed_itself_it_leaves_nothing(service: Service) -> None:
    service.process.kill()
    eventually(lambda: service.processes() == [], within=30)


def test_taken_ports_are_replaced_and_a_deep_directory_is_no_trouble(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)  # a socket in there would have too long a name
    with (
        socket.create_server(("127.0.0.1", 0)) as web,
        socket.create_server(("127.0.0.1", 0)) as smtp,
    ):
        taken = [one.getsockname()[1] for one in (web, smtp)]
        words = ("--port", str(taken[0]), "--smtp-port", str(taken[1]), "--no-demo")
        service = Service(deep, *words)
        status = get(service, "/healthz")
        said = service.stop()
    assert status == 200
    assert f"Port {taken[0]} is taken by another program: the site listens on" in said
    assert f"Port {taken[1]} is taken by another program: the mail server listens on" in said
    assert urlsplit(service.site).port not in taken


def test_the_same_data_serve_again_after_a_crash(service: Service, tmp_path: Path) -> None:
    secret = (service.data / "secret.key").read_text()
    service.process.kill()
    again = Service(service.data)
    assert get(again, "/healthz") == 200
    assert (service.data / "secret.key").read_text() == secret
    again.stop()


def test_a_redis_of_ones_own_is_used(tmp_path: Path, redis_url: str) -> None:
    words = ("--port", "0", "--smtp-port", "0", "--no-demo")
    service = Service(tmp_path / "data", *words, environ={"REDIS_URL": redis_url})
    assert not (service.data / "redis.sock").exists()
    with redis.Redis.from_url(redis_url) as client:
        assert eventually(client.client_list)
    service.stop()
