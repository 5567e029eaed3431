"""One module a phase, all of one shape.

`to_act` (who is asked) · `options` (what the form and the mail offer) · `decide` (a move becomes
events, or IllegalMove) · `advance` (what happens by itself).
"""
