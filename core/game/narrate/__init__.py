"""Events in words, made when read and never stored."""
