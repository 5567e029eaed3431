"""Settings: good defaults for one machine, and a clear refusal of unsafe ones in production."""

import stat
import threading
from pathlib import Path

import pytest

from core.settings import MailServer, Settings, SettingsError, load, redis_socket

SAFE = {
    "KRAFTPOST_ENV": "production",
    "SECRET_KEY": "0123456789abcdef" * 2,
    "PUBLIC_URL": "https://post.example.org",
    "REDIS_URL": "redis://redis.example.org",
    "MAIL_URL": "smtp://me:pw@smtp.example.org:587/?starttls=1",
    "MAIL_DOMAIN": "post.example.org",
}


def test_defaults_suit_one_machine(tmp_path: Path) -> None:
    settings = load({"KRAFTPOST_DATA": str(tmp_path)})
    assert settings.env == "development"
    assert settings.database_url == f"sqlite:///{tmp_path}/kraftpost.sqlite3"
    assert settings.redis_url == f"unix://{tmp_path}/redis.sock"
    assert settings.mail_server.directory == tmp_path / "mail"
    assert settings.dev_mail
    assert settings.public_url == "http://127.0.0.1:8000"
    assert settings.inbound_address == ("127.0.0.1", 2525)


def test_data_is_var_below_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load({}).data == tmp_path / "var"


def test_an_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    settings = load({"KRAFTPOST_DATA": str(tmp_path), "PUBLIC_URL": "", "REDIS_URL": ""})
    assert settings.public_url == "http://127.0.0.1:8000"
    assert settings.redis_url.startswith("unix://")


def test_the_local_secret_is_made_once_and_kept_private(tmp_path: Path) -> None:
    given = {"KRAFTPOST_DATA": str(tmp_path / "new")}
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(load(given).secret_key)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert len(found[0]) >= 32
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret.key"]
    assert stat.S_IMODE((tmp_path / "new" / "secret.key").stat().st_mode) == 0o600


def test_secrets_are_not_shown_by_repr() -> None:
    shown = repr(load({**SAFE, "DATABASE_URL": "postgres://u:db-pw@db/x"}))
    assert "db-pw" not in shown
    assert "s" * 32 not in shown
    assert "me:pw" not in shown
    assert "pw" not in repr(load(SAFE).mail_server)


def test_a_safe_production_starts() -> None:
    settings = load(SAFE)
    assert settings.production
    assert not settings.dev_mail
    assert settings.mail_from == "Kraftpost <kraftpost@post.example.org>"


@pytest.mark.parametrize(
    ("change", "named", "way_out"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY", "secrets.token_urlsafe"),
        ({"SECRET_KEY": "0123456789abcdef0123456789abcde"}, "SECRET_KEY", "32"),
        ({"PUBLIC_URL": ""}, "PUBLIC_URL", "https://"),
        ({"PUBLIC_URL": "http://post.example.org"}, "PUBLIC_URL", "https://"),
        ({"MAIL_DOMAIN": ""}, "MAIL_DOMAIN", "domain"),
        ({"MAIL_DOMAIN": "localhost"}, "MAIL_DOMAIN", "domain"),
        ({"MAIL_URL": ""}, "MAIL_URL", "SMTP server"),
        ({"MAIL_URL": "file:///var/mail"}, "MAIL_URL", "SMTP server"),
        ({"MAIL_URL": "smtp://me:pw@smtp.example.org"}, "MAIL_URL", "starttls=1"),
        ({"DEV_MAIL": "1"}, "DEV_MAIL", "unset"),
    ],
)
def test_production_refuses(change: dict[str, str], named: str, way_out: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load({**SAFE, **change})
    assert len(refusal.value.problems) == 1
    assert refusal.value.problems[0].startswith(named)
    assert way_out in refusal.value.problems[0]


def test_production_names_everything_that_is_wrong_at_once() -> None:
    with pytest.raises(SettingsError) as refusal:
        load({"KRAFTPOST_ENV": "production"})
    named = {problem.split()[0] for problem in refusal.value.problems}
    assert named == {"SECRET_KEY", "PUBLIC_URL", "MAIL_DOMAIN", "MAIL_URL"}


def test_production_allows_sqlite_and_a_relay_on_this_machine() -> None:
    settings = load({**SAFE, "MAIL_URL": "smtp://me:pw@localhost"})
    assert settings.database_url.startswith("sqlite:///")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("KRAFTPOST_ENV", "prod"),
        ("TRUSTED_PROXIES", "one"),
        ("TRUSTED_PROXIES", "-1"),
        ("WEB_LISTEN", "8000"),
        ("INBOUND_LISTEN", "127.0.0.1:smtp"),
        ("INBOUND_LISTEN", "127.0.0.1:65536"),
        ("INBOUND_PROTOCOL", "imap"),
        ("DEV_MAIL", "yes"),
        ("LOG_LEVEL", "loud"),
        ("PUBLIC_URL", "example.org"),
        ("REDIS_URL", "localhost:6379"),
        ("MAIL_URL", "mail.example.org"),
        ("MAIL_URL", "smtp:///"),
        ("MAIL_URL", "file://mail"),
        ("MAIL_URL", "smtp://host:port"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load({"KRAFTPOST_DATA": str(tmp_path), variable: value})
    assert [problem.split()[0] for problem in refusal.value.problems] == [variable]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://host", MailServer("host", 25)),
        ("smtp://host:2525", MailServer("host", 2525)),
        ("smtp://host?starttls=1", MailServer("host", 587, tls="starttls")),
        ("smtp://host/?starttls=0", MailServer("host", 25)),
        ("smtps://me%40x:p%2Fw@host", MailServer("host", 465, "me@x", "p/w", "implicit")),
        ("smtp://me:pw@host:587/?starttls=1", MailServer("host", 587, "me", "pw", "starttls")),
        ("file:///var/my%20mail", MailServer(directory=Path("/var/my mail"))),
    ],
)
def test_mail_addresses(url: str, server: MailServer) -> None:
    assert MailServer.from_url(url) == server


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_gets_its_driver(scheme: str) -> None:
    settings = load({**SAFE, "DATABASE_URL": f"{scheme}://u:p@db/kraftpost"})
    assert settings.database_url == "postgresql+psycopg://u:p@db/kraftpost"


@pytest.mark.parametrize(
    ("url", "broker", "limiter"),
    [
        ("unix:///run/r.sock", "redis+socket:///run/r.sock", "redis+unix:///run/r.sock"),
        ("rediss://h:6380/1", "rediss://h:6380/1", "rediss://h:6380/1"),
    ],
)
def test_redis_as_each_library_spells_it(url: str, broker: str, limiter: str) -> None:
    settings = load({**SAFE, "REDIS_URL": url})
    assert (settings.broker_url, settings.limiter_url) == (broker, limiter)


def test_a_long_data_directory_gets_a_short_socket() -> None:
    deep = Path("/srv") / ("d" * 100)
    socket = redis_socket(deep)
    assert len(str(socket)) < 108
    assert socket == redis_socket(deep)
    assert socket != redis_socket(deep / "other")


def test_operations_tell_of_every_variable() -> None:
    told = (Path(__file__).parents[1] / "docs" / "operations.md").read_text()
    missing = [
        one.alias for one in Settings.model_fields.values() if f"\n| `{one.alias}` " not in told
    ]
    assert missing == []


@pytest.mark.parametrize("address", ["nobody", "a@b@c", "a b@example.org", "ä@example.org"])
def test_an_admin_who_cannot_be_reached(tmp_path: Path, address: str) -> None:
    with pytest.raises(SettingsError, match="ADMIN_MAIL"):
        load({"KRAFTPOST_DATA": str(tmp_path), "ADMIN_MAIL": address})


def test_settings_come_from_a_file_too_and_the_environment_wins(tmp_path, monkeypatch):
    file = tmp_path / "kraftpost.env"
    file.write_text("# ours\nMAIL_DOMAIN='play.example.org'\nexport LOG_LEVEL=ERROR\n")
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path))
    monkeypatch.setenv("ENV_FILE", str(file))
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    monkeypatch.setenv("MAIL_DOMAIN", "")  # so that what the file sets goes with this test
    monkeypatch.delenv("MAIL_DOMAIN")
    settings = load()
    assert (settings.mail_domain, settings.log_level) == ("play.example.org", "WARNING")
    monkeypatch.setenv("MAIL_DOMAIN", "")
