"""Mail that comes in: stored, read, acted upon and answered once."""
