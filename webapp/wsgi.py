"""What a web server loads: ``gunicorn webapp.wsgi:app``."""

from core.settings import load
from webapp.app import create_app

app = create_app(load())
