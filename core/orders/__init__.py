"""Standing orders: what a player has decided ahead, and what that answers (M65 to M70)."""
