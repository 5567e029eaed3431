"""What pages and mails show. Layer 6 of the table."""
