"""``kraftpost service``: a systemd unit for this installation."""

import os
import pwd
import sys
from pathlib import Path
from typing import Final

import click

from core.settings import Settings
from webapp.cli.common import with_settings

UNIT: Final = """\
# {place}: put it there, then: systemctl enable --now {name}
[Unit]
Description=Kraftpost: Power Grid by mail
Documentation=https://pypi.org/project/kraftpost/
Wants=network-online.target
After=network-online.target

[Service]
User={user}
WorkingDirectory={data}
Environment=KRAFTPOST_ENV=production KRAFTPOST_DATA={data}
EnvironmentFile={variables}
ExecStart={program} up --no-demo
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60
# It reads its own folder and writes nowhere else.
ReadWritePaths={data}
ProtectSystem=strict
ProtectHome={home}
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes
UMask=0077

[Install]
WantedBy=multi-user.target
"""
BACKUP: Final = """\
# {place}: put it there, too; the timer beside it starts it every night
[Unit]
Description=Copy what Kraftpost keeps

[Service]
Type=oneshot
User={user}
Environment=KRAFTPOST_ENV=production KRAFTPOST_DATA={data}
EnvironmentFile={variables}
ExecStart={program} backup --keep 14
UMask=0077
"""
TIMER: Final = """\
# {place}: put it there, then: systemctl enable --now {name}-backup.timer
[Unit]
Description=Copy what Kraftpost keeps, every night

[Timer]
OnCalendar=*-*-* 03:30
RandomizedDelaySec=15m
Persistent=true

[Install]
WantedBy=timers.target
"""
PARTS: Final = {"": UNIT, "backup.service": BACKUP, "backup.timer": TIMER}


@click.command()
@click.option("--name", default="kraftpost", show_default=True, help="Name of the unit.")
@click.option("--user", default="", help="User it runs as; else the one who asks.")
@click.option(
    "--variables",
    default="/etc/kraftpost.env",
    show_default=True,
    type=click.Path(path_type=Path),
    help="File of the settings, NAME=value a line, readable by root alone.",
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Write the units into this folder, such as /etc/systemd/system.",
)
@with_settings
def service(settings: Settings, name: str, user: str, variables: Path, into: Path | None) -> None:
    """Write systemd units: the service, and a copy of what it keeps every night.

    Without --into they are printed. Nothing is started.
    """
    facts = {
        "name": name,
        "user": user or pwd.getpwuid(os.getuid()).pw_name,
        "data": str(settings.data),
        "variables": str(variables.resolve()),
        "program": f"{sys.executable} -m webapp.cli",
        "home": "no" if settings.data.is_relative_to("/home") else "yes",
    }
    for part, unit in PARTS.items():
        file = f"{name}-{part}" if part else f"{name}.service"
        place = (into or Path("/etc/systemd/system")) / file
        text = unit.format(**facts, place=place)
        if into is None:
            click.echo(text)
        else:
            place.write_text(text)
            click.echo(f"Wrote {place}.", err=True)
