"""Commands and small classifiers of tests that run lbann-compile and lbann-run; all complaints are told at the end."""
import os
import subprocess
import sys

failed = []


def check(good, words):
    if not good:
        failed.append(words)


def run(*command, code=0, cwd=None, env=None, input=''):
    """The process that has ended, which should have done so with `code`."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, capture_output=True, input=input,
                          env={**os.environ, **(env or {})})
    check(done.returncode == code,
          f'{" ".join(map(str, command))}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}')
    return done


def classifier(*readers, classes, data='sizes'):
    """An experiment with these readers: one layer from `data`, the samples, to `probabilities`."""
    lines = ''.join(f'  - {reader}\n' for reader in readers)
    return f"""
trainer: {{mini_batch_size: 4, training_algorithm: {{sgd: {{max_epochs: 1}}}}}}
data_reader:
{lines}model:
  layers:
    - input: {{name: {data}, data_field: samples}}
    - input: {{name: kind, data_field: labels}}
    - fully_connected: {{name: scores, parents: {data}, num_neurons: {classes}}}
    - softmax: {{name: probabilities}}
    - cross_entropy: {{name: loss, parents: [probabilities, kind]}}
  objective_function:
    - layer_term: {{layer: loss}}
optimizer: {{sgd: {{learn_rate: 0.1}}}}
"""


def finish():
    print('\n'.join(failed))
    sys.exit(1 if failed else 0)
