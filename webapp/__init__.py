"""The web pages (`webapp.app.create_app`) and the command line (`webapp.cli`)."""
