"""``python -m webapp.cli`` is the command ``kraftpost``."""

from webapp.cli import main

main(prog_name="kraftpost")
