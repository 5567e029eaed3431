"""Players who are away: missed turns, vacations, sitters, and who comes in their place."""
