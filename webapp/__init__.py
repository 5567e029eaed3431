"""The web pages and the command line."""
