"""The templates of mails: one environment for all, text unescaped, HTML escaped."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.ext import i18n

from core import text
from core.mail import columns, words

FOLDER: Final = Path(__file__).parents[2] / "templates" / "email"


def render(name: str, **context: Any) -> str:
    """A template such as ``turn/body.txt``; an unknown name in it is an error."""
    return _environment().get_template(name).render(**context)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=select_autoescape(("html",)),
        extensions=[i18n],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        text._, text.ngettext, newstyle=True, pgettext=text.pgettext
    )
    environment.filters |= {
        "fill": columns.fill,
        "bullets": columns.bullets,
        "columns": columns.columns,
        "clip": columns.clip,
        "answers": columns.answers,
        "paragraphs": columns.paragraphs,
    }
    environment.globals |= {"words": words}
    return environment
