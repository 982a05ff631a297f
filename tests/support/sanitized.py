"""Whether programs are built with sanitizers: several times slower, so that what differs in size alone is
run once."""
import pathlib


def is_sanitized(program):
    return b'__asan_init' in pathlib.Path(program).read_bytes()
