"""What is kept of games: files, films, results, ratings, statistics."""
