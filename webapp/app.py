"""The application factory: settings in, pages out."""

import zlib
from pathlib import Path
from typing import Final

from flask import Flask, url_for
from flask_openapi3.models.info import Info
from flask_openapi3.openapi import OpenAPI
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from core.drawing import composed
from core.places import TEMPLATES
from core.settings import Settings, load
from tasks.app import ring_briefly
from webapp import (
    access,
    api,
    dev_mail,
    errors,
    identity,
    kept,
    language,
    ops,
    patience,
    template_globals,
    web,
    wire,
)
from webapp.api import docs, problems, v1
from webapp.joining import hosting, lobby, rules
from webapp.people import (
    account,
    admin,
    auth,
    channels,
    mail_doors,
    mail_links,
    profile,
    programs,
    tables_api,
)
from webapp.play import game, host_acts, open_seats, orders, turns, undo, whatif
from webapp.records import exporting, gallery, importing, pictures, replay, statistics, story

HERE: Final = Path(__file__).parent
FORM_LIMIT: Final = 256 * 1024  # bytes of one request; a reply from /dev/mail is the largest

csrf = wire.Guard()


def create_app(settings: Settings | None = None) -> Flask:
    """Return the whole site for these settings, or for those of the environment.

    Touches neither database nor Redis until asked.
    """
    settings = settings or load()
    app = OpenAPI(
        "webapp",
        info=Info(title="Kraftpost", version="1", description=api.__doc__ or ""),
        security_schemes={"token": {"type": "http", "scheme": "bearer"}},
        validation_error_callback=problems.unreadable,
        validation_error_model=problems.Problem,
        doc_ui=False,  # webapp.api.docs shows it, without inline scripts
        template_folder=str(TEMPLATES),
        root_path=str(HERE),
    )
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SESSION_COOKIE_NAME="kraftpost_form",  # only CSRF and short messages; see webapp.identity
        SESSION_COOKIE_SECURE=settings.public_url.startswith("https://"),
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=FORM_LIMIT,
        WTF_CSRF_TIME_LIMIT=None,  # a turn form may lie open for days
        TESTING=settings.env == "test",
    )
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    composed.keep_in(settings.data / "boards")
    web.init_app(app, settings)
    patience.init_app(app)
    ring_briefly()
    importing.init_app(app)
    csrf.init_app(app)
    wire.init_app(app)
    _register(app)
    _templates(app)
    return app


def _register(app: OpenAPI) -> None:
    areas = (language, identity, kept, errors, template_globals, pictures, rules, ops, access)
    for area in areas:
        area.init_app(app)
    app.register_blueprint(admin.texts)
    people = (
        admin,
        auth,
        profile,
        account,
        channels,
        programs,
        mail_links,
        mail_doors,
        tables_api,
        docs,
    )
    tables = (lobby, hosting, game, turns, orders, whatif, open_seats, undo, host_acts)
    records = (gallery, replay, story, statistics, exporting, importing, pictures)
    for pages in (*people, *tables, *records, rules, ops):
        app.register_blueprint(pages.pages)
    if dev_mail.allowed(web.settings(app)):
        app.register_blueprint(dev_mail.pages)
    app.register_api(v1.pages)
    csrf.exempt(mail_doors.pages)
    csrf.exempt(v1.pages)  # a token is brought with each call, never by a browser's cookie
    for view in mail_links.UNGUARDED:
        csrf.exempt(view)


def _templates(app: Flask) -> None:
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    # one query string per content, so that a browser may keep a file until it changes
    marks = {
        path.name: f"{zlib.crc32(path.read_bytes()):08x}" for path in (HERE / "static").iterdir()
    }

    def asset(name: str) -> str:
        return url_for("static", filename=name, v=marks[name])

    app.jinja_env.globals.update(asset=asset, dev_mail=dev_mail.allowed(web.settings(app)))
