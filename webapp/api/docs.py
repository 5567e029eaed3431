"""The API's description, and a page to try it: Swagger UI, served from here."""

from pathlib import Path
from typing import Final, cast

import flask_openapi3_swagger
from flask import Blueprint, Response, current_app, jsonify, make_response, render_template
from flask.typing import ResponseReturnValue
from flask_openapi3.openapi import OpenAPI

from webapp import web

_UI: Final = Path(flask_openapi3_swagger.__file__).parent / "templates" / "swagger"
pages = Blueprint(
    "api_docs", __name__, url_prefix="/api/v1", static_folder=str(_UI), static_url_path="/ui"
)
STYLED: Final = web.POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""Swagger UI writes styles into its elements; its scripts come from here alone."""


@pages.get("/openapi.json")
def description() -> Response:
    """Return the OpenAPI description, made from the calls themselves."""
    return jsonify(cast(OpenAPI, current_app).api_doc)


@pages.get("/docs")
def show() -> ResponseReturnValue:
    """Show all calls, to try them with a token of one's own."""
    page = make_response(render_template("api/docs.html"))
    page.headers["Content-Security-Policy"] = STYLED
    return page
