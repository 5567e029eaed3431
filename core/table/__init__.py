"""One game as it is played: moves arrive, are judged and have a deadline."""
