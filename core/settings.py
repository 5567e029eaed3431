"""Every setting of the service, read once from the environment into one frozen value.

The defaults suit one person playing on one machine. With ``KRAFTPOST_ENV=production`` they are
refused where they would be unsafe, and each refusal names its variable and the way out.
"""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final, Literal, cast, get_args
from urllib.parse import parse_qs, unquote, urlsplit

Env = Literal["development", "production", "test"]
Protocol = Literal["smtp", "lmtp"]

MIN_SECRET: Final = 32  # characters
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
LOCAL_DOMAIN: Final = "kraftpost.localhost"
MAX_SOCKET_PATH: Final = 100  # bytes; the kernel's limit is 108 with the final zero


class SettingsError(ValueError):
    """The environment makes no safe service; ``problems`` says why, each with its variable."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class MailServer:
    """Where outgoing mail goes: an SMTP server, or a directory that keeps ``.eml`` files."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = field(default="", repr=False)
    tls: Literal["none", "starttls", "implicit"] = "none"
    directory: Path | None = None

    @classmethod
    def from_url(cls, url: str) -> "MailServer":
        """Read ``smtp://user:pw@host:587/?starttls=1``, ``smtps://…`` or ``file:///directory``.

        Raises:
            ValueError: the address is of another kind, or has no host or no absolute directory.
        """
        parts = urlsplit(url)
        if parts.scheme == "file":
            if parts.netloc or not parts.path.startswith("/"):
                raise ValueError("a file address holds an absolute directory: file:///var/mail")
            return cls(directory=Path(unquote(parts.path)))
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ValueError("it starts with smtp://HOST, smtps://HOST or file:///DIRECTORY")
        starttls = parse_qs(parts.query).get("starttls", ["0"])[-1] not in ("", "0")
        implicit = parts.scheme == "smtps"
        return cls(
            host=parts.hostname,
            port=parts.port or (465 if implicit else 587 if starttls else 25),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            tls="implicit" if implicit else "starttls" if starttls else "none",
        )


def _var(name: str, *, secret: bool = False) -> str:
    """Declare a field that is read from the environment variable of this name."""
    return cast(str, field(repr=not secret, metadata={"env": name}))


@dataclass(frozen=True)
class Settings:
    """What differs between two installations; docs/operations.md tells of each variable."""

    env: Env = field(metadata={"env": "KRAFTPOST_ENV"})
    data: Path = field(metadata={"env": "KRAFTPOST_DATA"})
    trusted_proxies: int = field(metadata={"env": "TRUSTED_PROXIES"})
    inbound_protocol: Protocol = field(metadata={"env": "INBOUND_PROTOCOL"})
    dev_mail: bool = field(metadata={"env": "DEV_MAIL"})
    secret_key: str = _var("SECRET_KEY", secret=True)
    database_url: str = _var("DATABASE_URL", secret=True)
    redis_url: str = _var("REDIS_URL", secret=True)
    public_url: str = _var("PUBLIC_URL")
    web_listen: str = _var("WEB_LISTEN")
    mail_url: str = _var("MAIL_URL", secret=True)
    mail_domain: str = _var("MAIL_DOMAIN")
    mail_from: str = _var("MAIL_FROM")
    admin_mail: str = _var("ADMIN_MAIL")
    inbound_listen: str = _var("INBOUND_LISTEN")
    log_level: str = _var("LOG_LEVEL")

    @property
    def production(self) -> bool:
        """Whether strangers use this installation."""
        return self.env == "production"

    @property
    def mail_server(self) -> MailServer:
        """Where outgoing mail goes."""
        return MailServer.from_url(self.mail_url)

    @property
    def broker_url(self) -> str:
        """``redis_url`` as Celery spells it."""
        return self.redis_url.replace("unix://", "redis+socket://", 1)

    @property
    def limiter_url(self) -> str:
        """``redis_url`` as the rate limiter spells it."""
        return self.redis_url.replace("unix://", "redis+unix://", 1)

    @property
    def inbound_address(self) -> tuple[str, int]:
        """Host and port at which answers by mail arrive."""
        return _host_port(self.inbound_listen)


def redis_socket(data: Path) -> Path:
    """Where the embedded Redis of this data directory listens: there, or in a short place."""
    inside = data / "redis.sock"
    if len(os.fsencode(inside)) <= MAX_SOCKET_PATH:
        return inside
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"kraftpost-{os.getuid()}-{name}" / "redis.sock"


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; in development a secret is made and kept in the data directory.

    Raises:
        SettingsError: something is missing, unreadable or, in production, unsafe.
    """
    given = dict(os.environ if environ is None else environ)
    data = Path(given.get("KRAFTPOST_DATA") or "var").expanduser().resolve()
    values = {**_defaults(given, data), **{name: text for name, text in given.items() if text}}
    values["DATABASE_URL"] = _with_driver(values["DATABASE_URL"])
    values["PUBLIC_URL"] = values["PUBLIC_URL"].rstrip("/")
    problems = list(_unreadable(values))
    if not problems and values["KRAFTPOST_ENV"] == "production":
        problems = list(_unsafe(given, values))
    if problems:
        raise SettingsError(problems)
    values["SECRET_KEY"] = values["SECRET_KEY"] or _local_secret(data)
    texts = {one.name: values[one.metadata["env"]] for one in fields(Settings)}
    typed = {
        "data": data,
        "trusted_proxies": int(texts["trusted_proxies"]),
        "dev_mail": texts["dev_mail"] == "1",
    }
    return Settings(**{**texts, **typed})  # type: ignore[arg-type]


def _defaults(given: Mapping[str, str], data: Path) -> dict[str, str]:
    env = given.get("KRAFTPOST_ENV") or "development"
    domain = given.get("MAIL_DOMAIN") or LOCAL_DOMAIN
    web = given.get("WEB_LISTEN") or "127.0.0.1:8000"
    return {
        "KRAFTPOST_ENV": env,
        "KRAFTPOST_DATA": str(data),
        "SECRET_KEY": "",
        "DATABASE_URL": f"sqlite:///{data}/kraftpost.sqlite3",
        "REDIS_URL": f"unix://{redis_socket(data)}",
        "PUBLIC_URL": f"http://{web}",
        "WEB_LISTEN": web,
        "TRUSTED_PROXIES": "0",
        "MAIL_URL": f"file://{data}/mail",
        "MAIL_DOMAIN": domain,
        "MAIL_FROM": f"Kraftpost <kraftpost@{domain}>",
        "ADMIN_MAIL": "",
        "INBOUND_LISTEN": "127.0.0.1:2525",
        "INBOUND_PROTOCOL": "smtp",
        "DEV_MAIL": "0" if env == "production" else "1",
        "LOG_LEVEL": "INFO",
    }


def _with_driver(url: str) -> str:
    """Name the PostgreSQL driver, which hosting services leave out of their addresses."""
    for plain in ("postgres://", "postgresql://"):
        if url.startswith(plain):
            return "postgresql+psycopg://" + url.removeprefix(plain)
    return url


def _host_port(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    return host.strip("[]"), int(port)


def _unreadable(values: Mapping[str, str]) -> Iterator[str]:
    """Yield what cannot be understood, whatever the environment."""
    choices: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("KRAFTPOST_ENV", get_args(Env)),
        ("INBOUND_PROTOCOL", get_args(Protocol)),
        ("DEV_MAIL", ("0", "1")),
        ("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR")),
    )
    for name, allowed in choices:
        if values[name] not in allowed:
            yield f"{name} is {values[name]!r}: use one of {', '.join(allowed)}."
    if not values["TRUSTED_PROXIES"].isdecimal():
        yield "TRUSTED_PROXIES is no number: say how many proxies stand before the web server."
    admin = values["ADMIN_MAIL"]
    if admin and (admin.count("@") != 1 or not admin.isascii() or " " in admin):
        yield f"ADMIN_MAIL is {admin!r}: use one address such as admin@example.org."
    yield from _unreadable_addresses(values)


def _unreadable_addresses(values: Mapping[str, str]) -> Iterator[str]:
    for name in ("WEB_LISTEN", "INBOUND_LISTEN"):
        host, _, port = values[name].rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            yield f"{name} is {values[name]!r}: use HOST:PORT, such as 127.0.0.1:2525."
    if not values["PUBLIC_URL"].startswith(("http://", "https://")):
        yield f"PUBLIC_URL is {values['PUBLIC_URL']!r}: use an address such as https://example.org."
    if not values["REDIS_URL"].startswith(("redis://", "rediss://", "unix:///")):
        yield "REDIS_URL starts with redis://HOST, rediss://HOST or unix:///SOCKET."
    try:
        MailServer.from_url(values["MAIL_URL"])
    except ValueError as reason:
        yield f"MAIL_URL cannot be read: {reason}."


def _unsafe(given: Mapping[str, str], values: Mapping[str, str]) -> Iterator[str]:
    """Yield what may do on one's own machine and must not in production."""
    if len(values["SECRET_KEY"]) < MIN_SECRET:
        yield (
            f"SECRET_KEY needs {MIN_SECRET} characters or more that nobody else knows. Make one: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    if not values["PUBLIC_URL"].startswith("https://"):
        yield "PUBLIC_URL must be the site's https:// address: sign-in links travel over it."
    if not given.get("REDIS_URL"):
        yield "REDIS_URL must name a Redis server: the embedded one is for a single machine."
    if values["MAIL_DOMAIN"] in (LOCAL_DOMAIN, *LOOPBACK):
        yield "MAIL_DOMAIN must be the domain whose mail reaches this service."
    if values["DEV_MAIL"] == "1":
        yield "DEV_MAIL=1 would show everybody's mail at /dev/mail: leave it unset."
    yield from _unsafe_mail(MailServer.from_url(values["MAIL_URL"]))


def _unsafe_mail(server: MailServer) -> Iterator[str]:
    if server.directory is not None:
        yield "MAIL_URL must name an SMTP server: mail kept in files reaches nobody."
    elif server.password and server.tls == "none" and server.host not in LOOPBACK:
        yield "MAIL_URL sends a password in the clear: add ?starttls=1, or use smtps://."


def _local_secret(data: Path) -> str:
    """Read this data directory's own secret; the first process to ask makes it.

    It is written aside and linked into place, so that no reader ever sees half of it.
    """
    path = data / "secret.key"
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, draft = tempfile.mkstemp(dir=data)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first; its secret counts
        finally:
            Path(draft).unlink()
    return path.read_text().strip()
