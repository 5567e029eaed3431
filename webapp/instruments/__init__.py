"""Instruments measure the engine and the tables by recorded and self-played games."""
