"""The figures of docs/scaling are drawn from its times, and its times are those of today's schedules.

  scaling_test.py SCALING BUILD DOCS
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
scaling, build, docs = map(pathlib.Path, sys.argv[1:])


def study(output, *more):
    done = subprocess.run([scaling, '--build', build, '--output', output, *more], text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f'exit code {done.returncode}\n{done.stdout}{done.stderr}')


with tempfile.TemporaryDirectory() as name:
    drawn, simulated = pathlib.Path(name) / 'drawn', pathlib.Path(name) / 'simulated'
    drawn.mkdir()
    shutil.copy(docs / 'simulated.json', drawn)
    study(drawn)
    for figure in sorted(docs.glob('*.svg')):
        if figure.read_text() != (drawn / figure.name).read_text():
            sys.exit(f'{figure} is not drawn from simulated.json: run scripts/scaling')
    if shutil.which('smpirun') is None:
        print('skipped: nothing is simulated without smpirun (libsimgrid-dev)')
        sys.exit(SKIPPED)
    study(simulated, '--figure', '6', '--within', '16')
    kept = json.loads((docs / 'simulated.json').read_text())
    for key, seconds in json.loads((simulated / 'simulated.json').read_text()).items():
        if key not in kept or abs(kept[key] / seconds - 1) > 1e-3:
            sys.exit(f'{key}: {seconds} s, but docs/scaling/simulated.json says {kept.get(key)}: run scripts/scaling anew')
print('figures and times are current')
