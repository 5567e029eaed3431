"""The story of a game, told from its log alone: accounts, courses of numbers, what decided it."""
