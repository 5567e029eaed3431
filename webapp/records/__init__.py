"""Pages of games that are over, and of each position before: replay, story, gallery, statistics."""
