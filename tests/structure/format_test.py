"""All C++ is as clang-format 16 writes it.

  format_test.py SOURCES

Another version would break lines elsewhere, so that only this one can tell.
"""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

VERSION = '16.'
TOPS = ('schemas', 'compiler', 'kernels', 'runtime', 'include', 'experiments', 'tests')
BATCH = 40  # files of one process


def find_formatter():
    for name in ('clang-format-16', 'clang-format'):
        if path := shutil.which(name):
            said = subprocess.run([path, '--version'], capture_output=True, text=True, check=True).stdout
            if said.split('version ')[1].startswith(VERSION):
                return path
    return None


def complaints(formatter, files):
    """The first complaint of each file that is formatted otherwise."""
    done = subprocess.run([formatter, '--dry-run', '--Werror', '--ferror-limit=1', *map(str, files)],
                          capture_output=True, text=True)
    found = [line for line in done.stderr.splitlines() if 'clang-format-violations' in line]
    return found or ([done.stderr] if done.returncode else [])


root = Path(sys.argv[1])
formatter = find_formatter()
if formatter is None:
    if os.environ.get('CI'):
        sys.exit('CI needs clang-format 16: scripts/setup --tests installs it')
    print('skipped: there is no clang-format 16 here')
    sys.exit(77)
files = [path for top in TOPS for path in sorted((root / top).rglob('*')) if path.suffix in ('.cpp', '.hpp', '.h')]
assert len(files) > 1000, f'{root} has only {len(files)} files of C++'

# That it would notice.
if subprocess.run([formatter, '--dry-run', '--Werror', '--assume-filename', str(root / 'tests/some.cpp')], input='int  a ;\n',
                  capture_output=True, text=True).returncode == 0:
    sys.exit(f'{formatter} finds nothing wrong with `int  a ;`')

with ThreadPoolExecutor(os.cpu_count()) as pool:
    batches = [files[i:i + BATCH] for i in range(0, len(files), BATCH)]
    found = [line for lines in pool.map(lambda batch: complaints(formatter, batch), batches) for line in lines]
print(*found, sep='\n')
if found:
    sys.exit(f'{len(found)} files; clang-format-16 -i FILE formats them')
print(f'{len(files)} files are formatted')
