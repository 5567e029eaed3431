"""What is owed to whom, and when it may go. Layer 2 of the table."""
