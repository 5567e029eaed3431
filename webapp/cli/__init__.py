"""The ``kraftpost`` command: one module per group of commands."""

import click


@click.group()
def main() -> None:
    """Play Power Grid by mail or web form."""
