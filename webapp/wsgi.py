"""What a web server loads: ``gunicorn webapp.wsgi:app``."""

from webapp.app import create_app

app = create_app()
