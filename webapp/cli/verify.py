"""``kraftpost verify``: was a finished game dealt as its published seed says?"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.game.errors import LogError
from core.game.log.jsonl import GameLog, load
from core.game.verify import Findings
from core.game.verify import verify as recompute
from core.text import _
from webapp.cli.common import data_option, fail, json_option


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"))
@json_option
@data_option
def verify(file: Any, as_json: bool) -> None:
    """Compute every shuffle of a finished game again from its seed, and compare.

    FILE is a log as `kraftpost export` writes it; - reads standard input. Exit code 0 if
    everything fits, 1 if the log cannot be read or something does not fit.
    """
    name = Path(file.name).name
    try:
        log = load(file)
        found = recompute(log.events)
    except (LogError, UnicodeDecodeError) as error:
        fail(f"{name}: {error}")
    if as_json:
        click.echo(json.dumps({"file": name, "fair": found.fair, **asdict(found)}))
    else:
        click.echo("\n".join(_lines(name, log, found)))
    if not found.fair:
        raise SystemExit(1)


def _lines(name: str, log: GameLog, found: Findings) -> list[str]:
    lines = [_("seed {seed}").format(seed=found.seed or "–")]
    lines += [_("event {seq}: {what}").format(seq=c.seq, what=c.what) for c in found.fits]
    if found.misfit is None:
        return [*lines, _joined(log, found), _("{name}: everything fits.").format(name=name)]
    misfit = found.misfit
    text = _("event {seq}: NOT so: {what}: {wrong}")
    lines.append(text.format(seq=misfit.seq, what=misfit.what, wrong=misfit.wrong))
    return [*lines, _("{name}: does not fit its seed.").format(name=name)]


def _joined(log: GameLog, found: Findings) -> str:
    names = ", ".join(log.header.names[seat] for seat in found.joined)
    text = _("If a table drew the seats, the players came to it in this order: {names}")
    return text.format(names=names)
