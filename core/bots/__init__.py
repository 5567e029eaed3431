"""Players that see one seat's view of the game and nothing else."""
