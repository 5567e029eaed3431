"""The clocks of a table: how much time a seat has, when it runs, and what moves a deadline."""
