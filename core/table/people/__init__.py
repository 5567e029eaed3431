"""Users: accounts, addresses, and how they are deleted."""
