"""What a game is played by: every knob, the maps and variants as files, and their cross-checks."""
