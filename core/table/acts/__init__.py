"""What changes a table beside moves: hosts, votes, undo, absence, seats. Layer 5 of the table."""
