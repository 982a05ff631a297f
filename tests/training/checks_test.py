"""Callbacks that check and observe: gradients, metrics, outputs, first values from files.

  checks_test.py COMPILER RUNNER
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from numpy_samples import npy
from ranks import mpirun, numbers
from run_experiment import fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
several = [2, 3] if "--ranks" in sys.argv else []

TEXT = """
trainer: {{mini_batch_size: 5, training_algorithm: {{sgd: {{max_epochs: 1}}}}}}
data_reader:
  - digits: {{role: train, num_samples: 8, size: 8}}
  - digits: {{role: validate, num_samples: 3, size: 8}}
  - digits: {{role: test, num_samples: 7, size: 8}}
model:
  layers:
    - input: {{name: images, data_field: samples}}
    - fully_connected: {{name: hidden, num_neurons: 3, weights: [w, b]}}
    - sigmoid: {{name: code}}
    - l2_norm2: {{name: length}}
    - negative: {{name: less, parents: code}}
  objective_function:
    - layer_term: {{layer: length}}
    - l2_weight_regularization: {{scale_factor: 0.01}}
  metrics:
    - layer_metric: {{name: length of code, layer: length}}
  weights:
    - name: w
      initializer: {w}
    - name: b
      initializer: {{value_initializer: {{values: [0.5, -0.25, 0.125]}}}}
  callbacks: {callbacks}
optimizer: {{sgd: {{learn_rate: 0.1}}}}
"""
CHECKS = """
    - check_gradients: {error_on_failure: true}
    - check_metric: {metric: length of code, lower_bound: 0, upper_bound: 3, error_on_failure: true}"""
DUMPS = """
    - dump_outputs: {layers: [code, images], directory: outputs, format: %s}
    - dump_gradients: {basename: gradients/of_}
    - dump_error_signals: {basename: signals/of_}
    - dump_weights: {directory: trained}
    - confusion_matrix: {prediction: code, label: less, prefix: matrix/of_}"""


def save(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(npy(values, 3, len(values) // 3))


def compiled(folder, callbacks, w='{normal_initializer: {standard_deviation: 0.1}}', code=0):
    folder.mkdir()
    (folder / 'experiment.yaml').write_text(TEXT.format(callbacks=callbacks or '[]', w=w))
    done = subprocess.run([compiler, 'experiment.yaml', '-o', 'plan.bin'], cwd=folder, text=True,
                          capture_output=True)
    if done.returncode != code:
        fail(f'compiler: exit code {done.returncode}, not {code}\n{done.stderr}')
    return done.stderr


def run(folder, ranks=1, code=0):
    """Runs the plan in its folder, weights saved in `model<ranks>`; everything it printed."""
    top = folder / f'on{ranks}'
    top.mkdir(exist_ok=True)
    command = [runner, '../plan.bin', '--threads', '1', '--save-model', 'model']
    done = mpirun(ranks, command, cwd=top) if ranks > 1 else subprocess.run(
        command, cwd=top, capture_output=True, text=True)
    if done.returncode != code:
        fail(f'{ranks} ranks: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}')
    return top, done.stdout + done.stderr


def expect(words, text):
    if words not in text:
        fail(f'`{words}` is not in\n{text}')


def table(path):
    return [[float(x) for x in line.replace(',', ' ').split()] for line in path.read_text().splitlines()]


def close(found, expected, tolerance):
    flat = [[x for row in rows for x in row] for rows in (found, expected)]
    if len(flat[0]) != len(flat[1]) or any(abs(a - b) > tolerance * max(1, abs(b)) for a, b in zip(*flat)):
        fail(f'{found} instead of {expected}')


with tempfile.TemporaryDirectory() as name:
    root = pathlib.Path(name)

    # Gradients of this model are right, on any number of ranks, in all three phases.
    compiled(root / 'checks', CHECKS)
    for ranks in [1, *several]:
        _, printed = run(root / 'checks', ranks)
        for phase in ('training', 'validation', 'testing'):
            expect(f'{phase} gradient check: 0 of 195 gradients wrong', printed)

    # Nothing that checks or observes changes a bit of what is trained.
    compiled(root / 'plain', '')
    plain = (run(root / 'plain')[0] / 'model' / 'w.npy').read_bytes()
    compiled(root / 'dumps', DUMPS % 'csv')
    for folder in ('checks', 'dumps'):
        top = root / folder / 'on1' if folder == 'checks' else run(root / folder)[0]
        if (top / 'model' / 'w.npy').read_bytes() != plain:
            fail(f'{folder} changed the weights')

    # A metric outside of its bounds: an error of its own kind, or a warning.
    bad = '\n    - check_metric: {metric: length of code, lower_bound: 5, upper_bound: 6%s, execution_modes: [test]}'
    compiled(root / 'error', bad % ', error_on_failure: true')
    for ranks in [1, *several]:
        _, printed = run(root / 'error', ranks, code=4)
        expect('experiment.yaml:25:7: ', printed)
        expect('metric `length of code` is ', printed)
    compiled(root / 'warning', bad % '')
    expect('warning: experiment.yaml:25:7: ', run(root / 'warning')[1])

    # What is written: rows in the order of samples, whatever the number of ranks.
    one = root / 'dumps/on1/latest'
    outputs = one / 'outputs/trainer0/model0'
    code = table(outputs / 'sgd.testing.epoch.0.step.1_code_output0.csv')
    if [len(row) for row in code] != [3, 3]:
        fail(f'the last mini-batch of the test has two samples of 3 numbers, not {code}')
    if len(table(outputs / 'sgd.training.epoch.0.step.0_images_output0.csv')[0]) != 64:
        fail('an image has 64 numbers')
    files = sorted(path.name for path in outputs.iterdir())
    if len(files) != 2 * 5:
        fail(f'2 layers, 2 + 1 + 2 steps: {files}')
    signal = table(one / 'signals/of_model0-epoch0-step0-code-ErrorSignal0.txt')
    close(signal, [[2 * x / 5 for x in row]
                   for row in table(outputs / 'sgd.training.epoch.0.step.0_code_output0.csv')], 1e-6)
    parts = [[0] * 3 for _ in range(3)]
    for row in table(outputs / 'sgd.testing.epoch.0.step.0_code_output0.csv') + code:
        parts[row.index(max(row))][row.index(min(row))] += 1 / 7
    close(table(one / 'matrix/of_test.csv'), parts, 1e-12)
    for ranks in several:
        top, _ = run(root / 'dumps', ranks)
        for path in sorted(one.glob('*/**/*')):
            if path.suffix in ('.csv', '.txt'):
                close(table(top / 'latest' / path.relative_to(one)), table(path), 1e-5)

    # Gradients are those that the optimizer used: w1 = w0 - 0.1 g. First values come from a file.
    first = [((i * 37) % 101 - 50) / 500 for i in range(192)]
    given = '{numpy_initializer: {file: values/w.npy}}'
    compiled(root / 'given', DUMPS % 'npz', given)
    save(root / 'given/on1/values/w.npy', first)
    top = run(root / 'given')[0] / 'latest'
    g0 = table(top / 'gradients/of_model0-epoch0-step0-w-Gradient.txt')
    g1 = table(top / 'gradients/of_model0-epoch0-step1-w-Gradient.txt')
    after = [w - 0.1 * (a + b) for w, a, b in zip(first, sum(g0, []), sum(g1, []))]
    close([list(numbers(top.parent / 'model/w.npy'))], [after], 1e-6)
    close(table(top / 'trained/trainer0/sgd.shared.epoch_end.epoch.1.step.2/model0/w.txt'),
          [after[i:i + 64] for i in (0, 64, 128)], 1e-6)
    close(table(top / 'trained/trainer0/sgd.shared.training_begin.epoch.0.step.0/model0/w.txt'),
          [first[i:i + 64] for i in (0, 64, 128)], 1e-6)
    outputs = top / 'outputs/trainer0/model0'
    if len(list(outputs.glob('*_output0.npz'))) != 2 * 5:
        fail('an archive for each of 2 layers and 5 steps')
    with zipfile.ZipFile(outputs / 'sgd.validation.epoch.0.step.0_images_output0.npz') as archive:
        if archive.testzip() or archive.namelist() != ['images_output0.npy']:
            fail(f'archive of {archive.namelist()}')
        if b"'shape': (3, 1, 8, 8)" not in archive.read('images_output0.npy'):
            fail(f'three images of 1 x 8 x 8: {archive.read("images_output0.npy")[:80]}')

    # A file that is missing, or of another size, names the line of the weights.
    (top.parent / 'values/w.npy').unlink()
    expect('experiment.yaml:20:13: values of weights ', run(root / 'given', code=3)[1])
    save(top.parent / 'values/w.npy', first[:96])
    expect('it holds 96 numbers, but 192 are needed', run(root / 'given', code=3)[1])
    save(root / 'wrong.npy', first[:96])
    expect('error[data-header]', compiled(root / 'wrong', '', '{numpy_initializer: {file: ../wrong.npy}}', code=1))
