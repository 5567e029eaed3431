"""The edition of the rules' code: which decisions it makes, whatever the knobs of a game say."""

from typing import Final

EDITION: Final = 1
"""Raised by whoever changes a decision; 0 is version 0.1. Each log names its own.

tests/game/editions holds the fingerprint of each edition's decisions; docs/editions.md says what
becomes of running games.
"""
