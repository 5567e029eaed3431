"""The API: what pages offer to people, for programs. See docs/api.md."""
