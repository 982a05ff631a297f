"""Gradients accumulated over micro-batches train as whole mini-batches: the same losses, metrics, gradients and weights, on any number of
ranks, with partial last mini-batches, and when training goes on from a checkpoint.

    accumulate_test.py lbann-compile lbann-run
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from ranks import (RankedExperiment, events, fail, require_mpirun, values_of, weights, worst_values,
                   worst_weights)

TOLERANCE = 1e-12
# 29 and 13 samples: the last mini-batch has 5, the last micro-batch of it one.
TEXT = """
trainer:
  mini_batch_size: 8
  training_algorithm: {sgd: {max_epochs: 3}}
  data_coordinator: {datatype: double}
model:
  datatype: double
  layers:
    - input: {name: x, data_field: samples}
    - input: {name: t, data_field: labels}
    - fully_connected: {name: up, parents: x, num_neurons: 7}
    - tanh: {}
    - dropout: {keep_prob: 0.7}
    - layer_norm: {scale: true, bias: true}
    - fully_connected: {name: down, num_neurons: 3}
    - softmax: {name: p}
    - cross_entropy: {name: loss, parents: [p, t]}
    - categorical_accuracy: {name: right, parents: [p, t]}
  objective_function: [{layer_term: {layer: loss}}, {l2_weight_regularization: {scale_factor: 0.01}}]
  metrics: [{layer_metric: {layer: right, name: accuracy}}]
  callbacks:
    - dump_gradients: {basename: gradients/}
    - checkpoint: {checkpoint_steps: 6}
    - step_learning_rate: {step: 1, amt: 0.5}
optimizer: {adam: {learn_rate: 0.02, eps: 1e-3}}
data_reader:
  - synthetic: {role: train, num_samples: 29, synth_dimensions: [5], num_labels: 3}
  - synthetic: {role: validate, num_samples: 13, synth_dimensions: [5], num_labels: 3}
"""


def gradients(top):
    found = {path.name: [float(word) for word in path.read_text().split()] for path in top.glob('latest/gradients/*.txt')}
    if len(found) < 12 * 6:
        fail(f'gradients in {top}: {sorted(found)}')
    return found


def check_same(found, expected, what):
    # Gradients are written with fewer digits.
    if not (distance := worst_weights(gradients(found), gradients(expected))) <= 1e-4:
        fail(f'{what}: gradients differ by {distance:.2g}')
    off = {'weights': worst_weights(weights(found), weights(expected)),
           'losses and metrics': worst_values(values_of(events(found)), values_of(events(expected)))}
    for name, distance in off.items():
        if not distance <= TOLERANCE:
            fail(f'{what}: {name} differ by {distance:.2g}')
    return max(off.values())


class Runs:
    def __init__(self, tools, folder):
        self.tools, self.folder, self.count = tools, folder, 0

    def experiment(self, *changes):
        self.count += 1
        folder = self.folder / f'experiment{self.count}'
        folder.mkdir()
        text = TEXT
        for old, new in changes:
            if old not in text:
                fail(f'no `{old}` in the text')
            text = text.replace(old, new)
        (folder / 'experiment.yaml').write_text(text)
        return RankedExperiment(*self.tools, folder / 'experiment.yaml', folder)

    def accumulating(self, count, *changes):
        return self.experiment(('mini_batch_size: 8', f'mini_batch_size: 8\n  accumulate: {count}'), *changes)


def check_sizes(runs):
    expected = runs.experiment().run_on(1)
    largest = 0.0
    for count in (1, 2, 4, 8):
        experiment = runs.accumulating(count)
        for ranks in (1, 2, 3) if count == 4 else (1,):
            largest = max(largest, check_same(experiment.run_on(ranks), expected, f'{count} micro-batches on {ranks} ranks'))
    for change, options in ((('  training_algorithm', '  shard_updates: true\n  training_algorithm'), ()),
                            (('model:\n', 'model:\n  sharded: true\n'), ()),
                            (('model:\n', 'model:\n  data_layout: model_parallel\n'), ('--mesh', 'data=2,rows=2'))):
        split = runs.accumulating(2, change).run_on(4, *options)
        largest = max(largest, check_same(split, expected, f'{change[1]} on 4 ranks'))
    # Sizes that change: 4 samples in 2 micro-batches, then 8 in 2.
    change = ('    - step_learning_rate: {step: 1, amt: 0.5}\n', '    - step_minibatch: {starting_mbsize: 4, step: 1}\n')
    largest = max(largest, check_same(runs.accumulating(2, change).run_on(2), runs.experiment(change).run_on(1), 'changing sizes'))
    print(f'accumulated gradients: at most {largest:.2g} from whole mini-batches')


def check_resume(runs):
    whole = runs.accumulating(4).run_on(1, name='whole')
    experiment = runs.accumulating(4)
    experiment.run_on(2, '--steps', '6', name='resumed')
    resumed = experiment.run_on(1, '--resume', name='resumed')
    if 'resumed from' not in (log := (resumed / 'latest' / 'log').read_text()):
        fail(f'not resumed:\n{log}')
    if (off := worst_weights(weights(resumed), weights(whole))) > TOLERANCE:
        fail(f'resumed after 6 of 12 steps: weights differ by {off:.2g}')


def check_memory(runs):
    """Activations are those of a micro-batch, and what does not fit is told that it would."""
    wide = (('num_neurons: 7', 'num_neurons: 3000'), ('mini_batch_size: 8', 'mini_batch_size: 1024'),
            ('num_samples: 29', 'num_samples: 2000'))
    whole = runs.experiment(*wide)
    path = whole.folder / 'experiment.yaml'

    def told(*options):
        done = subprocess.run([runs.tools[0], path, '--fits', '64MB', '--threads', '1', *options], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    refused, words = told()
    edit = re.search(r'trainer: {accumulate: ([0-9]+)} +([0-9.]+ MB)', words)
    if refused != 1 or not edit:
        fail(f'--fits: {refused}\n{words}')
    accepted, fewer = told('--set', f'trainer.accumulate={edit[1]}')
    needed = re.search(r'fits: a rank needs ([0-9.]+ MB) of', fewer)
    if accepted != 0 or not needed or needed[1] != edit[2]:
        fail(f'--fits with {edit[0]}: {accepted}\n{fewer}')
    refused, words = told('--set', f'trainer.accumulate={int(edit[1]) // 2}')
    if refused != 1:
        fail(f'half as many micro-batches fit, too:\n{words}')


def main():
    require_mpirun()
    with tempfile.TemporaryDirectory() as name:
        runs = Runs(sys.argv[1:3], pathlib.Path(name))
        check_sizes(runs)
        check_resume(runs)
        check_memory(runs)


main()
