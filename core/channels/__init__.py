"""Ways to a player besides mail: webhooks, calendars and feeds. Knows no database."""
