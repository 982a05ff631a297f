"""Inputs standardised by the mean and deviation of the training data, against float64 sums in Python.

  statistics_test.py COMPILER RUNNER [--ranks]
"""
import array
import csv
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from numpy_samples import npy
from ranks import RankedExperiment, numbers, require_mpirun
from run_experiment import fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
CHANNELS, INNER, SAMPLES, TESTED = 3, 5, 23, 6
TEXT = """
trainer: {{mini_batch_size: 4, training_algorithm: {{sgd: {{max_epochs: 1}}}}}}
data_reader:
  - numpy: {{role: train, data_filename: train.npy, {choice}, disable_labels: true, disable_responses: true}}
  - numpy: {{role: test, data_filename: test.npy, disable_labels: true, disable_responses: true}}
model:
  layers:
    - input: {{name: x, data_field: samples, standardize: {axis}}}
    - fully_connected: {{name: hidden, num_neurons: 2}}
    - l2_norm2: {{name: loss}}
  objective_function:
    - layer_term: {{layer: loss}}
  callbacks:
    - dump_outputs: {{layers: [x], execution_modes: [test], directory: outputs}}
optimizer: {{sgd: {{learn_rate: 0.01}}}}
"""


def samples(count, seed, spread):
    """Of very unlike channels; the last one is constant."""
    draw = random.Random(seed)
    channels = (lambda: 1000 + spread * draw.gauss(0, 1), lambda: 1e-3 * draw.random(), lambda: 7.0)
    return [[channels[i // INNER]() for i in range(CHANNELS * INNER)] for _ in range(count)]


def rounded(rows):
    """As the file of 32-bit numbers holds them."""
    return [array.array('f', row).tolist() for row in rows]


def moments(values):
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / len(values))
    return mean, deviation or 1.0


def expected_statistics(rows, axis):
    if axis == 'channels':
        groups = [[x for row in rows for x in row[c * INNER:(c + 1) * INNER]] for c in range(CHANNELS)]
    else:
        groups = [[row[i] for row in rows] for i in range(CHANNELS * INNER)]
    return [moments(group) for group in groups]


def close(found, expected, what, bound=1e-6):
    if len(found) != len(expected):
        fail(f'{what}: {len(found)} numbers, not {len(expected)}')
    worst = max(abs(a - b) / max(abs(b), 1e-6) for a, b in zip(found, expected))
    if not worst <= bound:
        fail(f'{what}: differs by {worst}\n{list(found)}\n{list(expected)}')


def outputs(top):
    rows = []
    files = sorted(top.glob('latest/outputs/trainer0/model0/*_x_output0.csv'),
                   key=lambda path: int(re.search('[.]step[.]([0-9]+)_', path.name)[1]))
    for path in files:
        rows += [[float(cell) for cell in row] for row in csv.reader(path.open())]
    return rows


def check(run, ranks, axis, training, testing):
    top = run.run_on(ranks, '--threads', 1, '--data-root', run.folder)
    statistics = expected_statistics(training, axis)
    model = top / 'model'
    means, deviations = numbers(model / 'x_mean.npy'), numbers(model / 'x_deviation.npy')
    close(means, [mean for mean, _ in statistics], f'{axis} on {ranks} ranks, mean')
    close(deviations, [deviation for _, deviation in statistics], f'{axis} on {ranks} ranks, deviation', 1e-5)
    found = outputs(top)
    if len(found) != len(testing):
        fail(f'{len(found)} rows of output, not {len(testing)}')
    for row, values in zip(testing, found):
        wanted = [(x - means[g]) / deviations[g]
                  for i, x in enumerate(row) for g in [i // INNER if axis == 'channels' else i]]
        close(values, wanted, f'{axis} on {ranks} ranks, output', 1e-3)
    print(f'{axis} on {ranks} ranks: as in Python')
    return top


def reuse(run, top):
    """A model brings its statistics along, whatever data it is trained on."""
    other = run.folder / 'other'
    other.mkdir()
    for name, count in (('train.npy', SAMPLES), ('test.npy', TESTED)):
        rows = samples(count, 99, 3)
        (other / name).write_bytes(npy([x for row in rows for x in row], len(rows), CHANNELS, INNER))
    again = run.run_on(1, '--threads', 1, '--data-root', other, '--load-model', top / 'model')
    for name in ('x_mean.npy', 'x_deviation.npy'):
        if numbers(again / 'model' / name) != numbers(top / 'model' / name):
            fail(f'{name} is not that of the model that was loaded')
    print('a loaded model keeps its statistics')


def refusals(run):
    """Data without a mean end the run, with their place."""
    bad = run.folder / 'bad'
    bad.mkdir()
    rows = samples(SAMPLES, 1, 2)
    rows[5][3] = math.nan
    (bad / 'train.npy').write_bytes(npy([x for row in rows for x in row], len(rows), CHANNELS, INNER))
    (bad / 'test.npy').write_bytes((run.folder / 'test.npy').read_bytes())
    done = subprocess.run([runner, run.plan, '--work-dir', bad, '--data-root', bad], capture_output=True, text=True)
    if done.returncode != 3 or 'sample 5' not in done.stderr or 'nan' not in done.stderr:
        fail(f'exit code {done.returncode}\n{done.stderr}')
    print(done.stderr.strip())


with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch)
    if '--ranks' in sys.argv:
        require_mpirun()
    training, testing = rounded(samples(SAMPLES, 1, 2)), rounded(samples(TESTED, 2, 2))
    for axis, choice, used in (('channels', 'absolute_sample_count: 19', 19),
                               ('entries', 'fraction_of_data_to_use: 1', SAMPLES)):
        folder = root / axis
        folder.mkdir()
        for name, rows in (('train', training), ('test', testing)):
            (folder / f'{name}.npy').write_bytes(npy([x for row in rows for x in row], len(rows), CHANNELS, INNER))
        (folder / 'experiment.yaml').write_text(TEXT.format(axis=axis, choice=choice))
        run = RankedExperiment(compiler, runner, folder / 'experiment.yaml', folder)
        top = check(run, 1, axis, training[:used], testing)
        if '--ranks' in sys.argv:
            for ranks in (2, 3, 4):
                check(run, ranks, axis, training[:used], testing)
        if axis == 'channels':
            reuse(run, top)
            refusals(run)
