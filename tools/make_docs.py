"""Write into docs/requirements.md and docs/rules-coverage.md which test proves which number.

    make docs           write both pages anew
    ... --check         exit code 1 if a page is stale

The pages list the numbers and what each of them says. The tests say what they prove: by a number
in their name (`test_m12_…`, `test_R7_5_…`, `test_C03_…`), or by `@pytest.mark.proves("R3.1")`. The
last cell of each row is made from that; a new number is a new row with an empty cell.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
Proof = tuple[str, str]


@dataclass(frozen=True)
class Page:
    """A page of numbered rows, and the folder of the tests that prove them."""

    path: Path
    tests: Path
    letters: str
    row: re.Pattern[str]
    tag: re.Pattern[str]

    def proofs(self) -> dict[str, list[Proof]]:
        """Return (file, test) pairs by the number that they prove, sorted by file and name."""
        found: dict[str, list[Proof]] = {}
        for file in sorted(self.tests.rglob("test_*.py")):
            where = file.relative_to(self.tests).as_posix()
            for name, marked in tests_in(file):
                named = {
                    tag[0].upper() + tag[1:].replace("_", ".") for tag in self.tag.findall(name)
                }
                for number in named | {mark for mark in marked if mark[0] in self.letters}:
                    found.setdefault(number, []).append((where, name))
        return {number: sorted(proofs) for number, proofs in found.items()}

    def written(self) -> str:
        """Return the page as it should be."""
        proofs = self.proofs()

        def cell(row: re.Match[str]) -> str:
            tests = "<br>".join(f"`{file}::{name}`" for file, name in proofs.get(row["number"], []))
            return f"{row['head']} {tests} |"

        return self.row.sub(cell, self.path.read_text("utf-8"))


def tests_in(file: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each test function of a file with the numbers of its `proves` mark."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = [
                d for d in node.decorator_list if ast.unparse(d).startswith("pytest.mark.proves(")
            ]
            yield node.name, {ast.literal_eval(arg) for mark in marks for arg in mark.args}


REQUIREMENTS = Page(
    ROOT / "docs" / "requirements.md",
    ROOT / "tests",
    "M",
    re.compile(r"^(?P<head>\| (?P<number>M\d+) \| [^|]+ \|) .*\|$", re.MULTILINE),
    re.compile(r"_(m\d+)(?=_|$)"),
)
RULES = Page(
    ROOT / "docs" / "rules-coverage.md",
    ROOT / "tests" / "game" / "rules",
    "RBTCS",
    re.compile(
        r"^(?P<head>\| (?P<number>[RBTCS]\d+(?:\.\d+)?[bc]?) \|(?: [^|]+ \|)+?) "
        r"(?:`test_[^|]*)?\|$",
        re.MULTILINE,
    ),
    re.compile(r"_(R\d+(?:_\d+)|[BTCS]\d+[bc]?)(?=_|$)"),
)
PAGES = (REQUIREMENTS, RULES)


def main() -> int:
    """Write the pages, or only say which are stale."""
    check = "--check" in sys.argv
    stale = [page for page in PAGES if page.written() != page.path.read_text("utf-8")]
    for page in stale:
        what = "is stale: run `make docs`" if check else "is written anew"
        print(page.path.relative_to(ROOT), what)
        if not check:
            page.path.write_text(page.written(), "utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
