"""Acts upon a running game: taking back, proposals, votes, and the host's tools."""
