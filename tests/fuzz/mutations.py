"""Game files spoiled in every way that somebody may think of, each way by one small function.

A mutation gets the lines of a sound file and a source of chance, and gives the bytes of another.
"""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

Lines = list[str]
Mutation = Callable[[Random, Lines], bytes]

SAMPLES = Path(__file__).parents[1] / "game" / "log" / "samples.jsonl"
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 99, 1000, -(10**12), 10**14, 10**30, 1.5, -0.0, 1e300,
    "", "0", "1", "x", "germany", " ", "\u2028", "\x00", "\x1b[31m", "<script>", "é" * 300, "/etc",
    [], [0], [1, 0], [[]], {}, {"x": 1}, "2026-11-30T09:00:00Z", "9999-12-31T23:59:59Z", "NaN",
)  # fmt: skip
RAW = ("NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "0x10", "01", '"\\ud800"', "tru")


def _any(chance: Random, lines: Lines) -> int:
    """A line; the first two, header and rules, more often than others."""
    return chance.choice((0, 1)) if chance.random() < 0.25 else chance.randrange(len(lines))


def _written(lines: Lines, newline: str = "\n") -> bytes:
    return (newline.join(lines) + newline).encode("utf-8", "surrogatepass")


def delete_line(chance: Random, lines: Lines) -> bytes:
    del lines[_any(chance, lines)]
    return _written(lines)


def double_line(chance: Random, lines: Lines) -> bytes:
    n = _any(chance, lines)
    return _written([*lines[:n], lines[n], *lines[n:]])


def swap_lines(chance: Random, lines: Lines) -> bytes:
    a, b = _any(chance, lines), _any(chance, lines)
    lines[a], lines[b] = lines[b], lines[a]
    return _written(lines)


def truncate(chance: Random, lines: Lines) -> bytes:
    raw = _written(lines)
    return raw[: chance.randrange(len(raw))]


def flip_byte(chance: Random, lines: Lines) -> bytes:
    raw = bytearray(_written(lines))
    for _ in range(chance.choice((1, 1, 1, 5, 50))):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


def other_encoding(chance: Random, lines: Lines) -> bytes:
    text = "\n".join(lines)
    name = chance.choice(
        ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp037", "utf-7", "utf-8-sig")
    )
    return text.encode(name, "replace")


def other_newlines(chance: Random, lines: Lines) -> bytes:
    return _written(lines, chance.choice(("\r\n", "\r", "\n\n", "\n \n", "\x0b", "\u2028", " \n")))


def stray_bytes(chance: Random, lines: Lines) -> bytes:
    raw = _written(lines)
    at = chance.randrange(len(raw))
    junk = chance.choice((b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"}", b"\xed\xa0\x80"))
    return raw[:at] + junk * chance.choice((1, 1, 100)) + raw[at:]


def deep_nesting(chance: Random, lines: Lines) -> bytes:
    depth = chance.choice((50, 900, 5000, 90_000))
    n = _any(chance, lines)
    nest = chance.choice(("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth))
    lines[n] = chance.choice((nest, lines[n][:-1] + f',"x":{nest}}}'))
    return _written(lines)


def long_line(chance: Random, lines: Lines) -> bytes:
    n = _any(chance, lines)
    lines[n] = lines[n][:-1] + " " * chance.choice((1, 199_000, 500_000)) + "}"
    return _written(lines)


def many_lines(chance: Random, lines: Lines) -> bytes:
    n = _any(chance, lines)
    return _written([*lines[:n], *[lines[n]] * chance.choice((2, 100, 5000)), *lines[n:]])


def raw_value(chance: Random, lines: Lines) -> bytes:
    """What is no JSON, or none that can be kept, in the place of a value."""
    n = _any(chance, lines)
    before, colon, after = lines[n].rpartition(":")
    end = after.lstrip('"0123456789abcdefghijklmnopqrstuvwxyz_.-')
    lines[n] = before + colon + chance.choice(RAW) + end
    return _written(lines)


def key_twice(chance: Random, lines: Lines) -> bytes:
    n = _any(chance, lines)
    key = chance.choice(list(json.loads(lines[n])))
    lines[n] = lines[n][:-1] + f",{json.dumps(key)}:{json.dumps(chance.choice(ODD))}}}"
    return _written(lines)


def _places(body: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside an object."""
    inside = body.items() if isinstance(body, dict) else enumerate(body)
    found = []
    for key, value in inside:
        found.append((*path, key))
        if isinstance(value, dict | list):
            found += _places(value, (*path, key))
    return found


def _changed(chance: Random, lines: Lines, change: Callable[[Any, Any], None]) -> bytes:
    n = _any(chance, lines)
    body = json.loads(lines[n])
    *way, key = chance.choice(_places(body))
    inside = body
    for step in way:
        inside = inside[step]
    change(inside, key)
    lines[n] = json.dumps(body, ensure_ascii=chance.random() < 0.5, separators=(",", ":"))
    return _written(lines)


def other_value(chance: Random, lines: Lines) -> bytes:
    def change(inside: Any, key: Any) -> None:
        inside[key] = chance.choice(ODD)

    return _changed(chance, lines, change)


def other_number(chance: Random, lines: Lines) -> bytes:
    """A number a little wrong, as a reader of the file would not notice it."""

    def change(inside: Any, key: Any) -> None:
        old = inside[key]
        if isinstance(old, int | float):
            inside[key] = chance.choice((old + 1, old - 1, -old, old * 10, float(old), str(old)))
        elif isinstance(old, str):
            inside[key] = chance.choice((old + "x", old[:-1], old.upper(), old[::-1]))

    return _changed(chance, lines, change)


def delete_key(chance: Random, lines: Lines) -> bytes:
    def change(inside: Any, key: Any) -> None:
        del inside[key]

    return _changed(chance, lines, change)


def new_key(chance: Random, lines: Lines) -> bytes:
    def change(inside: Any, key: Any) -> None:
        if isinstance(inside, dict):
            inside[chance.choice(("x", "", "type", "v", "seat"))] = chance.choice(ODD)
        else:
            inside.insert(key, chance.choice((inside[key], *ODD)))

    return _changed(chance, lines, change)


def shuffled_list(chance: Random, lines: Lines) -> bytes:
    def change(inside: Any, _key: Any) -> None:
        if isinstance(inside, list):
            chance.shuffle(inside)

    return _changed(chance, lines, change)


def other_event(chance: Random, lines: Lines) -> bytes:
    """An event of any kind and version in between, and all behind it counted anew."""
    n = chance.randrange(2, len(lines))
    event = json.loads(chance.choice(SAMPLES.read_text("utf-8").splitlines()))
    at = json.loads(lines[n])["at"]
    new = [*lines[:n], json.dumps({"seq": 0, "at": at, "event": event}), *lines[n:]]
    return _written(_counted(new))


def lost_event(chance: Random, lines: Lines) -> bytes:
    """An event is gone, and all behind it counted anew."""
    del lines[chance.randrange(1, len(lines))]
    return _written(_counted(lines))


def moved_event(chance: Random, lines: Lines) -> bytes:
    """An event stands elsewhere, and all is counted anew."""
    line = lines.pop(chance.randrange(1, len(lines)))
    lines.insert(chance.randrange(1, len(lines) + 1), line)
    return _written(_counted(lines))


def unknown_kind(chance: Random, lines: Lines) -> bytes:
    n = chance.randrange(1, len(lines))
    body = json.loads(lines[n])
    body["event"]["type"] = chance.choice((*ODD, "GameEnded", "GameStarted", "Rewound"))
    lines[n] = json.dumps(body)
    return _written(lines)


def harmless(chance: Random, lines: Lines) -> bytes:
    """Other blanks and another order of keys: the same game."""
    spaced = [json.dumps(json.loads(line), indent=None) for line in lines]
    return _written(["", *spaced, "", " "], chance.choice(("\n", "\r\n")))


def _counted(lines: Lines) -> Lines:
    counted = lines[:1]
    for seq, line in enumerate(lines[1:], start=1):
        counted.append(json.dumps({**json.loads(line), "seq": seq}, ensure_ascii=False))
    return counted


MUTATIONS: tuple[Mutation, ...] = (
    delete_line, double_line, swap_lines, truncate, flip_byte, other_encoding, other_newlines,
    stray_bytes, deep_nesting, long_line, many_lines, raw_value, key_twice, other_value,
    other_value, other_value, other_number, other_number, other_number, delete_key, new_key,
    shuffled_list, other_event, lost_event, moved_event, unknown_kind, harmless,
)  # fmt: skip


def mutate(chance: Random, lines: Lines) -> tuple[str, bytes]:
    """One mutated file: the names of what was done to it, and its bytes."""
    done = [chance.choice(MUTATIONS)]
    raw = done[0](chance, list(lines))
    if chance.random() < 0.2:  # and another one on top, where the file is still one
        try:
            again = chance.choice(MUTATIONS)
            raw = again(chance, raw.decode().split("\n"))
            done.append(again)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass
    return "+".join(way.__name__ for way in done), raw
