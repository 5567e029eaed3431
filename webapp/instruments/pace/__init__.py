"""How fast a table plays: bots as people, the real table, six ways of answering."""
