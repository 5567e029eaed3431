"""``kraftpost up`` with everything real: it answers, mends itself, and leaves nothing behind."""

import http.client
import signal
import smtplib
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from tests.support.service import Service, eventually
from webapp.cli.place import running


def get(service: Service, path: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(service.site).netloc, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def doctor(service: Service) -> str:
    words = [sys.executable, "-m", "webapp.cli", "doctor", "--data", str(service.data)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode else "well"


def test_everything_answers_and_the_doctor_agrees(service: Service) -> None:
    assert get(service, "/healthz") == 200
    assert get(service, "/dev/mail") == 200
    with smtplib.SMTP(*service.smtp) as client:
        assert client.noop()[0] == 250
    eventually(lambda: doctor(service) == "well", within=60, every=1)
    assert running(service.data)["site"] == service.site


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


@pytest.mark.parametrize("name", ["web", "worker", "beat", "inbound", "redis"])
def test_a_killed_program_comes_back(service: Service, name: str) -> None:
    others = {one: service.pid(one) for one in ("web", "worker", "beat", "inbound", "redis")}
    dead = service.kill(name)
    eventually(lambda: service.pid(name) != dead)
    eventually(lambda: doctor(service) == "well", within=60, every=1)
    for one, pid in others.items():
        assert one == name or service.pid(one) == pid
    assert f"{name} ended (SIGKILL); starting it again in 0.5 s." in service.stop()


def test_taken_ports_are_told_and_replaced(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as web,
        socket.create_server(("127.0.0.1", 0)) as smtp,
    ):
        taken = [one.getsockname()[1] for one in (web, smtp)]
        words = ("--port", str(taken[0]), "--smtp-port", str(taken[1]), "--no-demo")
        service = Service(tmp_path / "data", *words)
        status = get(service, "/healthz")
        said = service.stop()
    assert status == 200
    assert f"Port {taken[0]} is taken by another program: the site listens on" in said
    assert f"Port {taken[1]} is taken by another program: the mail server listens on" in said
    assert urlsplit(service.site).port not in taken


def test_a_second_one_on_the_same_data_is_refused(service: Service) -> None:
    with pytest.raises(RuntimeError, match="already running") as refusal:
        Service(service.data)
    assert service.site in str(refusal.value)
    assert get(service, "/healthz") == 200


def test_the_same_data_serve_again_after_a_crash(service: Service, tmp_path: Path) -> None:
    secret = (service.data / "secret.key").read_text()
    service.process.kill()
    again = Service(service.data)
    assert get(again, "/healthz") == 200
    assert (service.data / "secret.key").read_text() == secret
    again.stop()


def test_a_deep_data_directory_works(tmp_path: Path) -> None:
    service = Service(tmp_path / ("d" * 60) / ("e" * 60))
    assert get(service, "/healthz") == 200
    service.stop()


def test_a_redis_of_ones_own_is_used(tmp_path: Path, redis_url: str) -> None:
    words = ("--port", "0", "--smtp-port", "0", "--no-demo")
    service = Service(tmp_path / "data", *words, environ={"REDIS_URL": redis_url})
    assert not (service.data / "redis.sock").exists()
    with redis.Redis.from_url(redis_url) as client:
        assert eventually(client.client_list)
    service.stop()
