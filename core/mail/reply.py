"""What a person wrote in an answer, without the mail that is quoted in it."""

MARKER = "--- Kraftpost: answer above this line ---"
"""First line of every mail that can be answered; what stands below it was written by us."""
