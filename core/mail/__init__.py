"""Mail both ways: what is written, and what is read from an answer."""
