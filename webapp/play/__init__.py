"""Pages of a running game: its board, its turns, standing orders, and acts upon it."""
