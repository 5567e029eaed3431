"""Network, plants and markets: what lies on the table."""
