"""``kraftpost-pipe``: hand one mail from standard input to the mail server that runs here.

For mail servers that start a program for each mail. It loads nothing of the service, so it takes a
tenth of a second; where the mail server does not run, ``kraftpost mail-in`` stores the mail.

    kraftpost-pipe [--from SENDER] RECIPIENT …

Exit codes are those of sysexits: 0 stored, 67 no such address here, 75 try again later.
"""

import os
import smtplib
import sys

EX_USAGE, EX_NOUSER, EX_TEMPFAIL = 64, 67, 75


def main() -> None:
    """Read a mail, hand it on, and exit with what became of it."""
    words = sys.argv[1:]
    sender = ""
    if words[:1] == ["--from"] and len(words) > 1:
        sender, words = words[1], words[2:]
    if not words or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)  # noqa: T201
        sys.exit(EX_USAGE)
    raw = sys.stdin.buffer.read()
    try:
        code = hand_on(raw, sender, words)
    except (OSError, smtplib.SMTPException):
        code = None
    sys.exit(store(raw, sender, words) if code is None else code)


def hand_on(raw: bytes, sender: str, recipients: list[str]) -> int | None:
    """Give a mail to the mail server of INBOUND_LISTEN; None if it does not take it now."""
    host, _colon, port = os.environ.get("INBOUND_LISTEN", "127.0.0.1:2525").rpartition(":")
    lines = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")  # a pipe's lines end as here
    lmtp = os.environ.get("INBOUND_PROTOCOL", "smtp") == "lmtp"
    kind = smtplib.LMTP if lmtp else smtplib.SMTP
    with kind(host.strip("[]"), int(port), local_hostname="localhost", timeout=20) as server:
        try:
            server.sendmail(sender, recipients, lines)
        except smtplib.SMTPRecipientsRefused as refused:
            lasting = all(code >= 500 for code, _why in refused.recipients.values())
            return EX_NOUSER if lasting else None
    return 0


def store(raw: bytes, sender: str, recipients: list[str]) -> int:
    """Store a mail without the mail server."""
    import subprocess

    command = [sys.executable, "-m", "webapp.cli", "mail-in", "--from", sender, *recipients]
    return subprocess.run(command, input=raw, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    main()
