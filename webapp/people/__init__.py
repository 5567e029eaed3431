"""Pages of a user: signing in, profile, mails, clocks, channels, and the links of mails."""
