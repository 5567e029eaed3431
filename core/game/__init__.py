"""Rules and log: pure, without clock or I/O; chance only in ``chance``."""
