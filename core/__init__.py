"""The game and its table: no web framework, no task queue."""
