"""Which maps and variants there are, and their files."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from core.game.errors import RulesError

DATA: Final = Path(__file__).parents[1] / "data"
STANDARD: Final = "standard"
"""The variant and the deck on which all others build."""


@dataclass(frozen=True, slots=True)
class MapInfo:
    """A map to choose from: stable `key`, `name` and one `description` for players."""

    key: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class VariantInfo:
    """A variant to choose from: stable `key`, `name` and one `description` for players."""

    key: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the text behind a variant says, the `knobs` by which it is played, and a remark."""

    says: str
    knobs: tuple[str, ...]
    remark: str


def sentences(variant: str) -> tuple[Sentence, ...]:
    """Return what the text of a variant says, in its order; nothing for the printed rules.

    Raises:
        RulesError: there is no such variant.
    """
    rows = read(find("variants", variant)).get("sentences", [])
    return tuple(Sentence(r["says"], tuple(r["rules"]), r.get("remark", "")) for r in rows)


@cache
def maps(extra_dir: Path | None = None) -> tuple[MapInfo, ...]:
    """All maps, those first whose file says `front`, then by name; with those of a further folder.

    The first is offered to who has not chosen.

    Raises:
        RulesError: a file is not TOML or lacks its name.
    """
    return tuple(MapInfo(*row) for row in _listing("maps", extra_dir))


@cache
def variants() -> tuple[VariantInfo, ...]:
    """All variants, the standard first, then by name.

    Raises:
        RulesError: a file is not TOML or lacks its name.
    """
    rows = sorted(_listing("variants", None), key=lambda row: row[0] != STANDARD)
    return tuple(VariantInfo(*row) for row in rows)


def find(kind: str, key: str, extra_dir: Path | None = None) -> Path:
    """Return the file of a map, variant or deck by its key; only listed files are opened.

    Raises:
        RulesError: there is none; says which there are.
    """
    files = _files(kind, extra_dir)
    if key not in files:
        raise RulesError(f"{kind}: no {key!r}; there are {', '.join(sorted(files))}")
    return files[key]


def read(path: Path) -> dict[str, Any]:
    """Return the parsed TOML file.

    Raises:
        RulesError: it cannot be read or is not TOML; says where.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RulesError(f"{path.name}: {error}") from error


def _files(kind: str, extra_dir: Path | None) -> dict[str, Path]:
    folders = [DATA / kind] + ([extra_dir] if extra_dir else [])
    return {path.stem: path for folder in folders for path in folder.glob("*.toml")}


def _listing(kind: str, extra_dir: Path | None) -> list[tuple[str, str, str]]:
    rows: list[tuple[bool, tuple[str, str, str]]] = []
    for key, path in _files(kind, extra_dir).items():
        document = read(path)
        if not isinstance(document.get("name"), str):
            raise RulesError(f"{path.name}: name: missing")
        row = (key, document["name"], str(document.get("description", "")).strip())
        rows.append((not document.get("front", False), row))
    return [row for _late, row in sorted(rows, key=lambda one: (one[0], one[1][1]))]
