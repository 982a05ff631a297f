"""Seconds after which what a test waits for hangs; a slow machine with other work needs a few of them. No test measures by it."""
HANG_GUARD = 600
