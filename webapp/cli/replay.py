"""``kraftpost replay``, ``verify``, ``judge``: a game's file told, checked, judged."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from core.game.evolve import replay as fold
from core.game.judge import judge as judge_again
from core.game.log.jsonl import GameLog
from core.game.narrate import report, wording
from core.game.narrate.lines import names_before, phase_name
from core.game.state import GameState
from core.game.types import Seat
from core.game.verify import Findings
from core.game.verify import verify as recompute
from core.text import _, ngettext
from webapp.cli.common import data_option, fail, json_option, log_argument, named, reading


@click.command()
@log_argument
@click.option("--at", type=click.IntRange(1), help="Stop after this event.  [default: the last]")
@json_option
@data_option
def replay(file: Any, at: int | None, as_json: bool) -> None:
    """Check a game's log, fold it up to an event, and print the position and what led to it.

    FILE is a log as `kraftpost export` and `kraftpost selfplay` write it; - reads standard input.
    """
    with reading(file) as log:
        at = at or len(log.entries)
    if at > len(log.entries):
        fail(f"The game has {len(log.entries)} events.")
    state = fold(log.events[:at])
    if as_json:
        click.echo(json.dumps(_position(log, state), ensure_ascii=False))
    else:
        click.echo("\n".join((*_story(log, at), "", *_table(log, state))))


def _position(log: GameLog, state: GameState) -> dict[str, Any]:
    position = asdict(state)
    del position["ruleset"]
    return {**asdict(log.header), "events": len(log.entries), "position": position}


def _story(log: GameLog, at: int) -> Iterator[str]:
    names = names_before(log.header.names, log.events[at:])
    for chapter in report(log.entries[:at], names):
        yield f"\n{chapter.title}"
        for phase in chapter.phases:
            yield f"  {phase.title}"
            yield from (f"    {line.text}" for line in phase.lines)


def _table(log: GameLog, state: GameState) -> Iterator[str]:
    yield f"After event {state.seq} of {len(log.entries)}: " + (
        f"round {state.round}, Step {state.step}, {phase_name(state.phase)}"
    )
    yield f"Plants: {wording.plants(state.market.actual)}; to come: " + (
        f"{wording.plants(state.market.future)}; stack: {len(state.stack)} cards"
    )
    yield f"Fuel market: {wording.fuel(state.fuel_market)}"
    for seat in state.order:
        yield _player(log, state, seat)


def _player(log: GameLog, state: GameState, seat: Seat) -> str:
    player = state.players[seat]
    cities = ", ".join(state.ruleset.city[city].name for city in player.cities) or "none"
    names = names_before(log.header.names, log.events[state.seq :])
    return (
        f"{names[seat]}: {player.elektro} Elektro; "
        f"plants {wording.plants(player.plants)}; {wording.fuel(player.fuel)}; "
        f"{wording.cities(len(player.cities))} ({cities})"
    )


@click.command()
@log_argument
@json_option
@data_option
def verify(file: Any, as_json: bool) -> None:
    """Compute every shuffle of a finished game again from its seed, and make its moves again.

    FILE is a log as `kraftpost export` writes it; - reads standard input. Exit code 0 if
    everything fits, 1 if the log cannot be read or something does not fit.
    """
    name = named(file)
    with reading(file) as log:
        found = recompute(log.events)
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


@click.command()
@log_argument
@json_option
@data_option
def judge(file: Any, as_json: bool) -> None:
    """Make every move of a game again by its rules, and compare event by event.

    FILE is a log as `kraftpost export` writes it, of a game that is over or still runs; - reads
    standard input. Tells the first event that differs, with both values, and what could not be
    checked. Exit code 0 if nothing differs, 1 if the log cannot be read or something does.
    """
    name = named(file)
    with reading(file) as log:
        found = judge_again(log.events)
    if as_json:
        click.echo(json.dumps({"file": name, "sound": found.sound, **asdict(found)}))
    else:
        moves = ngettext("{n} move", "{n} moves", found.moves).format(n=found.moves)
        click.echo(_("{moves} made again by the rules").format(moves=moves))
        for fact in found.unchecked:
            click.echo(_("not checked: {fact}").format(fact=fact))
        click.echo(f"{name}: " + (str(found.difference or _("by the rules."))))
    if not found.sound:
        raise SystemExit(1)
