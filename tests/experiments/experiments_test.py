# Compiles every experiment under experiments/ and, where lbann-run is built, trains it for a few steps.
# Usage: experiments_test.py SOURCE_ROOT LBANN_COMPILE [LBANN_RUN] -- EXPERIMENT...
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

split = sys.argv.index('--')
root, compiler, *runners = [Path(a).resolve() for a in sys.argv[1:split]]
experiments = sys.argv[split + 1:]
data = os.environ.get('LBANN_TEST_DATA')
failures = 0


def run(*command, cwd):
    global failures
    outcome = subprocess.run([str(c) for c in command], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if outcome.returncode:
        failures += 1
        print('FAILED:', ' '.join(map(str, command)), '\n' + outcome.stdout)
    return outcome.stdout if outcome.returncode == 0 else None


listed = {root / 'experiments' / e for e in experiments}
found = set((root / 'experiments').rglob('*.yaml'))
if listed != found:
    print('experiments/meson.build and the files there differ:', sorted(map(str, listed ^ found)))
    failures += 1

with tempfile.TemporaryDirectory() as folder:
    for experiment in experiments:
        path = root / 'experiments' / experiment
        text = path.read_text()
        settings = ['--set', 'trainer.training_algorithm.sgd.max_batches=3']
        for size in re.findall(r'- digits: \{role: (\w+)', text):
            settings += ['--set', f'data_reader.{size}.num_samples=256']
        needs_data = '- mnist:' in text
        if needs_data and data:
            settings += ['--set', f'variables.data={data}/mnist', '--set', 'variables.images=t10k-images-idx3-ubyte.gz',
                         '--set', 'variables.labels=t10k-labels-idx1-ubyte.gz']
        # As written: no data file is needed, and the command of the documentation works.
        if run(compiler, path, '-o', 'written.bin', cwd=folder) is None:
            continue
        if run(compiler, path, '-o', 'plan.bin', *settings, cwd=folder) is None:
            continue
        if not runners or (needs_data and not data):
            print(f'{experiment}: compiles' + (' (not run: no LBANN_TEST_DATA)' if needs_data and not data else ''))
            continue
        output = run(runners[0], 'plan.bin', cwd=folder)
        if output is None:
            continue
        if not re.search(r'training epoch \d+ objective function : [0-9.e+-]+', output):
            failures += 1
            print(f'{experiment}: no objective in\n{output}')
        else:
            print(f'{experiment}: runs')
sys.exit(1 if failures else 0)
