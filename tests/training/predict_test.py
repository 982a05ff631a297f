# lbann-run --predict: against a forward pass in plain Python and dump_outputs, on any number of ranks and threads, with and
# without labels; what is wrong is one message.
#   predict_test.py lbann-compile lbann-run [mpi]
import ast
import csv
import math
import random
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from classifier_runs import check, classifier, finish, run  # noqa: E402

compiler, runtime = (Path(path).resolve() for path in sys.argv[1:3])
with_mpi = 'mpi' in sys.argv[3:]
SAMPLES, LENGTH, CLASSES = 37, 5, 3

MODEL = """
trainer: {mini_batch_size: 8, training_algorithm: {sgd: {max_epochs: 3}}}
data_reader:
  - csv: {role: train, data_filename: train.csv, num_labels: 3, shuffle: true, validation_fraction: 0.2}
  - csv: {role: test, data_filename: test.csv, num_labels: 3}
model:
  layers:
    - input: {name: sizes, data_field: samples}
    - input: {name: kind, data_field: labels}
    - fully_connected: {name: first, parents: sizes, num_neurons: 7}
    - batch_normalization: {name: norm}
    - relu: {name: code}
    - dropout: {name: drop, keep_prob: 0.5}
    - fully_connected: {name: second, num_neurons: 3}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, kind]}
    - categorical_accuracy: {name: accuracy, parents: [probabilities, kind]}
  objective_function:
    - layer_term: {layer: loss}
  metrics:
    - layer_metric: {name: accuracy, layer: accuracy}
  callbacks:
    - dump_outputs: {layers: [probabilities, norm], execution_modes: [test], directory: dumped}
optimizer: {sgd: {learn_rate: 0.1}}
"""


def read_npy(data):
    """Dims and numbers of an array."""
    length = struct.unpack('<H', data[8:10])[0]
    head = ast.literal_eval(data[10:10 + length].decode())
    check(head['descr'] in ('<f4', '<f8') and not head['fortran_order'], f'unexpected head {head}')
    code = {'<f4': 'f', '<f8': 'd'}[head['descr']]
    count = math.prod(head['shape'])
    check(len(data) == 10 + length + count * struct.calcsize(code), f'{head} of {len(data)} bytes')
    return head['shape'], struct.unpack(f'<{count}{code}', data[10 + length:])


def read_npz(path):
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, f'{path}: {archive.testzip()} is damaged')
        return {name.removesuffix('.npy'): read_npy(archive.read(name)) for name in archive.namelist()}


def rows_of(shape, values):
    width = math.prod(shape[1:])
    return [values[i:i + width] for i in range(0, len(values), width)]


def write_csv(path, samples, labelled=True):
    text = ','.join(f'size{i}' for i in range(LENGTH)) + (',kind\n' if labelled else '\n')
    for sizes, kind in samples:
        text += ','.join(map(repr, sizes)) + (f',{kind}\n' if labelled else '\n')
    path.write_text(text)


def forward(weights, sizes):
    """The model in double, as a test has it: running statistics, nothing dropped."""
    def affine(name, values):
        (_, matrix), (_, bias) = weights[f'{name}_linearity_weights'], weights[f'{name}_bias_weights']
        return [b + sum(m * v for m, v in zip(matrix[len(values) * i:], values)) for i, b in enumerate(bias)]
    first = affine('first', sizes)
    scale, bias, mean, variance = (weights[f'norm_{part}'][1]
                                   for part in ('scale', 'bias', 'running_mean', 'running_variance'))
    channel = (lambda numbers, i: numbers[i] if len(numbers) > 1 else numbers[0])
    norm = [(x - channel(mean, i)) / math.sqrt(channel(variance, i) + 1e-5) * channel(scale, i) + channel(bias, i)
            for i, x in enumerate(first)]
    scores = affine('second', [max(0, x) for x in norm])
    powers = [math.exp(score - max(scores)) for score in scores]
    return norm, [power / sum(powers) for power in powers]


def close(found, expected, what):
    worst = max(abs(a - b) for a, b in zip(found, expected))
    check(len(found) == len(expected) and worst < 2e-5, f'{what}: {worst} apart')


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    draw = random.Random(7)
    def samples(count):
        return [([draw.gauss(kind, 1.5) for _ in range(LENGTH)], kind)
                for kind in (draw.randrange(CLASSES) for _ in range(count))]
    write_csv(folder / 'train.csv', samples(50))
    test = samples(SAMPLES)
    write_csv(folder / 'test.csv', test)
    (folder / 'experiment.yaml').write_text(MODEL)
    run(compiler, 'experiment.yaml', '-o', 'plan.bin', cwd=folder)
    run(runtime, 'plan.bin', '--work-dir', 'runs', '--save-model', 'model', '--export', 'model.npz', '--quiet', cwd=folder)
    weights = read_npz(folder / 'model.npz')

    def predict(out, *options, code=0, command=(), env=None):
        return run(*command, runtime, 'plan.bin', '--predict', '--load-model', 'model', '--out', out, *options,
                   code=code, cwd=folder, env=env)

    # Against plain Python in double, and what the test of the training run dumped, bit by bit.
    told = predict('p.npy').stdout
    check('`probabilities` [3]' in told and '37 samples' in told and 'role test' in told, told)
    shape, values = read_npy((folder / 'p.npy').read_bytes())
    check(shape == (SAMPLES, CLASSES), f'p.npy is {shape}')
    for row, (sizes, _) in zip(rows_of(shape, values), test):
        close(row, forward(weights, sizes)[1], 'probabilities')
    predict('all.npz', '--layers', 'norm,probabilities')
    both = read_npz(folder / 'all.npz')
    check(both['probabilities'] == (shape, values), 'the archive holds other probabilities')
    for row, (sizes, _) in zip(rows_of(*both['norm']), test):
        close(row, forward(weights, sizes)[0], 'norm')
    for layer in ('norm', 'probabilities'):
        parts = sorted((folder / 'runs/latest/dumped/trainer0/model0').glob(f'*_{layer}_output0.csv'),
                       key=lambda path: int(path.name.split('.step.')[1].split('_')[0]))
        dumped = [float(cell) for path in parts for row in csv.reader(open(path)) for cell in row]
        bits = [struct.unpack('<f', struct.pack('<f', x))[0] for x in dumped]
        check(bits == list(both[layer][1]), f'dump_outputs has other numbers of {layer}')

    # HDF5: the same numbers, one behind the other.
    predict('all.h5', '--layers', 'norm,probabilities')
    held = (folder / 'all.h5').read_bytes()
    for layer in ('norm', 'probabilities'):
        check(struct.pack(f'<{len(both[layer][1])}f', *both[layer][1]) in held and layer.encode() in held,
              f'all.h5 lacks {layer}')

    # Text: names in the first line, numbers that read as the same.
    predict('p.csv', '--layers', 'probabilities')
    table = list(csv.reader(open(folder / 'p.csv')))
    check(table[0] == [f'probabilities_{i}' for i in range(CLASSES)], f'p.csv begins with {table[0]}')
    read = [struct.unpack('<f', struct.pack('<f', float(cell)))[0] for row in table[1:] for cell in row]
    check(read == list(values), 'p.csv has other numbers')

    # Any number of ranks and threads: the same bytes.
    ways = [((), {}, ['--threads', n]) for n in (2, 3)]
    if with_mpi:
        ways += [(('mpirun', '-n', n), {}, []) for n in (1, 2, 3, 4)]
    else:
        print('no MPI in this build: ranks are left out')
    for command, env, options in ways:
        for file in ('p.npy', 'all.npz', 'all.h5', 'p.csv'):
            layers = ['--layers', 'norm,probabilities'] if file.startswith('all') else []
            other = f'other{Path(file).suffix}'
            predict(other, *layers, *options, command=command, env=env)
            check((folder / other).read_bytes() == (folder / file).read_bytes(),
                  f'{file} differs: {command} {options}')

    # Other data, without labels, fewer samples than ranks, one sample; in double.
    write_csv(folder / 'new.csv', test, labelled=False)
    predict('new.npy', '--data', 'new.csv')
    check((folder / 'new.npy').read_bytes() == (folder / 'p.npy').read_bytes(), 'without labels it predicts otherwise')
    write_csv(folder / 'one.csv', test[4:5], labelled=False)
    for command in [(), *([('mpirun', '-n', 3)] if with_mpi else [])]:
        predict('one.npy', '--data', 'one.csv', command=command)
        shape, one = read_npy((folder / 'one.npy').read_bytes())
        check(shape == (1, CLASSES), f'one.npy is {shape}')
        close(one, values[4 * CLASSES:5 * CLASSES], 'a sample alone')
    (folder / 'double.yaml').write_text(MODEL.replace('  layers:', '  datatype: double\n  layers:', 1))
    if run(compiler, 'double.yaml', '-o', 'double.bin', cwd=folder).returncode == 0:
        run(runtime, 'double.bin', '--work-dir', 'runs', '--save-model', 'wide', '--export', 'wide.npz', '--quiet', cwd=folder)
        run(runtime, 'double.bin', '--predict', '--load-model', 'wide', '--out', 'wide.npy', cwd=folder)
        shape, wide = read_npy((folder / 'wide.npy').read_bytes())
        exact = [x for sizes, _ in test for x in forward(read_npz(folder / 'wide.npz'), sizes)[1]]
        check(shape == (SAMPLES, CLASSES) and max(abs(a - b) for a, b in zip(wide, exact)) < 1e-6, 'in double')

    # A reader of role predict comes first; no run but a prediction needs its file.
    write_csv(folder / 'later.csv', test[:9])
    (folder / 'role.yaml').write_text(MODEL.replace(
        '  - csv: {role: test,', '  - csv: {role: predict, data_filename: later.csv, num_labels: 3}\n  - csv: {role: test,', 1))
    run(compiler, 'role.yaml', '-o', 'role.bin', cwd=folder)
    run(runtime, 'role.bin', '--predict', '--load-model', 'model', '--out', 'role.npy', cwd=folder)
    check(read_npy((folder / 'role.npy').read_bytes())[0] == (9, CLASSES), 'role predict is not chosen')
    (folder / 'later.csv').unlink()
    run(runtime, 'role.bin', '--work-dir', 'runs', '--steps', 1, '--quiet', cwd=folder)

    # Samples that a training reader changes at random are told.
    (folder / 'random.yaml').write_text(classifier('digits: {role: train, num_samples: 6, transforms: [horizontal_flip: {p: 0.5}]}',
                                                   classes=10, data='images'))
    run(compiler, 'random.yaml', '-o', 'random.bin', cwd=folder)
    run(runtime, 'random.bin', '--work-dir', 'runs', '--steps', 1, '--save-model', 'flipped', '--quiet', cwd=folder)
    told = run(runtime, 'random.bin', '--predict', '--load-model', 'flipped', '--out', 'flipped.npy', cwd=folder).stdout
    check('changed at random (`horizontal_flip`)' in told and 'at random' not in predict('again.npy').stdout, told)

    # What is wrong: one message, the old file stays, nothing is left beside it.
    before = (folder / 'p.npy').read_bytes()
    def refused(words, *options, code=3, out='p.npy', model='model'):
        done = run(runtime, 'plan.bin', '--predict', '--load-model', model, '--out', out, *options, code=code, cwd=folder)
        check(words in done.stderr, f'{options} {out} {model}: `{words}` is not told:\n{done.stderr}')
    refused('the nearest names are `probabilities`', '--layers', 'probabilites')
    refused('names `norm` twice', '--layers', 'norm,norm')
    refused('an .npy file holds one array', '--layers', 'norm,probabilities')
    refused('there is no file `no.csv`', '--data', 'no.csv')
    refused('.npy, .npz, .csv or .h5', code=2, out='p.txt')
    refused('nowhere', out='nowhere/p.npy')
    (folder / 'narrow.csv').write_text('a,b\n1,2\n')
    refused('but [5] in the plan', '--data', 'narrow.csv')
    (folder / 'part').mkdir()
    for path in (folder / 'model').iterdir():
        if 'norm_running_mean' not in path.name and 'second_bias' not in path.name:
            (folder / 'part' / path.name).write_bytes(path.read_bytes())
    refused('norm_running_mean', model='part')
    refused('second_bias_weights', model='part')
    (folder / 'broken.csv').write_text((folder / 'test.csv').read_text().replace('\n', '\nx', 9).replace('\nx', '\n', 8))
    refused('broken.csv', '--data', 'broken.csv')
    done = run(runtime, 'plan.bin', '--predict', '--out', 'p.npy', code=2, cwd=folder)
    check('--load-model' in done.stderr, done.stderr)
    check((folder / 'p.npy').read_bytes() == before, 'a failed prediction has changed the file')
    check(not list(folder.glob('.*')), f'left behind: {list(folder.glob(".*"))}')

    # LBANN's name of the option.
    run(runtime, 'plan.bin', '--predict', '--load_model_weights_dir', 'model', '--out', 'again.npy', cwd=folder)
    check((folder / 'again.npy').read_bytes() == before, '--load_model_weights_dir')
finish()
