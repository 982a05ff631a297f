"""Processor seconds and peak memory of lbann-compile: small experiments, large ones, many at once.

  compiler_benchmark.py COMPILER EXPERIMENTS
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

program, experiments = (Path(argument).resolve() for argument in sys.argv[1:3])
LAYERS = '''trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8}
model:
  layers:
    - input: {data_field: samples}
%s    - l2_norm2: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.1}}
'''


def large(layers):
    return LAYERS % ''.join(f'    - fully_connected: {{name: fc{i}, num_neurons: 8}}\n    - relu:\n'
                            for i in range(layers // 2))


def lines(count):
    """An experiment of so many lines, a field in each, as people write it."""
    entry = ('    - fully_connected:\n        name: fc{0}\n        num_neurons: 64\n        has_bias: true\n'
             '    - relu:\n        name: relu{0}\n    - add:\n        name: sum{0}\n        parents: [fc{0}, relu{0}]\n')
    entries = (count - LAYERS.count('\n')) // entry.count('\n')
    return LAYERS % ''.join(entry.format(i) for i in range(entries))


def measured(folder, *arguments, rounds=3):
    """Least seconds of a core, and MiB, of some runs."""
    best = 1e9
    for _ in range(rounds):
        child = subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        if status != 0:
            sys.exit(f'{arguments}: exit code {os.waitstatus_to_exitcode(status)}')
        best = min(best, usage.ru_utime + usage.ru_stime)
    return best, usage.ru_maxrss / 1024


def report(what, result):
    print(f'{what:40} {1000 * result[0]:8.1f} ms {result[1]:6.0f} MiB', flush=True)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    lenet = experiments / 'lenet_digits/experiment.yaml'
    report('LeNet', measured(folder, lenet, '-o', 'lenet.bin', rounds=10))
    (folder / 'lines.yaml').write_text(lines(1000))
    report('a file of 1000 lines', measured(folder, '--check', 'lines.yaml', rounds=10))
    for count in (100, 1000):
        tree = folder / f'lenet{count}'
        tree.mkdir()
        for i in range(count):
            (tree / f'{i}.yaml').write_text(lenet.read_text())
        report(f'{count} files of LeNet size', measured(folder, '--check', tree.name))
    times = []
    for layers in (2500, 10000):
        (folder / 'large.yaml').write_text(large(layers))
        times.append(measured(folder, 'large.yaml', '-o', 'large.bin'))
        report(f'{layers} layers', times[-1])
    print(f'4 times as many layers take {times[1][0] / times[0][0]:.1f} times as long')
    report('10000 layers as 16 ranks hold them', measured(folder, 'large.bin', '--report', 'memory', '--ranks', '16'))
