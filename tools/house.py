"""Measure the house from its code: size, imports against the order, cycles, names used twice.

    make house

Instruments (webapp/instruments) and migrations are counted apart. A room is a package or a module
beside packages; a cycle of rooms is one among the children of a package. Layers are read from the
contracts of import-linter in pyproject.toml.
"""

import ast
import io
import sys
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp
import networkx as nx

ROOT = Path(__file__).parents[1]
PACKAGES = ("core", "tasks", "webapp")
APART = ("webapp.instruments", "core.store.migrations")
TABLE = "core.table"
Imports = nx.DiGraph


def files(packages: Iterable[str] = PACKAGES) -> dict[str, Path]:
    """Return the file of each module."""
    found = {}
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def is_apart(module: str) -> bool:
    """Return True for instruments and migrations."""
    return any(module == name or module.startswith(f"{name}.") for name in APART)


def code_lines(path: Path) -> int:
    """Count the lines that hold code: neither blank, nor comment, nor docstring."""
    source = path.read_text("utf-8")
    docs = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                docs |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    left_out = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
        tokenize.ENDMARKER,
    }  # fmt: skip
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in left_out
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(lines - docs)


def imports() -> Imports:
    """Return which module imports which, as the code says; without external packages."""
    found = grimp.build_graph(*PACKAGES, cache_dir=None)
    graph = nx.DiGraph()
    graph.add_nodes_from(found.modules)
    for module in found.modules:
        graph.add_edges_from(
            (module, other) for other in found.find_modules_directly_imported_by(module)
        )
    return graph


def layers() -> list[str]:
    """Return the layers of core.table, the lowest first, as the contract names them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for contract in project["tool"]["importlinter"]["contracts"]:
        if contract.get("containers") == [TABLE]:
            return list(reversed(contract["layers"]))
    raise LookupError(f"no contract names the layers of {TABLE}")


def upward(graph: Imports) -> list[tuple[str, str]]:
    """Return imports inside core.table that go from a layer to one above it."""
    height = {name: n for n, name in enumerate(layers())}

    def layer(module: str) -> int | None:
        inside = module.startswith(f"{TABLE}.")
        return height.get(module.removeprefix(f"{TABLE}.").split(".")[0]) if inside else None

    pairs = ((a, b, layer(a), layer(b)) for a, b in graph.edges)
    return sorted(
        (a, b) for a, b, from_, to in pairs if from_ is not None and to is not None and to > from_
    )


def module_cycles(graph: Imports) -> list[list[str]]:
    """Return groups of modules that import each other."""
    return sorted(
        sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1
    )


def room_cycles(graph: Imports) -> list[list[str]]:
    """Return groups of siblings, packages or modules, that import each other."""
    cycles = []
    prefixes = {module[:n] for module in graph for n, letter in enumerate(module) if letter == "."}
    for package in sorted(prefixes):
        rooms = nx.DiGraph()
        for a, b in graph.edges:
            if a.startswith(f"{package}.") and b.startswith(f"{package}."):
                pair = [name.removeprefix(f"{package}.").split(".")[0] for name in (a, b)]
                if pair[0] != pair[1]:
                    rooms.add_edge(*pair)
        groups = (g for g in nx.strongly_connected_components(rooms) if len(g) > 1)
        cycles += [sorted(f"{package}.{room}" for room in group) for group in groups]
    return cycles


def classes_twice() -> dict[str, list[str]]:
    """Return class names that more than one module defines, with those modules."""
    where: defaultdict[str, list[str]] = defaultdict(list)
    for module, path in files().items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(module)
    return {name: modules for name, modules in sorted(where.items()) if len(modules) > 1}


def report() -> Iterator[str]:
    """Yield the lines that `make house` prints."""
    house = {m: p for m, p in files().items() if not is_apart(m)}
    beside = {m: p for m, p in files().items() if is_apart(m)}
    for what, modules in (("core, tasks, webapp", house), ("instruments, migrations", beside)):
        lines = sum(len(path.read_text("utf-8").splitlines()) for path in modules.values())
        code = sum(map(code_lines, modules.values()))
        yield f"{what}: {len(modules)} modules, {lines:,} lines, {code:,} of code"
    graph = imports()
    yield f"imports between modules: {graph.number_of_edges()}"
    up = upward(graph)
    yield f"imports up the layers of {TABLE} ({' < '.join(layers())}): {len(up)}"
    yield from (f"  {a} -> {b}" for a, b in up)
    for what, cycles in (("rooms", room_cycles(graph)), ("modules", module_cycles(graph))):
        yield f"cycles of {what}: {len(cycles)}"
        yield from (f"  {', '.join(group)}" for group in cycles)
    twice = classes_twice()
    yield f"class names in more than one module: {len(twice)}"
    yield from (f"  {name}: {', '.join(modules)}" for name, modules in twice.items())


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())
