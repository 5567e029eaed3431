"""The log on paper: events as JSON, old shapes lifted, whole games as files."""
