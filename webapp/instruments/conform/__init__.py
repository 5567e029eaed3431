"""Games recorded elsewhere, replayed through the engine position by position."""
