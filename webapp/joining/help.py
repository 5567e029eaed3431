"""Short help inside the product: the phases, and the words that a turn understands."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

pages = Blueprint("help", __name__)


@pages.get("/help/rules")
def rules() -> ResponseReturnValue:
    """How a round goes and what to write in each phase."""
    return render_template("help/rules.html")
