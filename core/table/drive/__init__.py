"""What wakes all that: the adjudicator, the sweep and mail that came in. Layer 7 of the table."""
