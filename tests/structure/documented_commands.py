# Runs the shell blocks of all documents in a copy of the tree, so that none can rot.
# A block that is not run here carries above it `<!-- not run here: reason -->`, one that is run only where a program or
# a module of Python is installed `<!-- needs NAME -->`, one that is meant to fail `<!-- exit code N -->`. A text block that follows with `<!-- prints -->` above it is what the block
# before must print.
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from expected import difference

source, build = Path(sys.argv[1]), Path(sys.argv[2])
BLOCK = re.compile(r'(?:<!-- not run here: (?P<reason>[^>]+) -->\n|<!-- needs (?P<needed>\w+) -->\n|<!-- exit code (?P<code>\d+) -->\n)?```(?P<tag>sh|bash|shell|console)\n(?P<text>.*?)```', re.S)

PRINTED = re.compile(r'\n+<!-- prints -->\n```text\n(?P<text>.*?)```', re.S)


def installed(name):
    """A program, or a module of the python3 that the blocks run."""
    return shutil.which(name) or subprocess.run(['python3', '-c', f'import {name}'], stderr=subprocess.DEVNULL).returncode == 0


documents = sorted(source.glob('*.md')) + sorted(
    path for top in ('docs', 'schemas', 'compiler', 'kernels', 'runtime', 'experiments', 'tests')
    for path in (source / top).rglob('*.md'))
failed = ran = 0
with tempfile.TemporaryDirectory() as folder:
    for entry in source.iterdir():
        if not entry.name.startswith(('build', '.git', 'work')):
            os.symlink(entry, Path(folder) / entry.name)
    os.symlink(build, Path(folder) / 'build')
    for document in documents:
        text = document.read_text()
        for block in BLOCK.finditer(text):
            if block['reason']:
                continue
            if block['needed'] and not installed(block['needed']):
                print(f'{document.relative_to(source)}: skipped, there is no {block["needed"]} here\n{block["text"]}')
                continue
            ran += 1
            outcome = subprocess.run(['bash', '-euo', 'pipefail', '-c', block['text']], cwd=folder,
                                     text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            good = outcome.returncode == int(block['code'] or 0)
            printed = PRINTED.match(text, block.end())
            if good and printed:
                frame = printed.group()[:-len(printed['text'] + '```')]
                whole = document.read_text()
                differs = difference(document, whole.replace(printed.group(), frame + outcome.stdout + '```'))
                good = not differs
                print(differs)
            print(f'{document.relative_to(source)}: {"good" if good else "FAILED"}\n{block["text"]}')
            if not good:
                failed += 1
                print(outcome.stdout)
if ran == 0:
    print('no document has a shell block to run')
sys.exit(1 if failed or ran == 0 else 0)
