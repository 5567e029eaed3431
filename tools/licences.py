"""Write into NOTICE under which licences the packages stand that an installation brings along.

They are those of requirements/play.lock; what each says of itself is read from what is installed.
"""

import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
NOTICE: Final = ROOT / "NOTICE"
BEGIN: Final = "Packages that an installation brings along (make licences)\n"
_SHORT: Final = 60
"""Characters; a longer “License” is the licence's own text."""


def locked() -> list[str]:
    """Return the names of all packages that playing needs, on whatever platform."""
    lines = (ROOT / "requirements" / "play.lock").read_text("utf-8").splitlines()
    return sorted(found[1] for line in lines if (found := re.match(r"([a-z0-9._-]+)==", line)))


def licence(name: str) -> str:
    """Return what an installed package says of its licence; empty if it is not installed here."""
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    if expression := told.get("License-Expression"):
        return expression
    classes = [
        c.rpartition(" :: ")[2] for c in told.get_all("Classifier") or [] if "License ::" in c
    ]
    plain = (told.get("License") or "").strip()
    short = plain if plain and len(plain) <= _SHORT and "\n" not in plain else ""
    return short or ", ".join(classes) or "see the package"


def section(old: str) -> str:
    """Return the part of NOTICE that this writes.

    `old` is the part as it stands: what is for another platform keeps its line.
    """
    said = dict(re.findall(r"^  (\S+): (.+)$", old, re.MULTILINE))
    known = {name: licence(name) or said.get(name, "") for name in locked()}
    rows = (f"  {name}: {said}\n" for name, said in known.items() if said)
    return BEGIN + "\n" + "".join(rows)


def main() -> None:
    """Write NOTICE anew, or with --check say whether it is current."""
    own, _begin, old = NOTICE.read_text("utf-8").partition(BEGIN)
    written = own.rstrip("\n") + "\n\n" + section(old)
    if "--check" in sys.argv:
        sys.exit(written != NOTICE.read_text("utf-8"))
    NOTICE.write_text(written, "utf-8")


if __name__ == "__main__":
    main()
