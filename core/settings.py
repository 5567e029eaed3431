"""Every setting of the service, read once from the environment into one frozen value.

The defaults suit one person playing on one machine. With ``KRAFTPOST_ENV=production`` they are
refused where they would be unsafe, and each refusal names its variable and the way out.
"""

import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Final, Literal, get_args
from urllib.parse import parse_qs, unquote, urlsplit

from dotenv import load_dotenv
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic_core import PydanticCustomError

Env = Literal["development", "production", "test"]
Protocol = Literal["smtp", "lmtp"]
Registration = Literal["open", "invitation"]
"""Who may make an account: anybody, or whoever is invited to a table."""

KEEPING: Final = range(30, 3651)  # days: a mail may come back, or be asked about, for weeks
MIN_SECRET: Final = 32  # characters
LEAST_SIGNS: Final = 10  # different ones among them: one sign repeated is no secret
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


@dataclass(frozen=True)
class ImapServer:
    """Where the mailbox is, and who opens it."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: bool
    folder: str

    @classmethod
    def from_url(cls, url: str) -> "ImapServer":
        """Read ``imaps://user:pw@host/FOLDER``; ``imap://`` uses STARTTLS unless on this machine.

        Raises:
            ValueError: it is no such address, or names no user.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
            raise ValueError("it reads imaps://USER:PASSWORD@HOST/FOLDER, with % signs as %25")
        tls = parts.scheme == "imaps"
        return cls(
            host=parts.hostname,
            port=parts.port or (993 if tls else 143),
            user=unquote(parts.username),
            password=unquote(parts.password or ""),
            tls=tls,
            folder=unquote(parts.path.strip("/")) or "INBOX",
        )


def _sound(is_sound: Callable[[str], object], problem: str) -> BeforeValidator:
    """Refuse a value that is not sound, in these words behind the variable's name."""

    def check(value: str) -> str:
        if not is_sound(value):
            raise PydanticCustomError("setting", "{text}", {"text": problem.format(repr(value))})
        return value

    return BeforeValidator(check)


def _one_of(*values: str) -> BeforeValidator:
    return _sound(values.__contains__, f"is {{}}: use one of {', '.join(values)}.")


def _starts(problem: str, *beginnings: str) -> BeforeValidator:
    return _sound(lambda url: url.startswith(beginnings), problem)


_PROXIES: Final = "is no number: say how many proxies stand before the web server."
_ADMIN: Final = "is {}: use addresses such as admin@example.org, with commas between them."
_KEEPING: Final = "is {}: say for how many days mails are kept, 30 to 3650."
_MAILBOX: Final = "is {}: use one address such as club@example.org."
_SECRET: Final = f"needs {MIN_SECRET} characters or more that nobody else knows."
_TLS: Final = "names no two files: use CHAIN.pem:KEY.pem."
_SITE: Final = "is {}: use an address such as https://example.org."
_SENDER: Final = "is {}: use NAME <ADDRESS>, such as Kraftpost <kraftpost@example.org>."
_DOMAIN: Final = "is {}: use the name of a domain, such as example.org."
_DATABASE: Final = "starts with sqlite:///FILE or postgresql://HOST."
_REDIS: Final = "starts with redis://HOST, rediss://HOST or unix:///SOCKET."


def _is_mailbox(text: str) -> bool:
    return text.count("@") == 1 and text.isascii() and " " not in text and text.isprintable()


def _are_mailboxes(text: str) -> bool:
    return all(_is_mailbox(one.strip()) for one in text.split(","))


def _is_keeping(days: str) -> bool:
    return days.isdecimal() and int(days) in KEEPING


def _is_sender(text: str) -> bool:
    """Tell whether a text is one address, with a name before it or not, on one line."""
    return text.isprintable() and _is_mailbox(parseaddr(text)[1])


def _is_domain(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*", text))


def _is_database(url: str) -> bool:
    return url.startswith(("sqlite:///", "postgres://", "postgresql://", "postgresql+psycopg://"))


def _is_long(text: str) -> bool:
    return len(text) >= MIN_SECRET


def _are_files(text: str) -> bool:
    chain, colon, key = text.partition(":")
    return bool(colon) and Path(chain).is_file() and Path(key).is_file()


def _is_listen(text: str) -> bool:
    host, _, port = text.rpartition(":")
    return bool(host) and port.isdecimal() and int(port) <= 65535


def _mail_url(url: str) -> str:
    try:
        MailServer.from_url(url)
    except ValueError as reason:
        text = f"cannot be read: {reason}."
        raise PydanticCustomError("setting", "{text}", {"text": text}) from reason
    return url


def _imap_url(url: str) -> str:
    try:
        ImapServer.from_url(url)
    except ValueError as reason:
        text = f"cannot be read: {reason}."
        raise PydanticCustomError("setting", "{text}", {"text": text}) from reason
    return url


def _with_driver(url: str) -> str:
    """Name the PostgreSQL driver, which hosting services leave out of their addresses."""
    for plain in ("postgres://", "postgresql://"):
        if url.startswith(plain):
            return "postgresql+psycopg://" + url.removeprefix(plain)
    return url


_Listen = Annotated[str, _sound(_is_listen, "is {}: use HOST:PORT, such as 127.0.0.1:2525.")]


class Settings(BaseModel):
    """What differs between two installations; docs/operations.md tells of each variable.

    Each field is read from the variable that is its alias. What is sound anywhere may still be
    unsafe in production: `load` refuses that.
    """

    model_config = ConfigDict(frozen=True, alias_generator=str.upper, hide_input_in_errors=True)

    data: Annotated[Path, AfterValidator(lambda path: path.expanduser().resolve())] = Field(
        Path("var"), alias="KRAFTPOST_DATA", validate_default=True
    )
    env: Annotated[Env, _one_of(*get_args(Env))] = Field("development", alias="KRAFTPOST_ENV")
    inbound_protocol: Annotated[Protocol, _one_of(*get_args(Protocol))] = "smtp"
    dev_mail: Annotated[bool, _one_of("0", "1")] = Field(
        default_factory=lambda known: known["env"] != "production"
    )
    log_level: Annotated[str, _one_of("DEBUG", "INFO", "WARNING", "ERROR")] = "INFO"
    trusted_proxies: Annotated[int, _sound(str.isdecimal, _PROXIES)] = 0
    admin_mail: Annotated[str, _sound(_are_mailboxes, _ADMIN)] = ""
    registration: Annotated[Registration, _one_of(*get_args(Registration))] = "open"
    keep_mail_days: Annotated[int, _sound(_is_keeping, _KEEPING)] = 90
    web_listen: _Listen = "127.0.0.1:8000"
    inbound_listen: _Listen = "127.0.0.1:2525"
    public_url: Annotated[
        str, AfterValidator(lambda url: url.rstrip("/")), _starts(_SITE, "http://", "https://")
    ] = Field(default_factory=lambda known: f"http://{known['web_listen']}")
    redis_url: Annotated[str, _starts(_REDIS, "redis://", "rediss://", "unix:///")] = Field(
        default_factory=lambda known: f"unix://{redis_socket(known['data'])}", repr=False
    )
    database_url: Annotated[str, _sound(_is_database, _DATABASE), AfterValidator(_with_driver)] = (
        Field(
            default_factory=lambda known: f"sqlite:///{known['data']}/kraftpost.sqlite3", repr=False
        )
    )
    mail_url: Annotated[str, AfterValidator(_mail_url)] = Field(
        default_factory=lambda known: f"file://{known['data']}/mail", repr=False
    )
    imap_url: Annotated[str, AfterValidator(_imap_url)] = Field("", repr=False)
    inbound_secret: Annotated[str, _sound(_is_long, _SECRET)] = Field("", repr=False)
    inbound_tls: Annotated[str, _sound(_are_files, _TLS)] = ""
    reply_mailbox: Annotated[str, _sound(_is_mailbox, _MAILBOX)] = ""
    mail_domain: Annotated[str, _sound(_is_domain, _DOMAIN)] = Field(
        default_factory=lambda known: known["reply_mailbox"].rpartition("@")[2] or LOCAL_DOMAIN
    )
    mail_from: Annotated[str, _sound(_is_sender, _SENDER)] = Field(
        default_factory=lambda known: f"Kraftpost <kraftpost@{known['mail_domain']}>"
    )
    secret_key: str = Field("", repr=False)

    @property
    def production(self) -> bool:
        """Whether strangers use this installation."""
        return self.env == "production"

    @property
    def mail_server(self) -> MailServer:
        """Where outgoing mail goes."""
        return MailServer.from_url(self.mail_url)

    @property
    def imap_server(self) -> ImapServer | None:
        """The mailbox from which answers are fetched; None where none is."""
        return ImapServer.from_url(self.imap_url) if self.imap_url else None

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

    A variable that is empty counts as unset. Without `environ`, those of the file ENV_FILE (else
    `.env` in the current folder) are put into the environment first, where it does not hold them.

    Raises:
        SettingsError: something is missing, unreadable or, in production, unsafe.
    """
    if environ is None:
        load_dotenv(os.environ.get("ENV_FILE") or ".env")
    given = os.environ if environ is None else environ
    try:
        settings = Settings.model_validate({name: text for name, text in given.items() if text})
    except ValidationError as error:
        raise SettingsError(
            [
                f"{one['loc'][0]} {one['msg']}"
                for one in error.errors()
                if one["type"] != "default_factory_not_called"  # what it hangs on is named
            ]
        ) from None
    if settings.production and (problems := list(_unsafe(settings))):
        raise SettingsError(problems)
    if settings.secret_key:
        return settings
    try:
        secret = _local_secret(settings.data)
    except OSError as error:
        text = f"KRAFTPOST_DATA: {settings.data} cannot be used: {error.strerror}. Name another."
        raise SettingsError([text]) from error
    return settings.model_copy(update={"secret_key": secret})


def _host_port(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    return host.strip("[]"), int(port)


def _unsafe(settings: Settings) -> Iterator[str]:
    """Yield what may do on one's own machine and must not in production."""
    key = settings.secret_key
    if len(key) < MIN_SECRET or len(set(key)) < LEAST_SIGNS:
        yield (
            f"SECRET_KEY needs {MIN_SECRET} characters or more that nobody else knows. Make one: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    if not settings.public_url.startswith("https://"):
        yield "PUBLIC_URL must be the site's https:// address: sign-in links travel over it."
    if settings.mail_domain in (LOCAL_DOMAIN, *LOOPBACK):
        yield "MAIL_DOMAIN must be the domain whose mail reaches this service."
    if settings.dev_mail:
        yield "DEV_MAIL=1 would show everybody's mail at /dev/mail: leave it unset."
    server = settings.mail_server
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
