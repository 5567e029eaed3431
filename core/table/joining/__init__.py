"""Before a game begins: tables and their terms, invitations, and who takes a seat."""
