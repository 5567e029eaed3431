"""Where the files lie that are no Python: in a checkout, and in an installed Kraftpost."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_PACKAGED: Final = _HERE / "templates"  # put there by the build, see pyproject.toml

TEMPLATES: Final = _PACKAGED if _PACKAGED.is_dir() else _HERE.parent / "templates"
