"""One game's rows: its log, seats, open turns, clocks and standing orders. Layer 1 of the table."""
