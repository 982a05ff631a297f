#!/usr/bin/env python3
"""Closed descriptors, readers that have left, full devices, files that may not grow."""
import os, subprocess, sys, tempfile

program = os.path.abspath(sys.argv[1])
failures = 0


def check(what, good, *details):
    global failures
    if not good:
        failures += 1
        print('FAILED:', what, *details, sep='\n  ')


def shell(line, folder=None):
    return subprocess.run(['bash', '-c', line, program], capture_output=True, text=True, timeout=60, cwd=folder)


for closed in ('<&-', '>&-', '2>&-', '<&- >&-', '<&- >&- 2>&-', '>&- 2>&-'):
    number = shell(f'$0 number {closed}').returncode
    check(f'{closed}: no file gets a standard number', number > 2, number)
check('closed input cannot be read', shell('$0 read <&-').returncode == 9)
for size in (10, 1000000):
    result = shell(f'$0 {size} >&-')
    check('closed output is lost', result.returncode == 3 and 'Bad file descriptor' in result.stderr, result.stderr)
    result = shell(f'$0 {size} > /dev/full')
    check('full output is lost', result.returncode == 3 and 'No space left' in result.stderr, result.stderr)
    result = shell(f'$0 {size}')
    check('printed', result.returncode == 0 and result.stdout == size * 'x')
result = shell('$0 5000000 | head -c 1; exit ${PIPESTATUS[0]}')
check('a reader who has left is no failure', result.returncode == 0 and result.stderr == '', result.returncode)
with tempfile.TemporaryDirectory() as folder:
    result = shell('ulimit -f 1024; $0 grow file', folder)
    check('a file that may not grow is a failed write', result.returncode == 9, result.returncode)
for name, number in (('PIPE', 13), ('XFSZ', 25)):
    result = shell(f'$0 start bash -c "kill -{name} \\$\\$; true"')
    check(f'programs it starts die of SIG{name} as always', result.returncode == -number or
          result.returncode == 128 + number, result.returncode)
result = shell("trap '' PIPE; $0 start bash -c 'kill -PIPE $$; exit 5'")
check('a signal ignored before stays ignored', result.returncode == 5, result.returncode)
print('failures:', failures)
sys.exit(1 if failures else 0)
