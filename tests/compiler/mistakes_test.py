# Typical mistakes: the message stands at the right place and holds the repair, the repair compiles without a word, and
# `--fix` makes those that are sure.
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from mistakes import ALL, BASE, PYTORCH

program = Path(sys.argv[1]).resolve()
failures = []


def check(condition, *words):
    if not condition:
        failures.append(words)
        print('wrong:', *words)


def changed(changes):
    text = BASE
    for good, other in changes.items():
        assert text.count(good) == 1, good
        text = text.replace(good, other)
    return text


def run(text, *arguments, folder):
    """The outcome, and the text afterwards."""
    file = folder / 'experiment.yaml'
    file.write_text(text)
    outcome = subprocess.run([program, file.name, '--check', *arguments], cwd=folder, text=True, capture_output=True)
    return outcome, file.read_text()


def is_told(mistake, text, folder):
    printed = run(text, folder=folder)[0].stderr
    check(mistake.says in printed, mistake.title, 'says not', mistake.says, printed)
    lines = run(text, '--format', 'json', folder=folder)[0].stdout.splitlines()
    if not lines:
        return check(False, mistake.title, 'is not noticed')
    first = json.loads(lines[0])
    place = text.encode()[first['place']['begin']:first['place']['end']].decode()
    check((first['code'], place) == (mistake.code, mistake.place), mistake.title, first['code'], repr(place))


def is_repaired(mistake, text, folder):
    outcome, _ = run(changed(mistake.repair), folder=folder)
    check((outcome.returncode, outcome.stderr) == (0, ''), mistake.title, 'repaired', outcome.stderr)
    _, fixed = run(text, '--fix', folder=folder)
    outcome, _ = run(fixed, folder=folder)
    good = (outcome.returncode, outcome.stderr) == (0, '')
    check(good == mistake.fixed, mistake.title, '--fix gives', fixed, outcome.stderr)


everything = [mistake for group in ALL.values() for mistake in group]
assert len(everything) >= 60 and 2 * len(PYTORCH) >= len(everything), 'half of at least sixty are of PyTorch\'s users'
assert len({mistake.title for mistake in everything}) == len(everything)
with tempfile.TemporaryDirectory() as scratch:
    outcome, _ = run(BASE, folder=Path(scratch))
    check((outcome.returncode, outcome.stderr) == (0, ''), 'the good experiment', outcome.stderr)
    outcome, _ = run(changed({'unit: "%"': 'unit: (a, b)', 'kernel_size: 5': 'kernel_size: 5, x-note: (c, d)'}), folder=Path(scratch))
    check('wrong-type' not in outcome.stderr, 'texts in parentheses are no tuples', outcome.stderr)
    for mistake in everything:
        text = changed(mistake.wrong)
        is_told(mistake, text, Path(scratch))
        is_repaired(mistake, text, Path(scratch))
print(f'{len(everything)} mistakes, {sum(mistake.fixed for mistake in everything)} repaired by --fix')
sys.exit(f'{len(failures)} wrong' if failures else 0)
