"""The SQL tables, their sessions and their migrations."""
