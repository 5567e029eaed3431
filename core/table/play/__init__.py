"""Moves become part of a game. Layer 3 of the table."""
