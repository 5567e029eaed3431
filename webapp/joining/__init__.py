"""Pages before a game: the lobby, a new table, the rules in words."""
