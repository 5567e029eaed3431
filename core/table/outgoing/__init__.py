"""What is told, to whom and when: turn mails, reminders, digests, webhooks, feeds."""
