"""What a web server loads: ``gunicorn webapp.wsgi:app``."""

import os

from webapp.app import create_app

os.umask(0o077)  # what it writes is nobody else's on this machine (S3)

app = create_app()
