"""Networks with model-parallel layers and sharded weights train on any mesh as on one rank: weights in float64 after three
steps, with accumulated gradients and without, on random networks and meshes, with sizes that are odd or smaller than the mesh.

    model_parallel_test.py lbann-compile lbann-run [--networks N] [--seed S] [--device]

Beside that: initial values are the same bits; a checkpoint of one mesh is gone on with on another;
models are saved, exported, dumped and loaded whole; what a mesh cannot be is told before anything runs.
"""
import argparse
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess
import tempfile

from ranks import RankedExperiment, events, fail, mpirun, numbers, only, require_mpirun, weights
from sanitized import is_sanitized

MESHES = [(1, 1, 2), (1, 2, 1), (2, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1), (1, 3, 1), (1, 1, 3), (1, 2, 3),
          (1, 3, 2)]
TOLERANCE = 1e-12


def ranks_of(mesh):
    return mesh[0] * mesh[1] * mesh[2]


def mesh_option(mesh):
    return ('--mesh', f'data={mesh[0]},rows={mesh[1]},columns={mesh[2]}')


class Network:
    """A random chain of layers on vectors, some of which come together again."""

    def __init__(self, draw):
        self.draw, self.lines, self.known, self.weights = draw, [], [], []
        self.inputs, self.classes = draw.randint(1, 9), draw.randint(2, 7)
        self.add('x', self.inputs, '- input: {name: x, data_field: samples}')
        for _ in range(draw.randint(3, 9)):
            draw.choice([self.product] * 4 + [self.entrywise] * 3 + [self.normalise, self.softmax, self.sum,
                                                                     self.join, self.cut, self.reshaped])()
        self.product(self.classes, 'model_parallel')

    def add(self, name, size, line):
        self.lines.append('    ' + line)
        self.known.append((name, size))

    def name(self):
        return f'l{len(self.known)}'

    def last(self):
        return self.known[-1]

    def product(self, size=None, layout=None):
        draw, (parent, _) = self.draw, self.last()
        size = size or draw.randint(1, 9)
        layout = layout or draw.choice(['model_parallel'] * 3 + ['data_parallel'])
        bias, transpose = (draw.choice(['true', 'false']) for _ in range(2))
        name = self.name()
        roles = ['he_normal_initializer: {}', 'constant_initializer: {value: 0.1}'][:2 if bias == 'true' else 1]
        shared = self.shards(name, roles) if layout == 'data_parallel' else ''
        self.add(name, size, f'- fully_connected: {{name: {name}, parents: {parent}, num_neurons: {size}, '
                 f'data_layout: {layout}, has_bias: {bias}, transpose: {transpose}{shared}}}')

    def shards(self, layer, initializers):
        """Sometimes weights of a layer that are declared, and mostly sharded."""
        if self.draw.random() < 0.3:
            return ''
        names = [f'{layer}w{number}' for number in range(len(initializers))]
        for name, initializer in zip(names, initializers):
            how = self.draw.choice(['', ', sharded: true'] + [f', sharded: true, sharding_strategy: {strategy}'
                                                              for strategy in ('full', 'grid_rows', 'grid_cols')])
            self.weights.append(f'    - {{name: {name}, initializer: {{{initializer}}}{how}}}')
        return f', weights: [{", ".join(names)}]'

    def entrywise(self):
        parent, size = self.last()
        kind = self.draw.choice(['tanh: {', 'sigmoid: {', 'softplus: {', 'dropout: {keep_prob: 0.7, ', 'scale: {constant: 1.5, '])
        name = self.name()
        self.add(name, size, f'- {kind}name: {name}, parents: {parent}}}')

    def normalise(self):
        parent, size = self.last()
        zero, one = (f'constant_initializer: {{value: {value}}}' for value in (0, 1))
        kind, roles = self.draw.choice([('entrywise_batch_normalization: {', [zero, one]), ('layer_norm: {', []),
                                        ('layer_norm: {scale: true, bias: true, ', [one, zero])])
        name = self.name()
        shards = self.shards(name, roles) if roles else ''
        self.add(name, size, f'- {kind}name: {name}, parents: {parent}{shards}}}')

    def softmax(self):
        parent, size = self.last()
        name = self.name()
        self.add(name, size, f'- softmax: {{name: {name}, parents: {parent}}}')

    def sum(self):
        parent, size = self.last()
        others = [other for other, own in self.known if own == size]
        name = self.name()
        self.add(name, size, f'- sum: {{name: {name}, parents: [{self.draw.choice(others)}, {parent}]}}')

    def join(self):
        (parent, size), (other, more) = self.last(), self.draw.choice(self.known)
        name = self.name()
        self.add(name, size + more, f'- concatenation: {{name: {name}, parents: [{parent}, {other}]}}')

    def cut(self):
        parent, size = self.last()
        if size < 2:
            return
        at, name = self.draw.randint(1, size - 1), self.name()
        self.add(name, at, f'- slice: {{name: {name}, parents: {parent}, slice_points: [0, {at}]}}')

    def reshaped(self):
        parent, size = self.last()
        if size % 2:
            return
        name, more = self.name(), self.draw.randint(1, 5)
        self.lines.append(f'    - reshape: {{name: {name}a, parents: {parent}, dims: [2, {size // 2}]}}')
        layout = self.draw.choice(['model_parallel', 'data_parallel'])
        for part, width in (('b', more), ('c', size // 2)):
            self.lines.append(f'    - channelwise_fully_connected: {{name: {name}{part}, '
                              f'output_channel_dims: [{width}], data_layout: {layout}}}')
        self.add(name, size, f'- reshape: {{name: {name}, parents: {name}c, dims: [{size}]}}')

    def text(self, optimizer, batch):
        output = self.last()[0]
        lines = '\n'.join(self.lines)
        return f"""
trainer:
  mini_batch_size: {batch}
  shard_updates: {self.draw.choice(['true', 'false'])}
  recompute: {self.draw.choice(['full', 'none', 'selective'])}
  hydrogen_block_size: {self.draw.randint(0, 4)}
  accumulate: {self.draw.choice([1, 1] + [count for count in range(2, batch + 1) if batch % count == 0])}
  training_algorithm: {{sgd: {{max_epochs: 1}}}}
  data_coordinator: {{datatype: double}}
model:
  datatype: double
  layers:
{lines}
    - input: {{name: t, data_field: labels}}
    - softmax: {{name: p, parents: {output}}}
    - cross_entropy: {{name: loss, parents: [p, t]}}
    - categorical_accuracy: {{name: right, parents: [p, t]}}
  weights:{''.join(chr(10) + line for line in self.weights) or ' []'}
  objective_function: [{{layer_term: {{layer: loss}}}}, {{l2_weight_regularization: {{scale_factor: 0.01}}}}]
  metrics: [{{layer_metric: {{layer: right, name: accuracy}}}}]
  callbacks: [{{dump_weights: {{directory: dumped}}}}]
optimizer: {optimizer}
data_reader:
  - synthetic: {{role: train, num_samples: {3 * batch - 1}, synth_dimensions: [{self.inputs}], num_labels: {self.classes}}}
"""


def worst(found, expected):
    """Largest difference of a tensor, relative to its largest entry.

    The gradient of a bias before batch normalisation is zero but for rounding, and so is the bias, which Adam makes
    larger by up to the learning rate over eps. Such a tensor has no scale of its own and is compared with that of
    weights.
    """
    if found.keys() != expected.keys():
        fail(f'weights {sorted(found)} instead of {sorted(expected)}')
    largest = 0.0
    for name, values in expected.items():
        if len(found[name]) != len(values):
            fail(f'{name}: {len(found[name])} numbers instead of {len(values)}')
        scale = max(abs(value) for value in values)
        scale = 1.0 if scale < TOLERANCE else max(scale, 1e-3)
        largest = max([largest, *(abs(a - b) / scale for a, b in zip(found[name], values))])
    return largest


def initial(top):
    folder = only(top.glob('latest/**/*training_begin*'), f'dump of initial weights in {top}')
    return {path.name: path.read_bytes() for path in folder.rglob('*') if path.is_file()}


def check_places(tools, folder, draw):
    """What each pass leaves on a rank is verified before it is printed."""
    mesh = draw.choice(MESHES)
    done = subprocess.run([tools[0], folder / 'network.yaml', '--dump-after', 'place', '--ranks', str(ranks_of(mesh)),
                           '--rank', str(draw.randrange(ranks_of(mesh))), *mesh_option(mesh)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        fail(f'specialised for {mesh}: {done.stderr.splitlines()[:1]}\n{(folder / "network.yaml").read_text()}')


def amplified_rounding(tools, folder, expected):
    """What a network makes of rounding: how far weights are from `expected` where all that layers hand on differs by one unit
    in the last place, at most 1e-10. A few networks of thousands, with layers that normalise nearly equal numbers, make 1e-12
    of it: what they normalise may be rounding alone (of a bias that is the same for all samples, say), so inputs of the
    network are not enough."""
    with tempfile.TemporaryDirectory() as name:
        text = (folder / 'network.yaml').read_text()
        changed = re.sub(r'parents: (\[[^]]*\]|\w+)', lambda found: re.sub(r'\b(x|l\d+)\b', r'\1_', found[0]), text)
        changed = re.sub(r'^( +- \w+: \{.*\bname: (x|l\d+),.*)$',
                         r'\1\n    - scale: {name: \2_, parents: \2, constant: 1.0000000000000002}', changed, flags=re.MULTILINE)
        path = pathlib.Path(name) / 'network.yaml'
        path.write_text(changed)
        if changed == text:
            fail(f'no input to change:\n{text}')
        return min(worst(weights(RankedExperiment(*tools, path, path.parent).run_on(1, '--steps', '3')), expected), 1e-10)


def check_networks(tools, count, seed):
    draw, largest = random.Random(seed), 0.0
    for number in range(count):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            network = Network(draw)
            optimizer = draw.choice(['{sgd: {learn_rate: 0.1, momentum: 0.9}}', '{adam: {learn_rate: 0.02, eps: 1e-3}}'])
            (folder / 'network.yaml').write_text(network.text(optimizer, draw.randint(2, 9)))
            experiment = RankedExperiment(*tools, folder / 'network.yaml', folder)
            check_places(tools, folder, draw)
            alone = experiment.run_on(1, '--steps', '3')
            for mesh in draw.sample(MESHES, 2):
                told = f'network {number} of seed {seed} on {mesh}\n{(folder / "network.yaml").read_text()}'
                split = experiment.run_on(ranks_of(mesh), '--steps', '3', *mesh_option(mesh))
                if initial(split) != initial(alone):
                    fail(f'other initial values: {told}')
                off = worst(weights(split), weights(alone))
                if off > TOLERANCE and off > 10 * amplified_rounding(tools, folder, weights(alone)):
                    fail(f'weights differ by {off:.2g}: {told}')
                largest = max(largest, off)
    print(f'{count} networks on two meshes each: weights differ by at most {largest:.2g} of their largest entry')


FILES = """
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 4}}, data_coordinator: {datatype: double}}
model:
  datatype: double
  data_layout: model_parallel
  layers:
    - input: {name: x, data_field: samples}
    - input: {name: t, data_field: responses}
    - fully_connected: {name: up, parents: x, num_neurons: 7}
    - tanh: {name: bend}
    - fully_connected: {name: down, num_neurons: 3}
    - mean_squared_error: {name: loss, parents: [down, t]}
  objective_function: [{layer_term: {layer: loss}}]
  callbacks: [{checkpoint: {checkpoint_epochs: 2}}]
optimizer: {adam: {learn_rate: 0.05, eps: 1e-3}}
data_reader:
  - synthetic: {role: train, num_samples: 12, synth_dimensions: [5], synth_response_dimensions: [3]}
"""


def sharded(text):
    return text.replace('data_layout: model_parallel', 'sharded: true')


def sharded_updates(text):
    return text.replace('data_layout: model_parallel', 'name: whole').replace('trainer: {', 'trainer: {shard_updates: true, ')


def check_files(tools, text):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'files.yaml').write_text(text)
        experiment = RankedExperiment(*tools, folder / 'files.yaml', folder)
        alone = experiment.run_on(1, '--export', folder / 'alone.npz', name='alone')
        for mesh, other in (((1, 2, 2), (1, 1, 3)), ((1, 3, 1), (1, 1, 1)), ((1, 1, 1), (2, 2, 1))):
            # Half of the training on one mesh, the rest on another.
            first = experiment.run_on(ranks_of(mesh), *mesh_option(mesh), name=f'whole{mesh}{other}')
            off = worst(weights(first), weights(alone))
            if off > TOLERANCE:
                fail(f'{mesh}: saved weights differ by {off:.2g}')
            newest = max(first.glob('latest/checkpoints/step_*'), key=lambda path: int(path.name.split('_')[1]))
            shutil.rmtree(newest)
            resumed = experiment.run_on(ranks_of(other), *mesh_option(other), '--resume', name=f'whole{mesh}{other}')
            # The newest checkpoint that is left is that of two of four epochs.
            if 'resumed from' not in (log := (resumed / 'latest' / 'log').read_text()):
                fail(f'not resumed:\n{log}')
            off = worst(weights(resumed), weights(alone))
            if off > TOLERANCE:
                fail(f'begun on {mesh}, ended on {other}: weights differ by {off:.2g}')
        exported = experiment.run_on(4, *mesh_option((1, 2, 2)), '--export', folder / 'split.npz', name='exported')
        for one in ('alone', 'split'):
            subprocess.run(['python3', '-m', 'zipfile', '-e', folder / f'{one}.npz', folder / one], check=True)
        off = worst(*({path.name: numbers(path) for path in (folder / one).glob('*.npy')} for one in ('split', 'alone')))
        if off > TOLERANCE:
            fail(f'exported weights differ by {off:.2g}')
        loaded = experiment.run_on(6, *mesh_option((1, 3, 2)), '--load-model', alone / 'model', '--steps', '1', name='loaded')
        other = experiment.run_on(1, '--load-model', exported / 'model', '--steps', '1', name='loaded_alone')
        off = worst(weights(loaded), weights(other))
        if off > TOLERANCE:
            fail(f'trained from loaded weights, they differ by {off:.2g}')
        if not events(loaded):
            fail('no events')


LAYERS = '\n'.join(['    - fully_connected: {num_neurons: 4000, has_bias: false}\n    - relu:'] * 8)
WIDE = f"""
trainer: {{mini_batch_size: 4, training_algorithm: {{sgd: {{max_epochs: 1}}}}}}
model:
  data_layout: model_parallel
  layers:
    - input: {{name: x, data_field: samples}}
{LAYERS}
    - identity: {{name: down}}
    - mean_squared_error: {{name: loss, parents: [down, x]}}
  objective_function: [{{layer_term: {{layer: loss}}}}]
optimizer: {{adam: {{learn_rate: 0.001}}}}
data_reader:
  - synthetic: {{role: train, num_samples: 8, synth_dimensions: [4000]}}
"""


def check_memory(tools, text, split, most):
    """1.5 GB of weights and moments, for which one process has not enough address space, train on a mesh with at most
    so many MB each."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'wide.yaml').write_text(text)
        experiment = RankedExperiment(*tools, folder / 'wide.yaml', folder)
        for mesh in ((1, 1, 1), (1, 2, 2), (1, 3, 7)):
            told = json.loads(subprocess.run(
                [tools[0], experiment.plan, '--report', 'memory', '--report-format', 'json', '--ranks', str(ranks_of(mesh)),
                 *mesh_option(mesh)], capture_output=True, text=True, check=True).stdout)
            held = sum(group['memory']['weights'] * group['ranks_of_all_trainers'] for group in told['groups'])
            if held != 4 * 8 * 4000 * 4000:
                fail(f'{mesh}: ranks hold {held} bytes of weights together')
        if is_sanitized(experiment.runner):
            return
        limit = {'preexec_fn': lambda: resource.setrlimit(resource.RLIMIT_AS, (1800 << 20, 1800 << 20))}
        command = [experiment.runner, experiment.plan, '--threads', '1', '--work-dir', folder / 'run']
        alone = subprocess.run([str(word) for word in command], capture_output=True, text=True, **limit)
        # Another compiler's libraries leave other room: for the run itself, but not for products.
        if alone.returncode == 0 or not re.search('needs 1.6 GB of memory|out of memory', alone.stderr):
            fail(f'one process with 1.8 GB of address space: {alone.returncode}\n{alone.stdout}{alone.stderr}')
        ranks = ranks_of(split)
        done = mpirun(ranks, [*command, *mesh_option(split)], **limit)
        resident = re.search(rf'weights {512 / ranks} MB, moments {1024 / ranks} MB.* peak resident ([0-9.]+) (MB|GB)', done.stdout)
        if done.returncode != 0 or not resident or float(resident[1]) * (1000 if resident[2] == 'GB' else 1) > most:
            fail(f'{ranks} processes: {done.returncode}\n{done.stdout}{done.stderr}')


def check_edits(tools):
    """What does not fit is told that it does with sharded weights, and needs as much as then told."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / 'wide.yaml'
        path.write_text(WIDE.replace('data_layout: model_parallel', 'name: plain'))

        def told(*options):
            done = subprocess.run([tools[0], path, '--ranks', '4', '--fits', '1GB', *options], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        (refused, words), (accepted, sharded) = told(), told('--set', 'model.sharded=true')
        needed = re.search(r'fits: a rank needs ([0-9.]+ MB) of', sharded)
        edit = re.search(r'model: {sharded: true} +([0-9.]+ MB)', words)
        if (refused, accepted) != (1, 0) or not needed or not edit or needed[1] != edit[1]:
            fail(f'--fits: {refused}\n{words}\nsharded: {accepted}\n{sharded}')


def check_refusals(tools):
    def refused(text, ranks, options, words, code):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / 'e.yaml').write_text(text)
            experiment = RankedExperiment(*tools, folder / 'e.yaml', folder)
            command = [experiment.runner, experiment.plan, '--work-dir', folder / 'run', *options]
            done = mpirun(ranks, command) if ranks > 1 else subprocess.run(
                [str(word) for word in command], capture_output=True, text=True)
            if words not in done.stderr or done.returncode != code:
                fail(f'{options} on {ranks}: exit code {done.returncode}, not {code} with `{words}`\n{done.stderr}')
            if (folder / 'run').exists():
                fail(f'{options}: a run was begun')

    refused(FILES, 2, ('--mesh', 'rows=3'), 'rows 3 cannot be made of 2 ranks', 2)
    refused(FILES, 2, ('--mesh', 'lines=2'), '`lines=2` is no axis of a mesh', 2)
    refused(FILES, 2, ('--mesh', 'rows=2,rows=2'), '`rows=2` is no axis', 2)
    refused(FILES, 2, ('--mesh', 'rows=0'), '`rows=0` is no axis', 2)
    refused(FILES, 2, ('--mesh', ''), 'no axis of a mesh', 2)
    refused(FILES.replace('data_layout: model_parallel', 'name: plain'), 2, ('--mesh', 'rows=2'),
            'splits nothing of this plan', 2)
    refused(FILES, 1, ('--trainer-grid-height', '2'), 'rows 2', 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('compiler')
    parser.add_argument('runner')
    parser.add_argument('--networks', type=int, default=12)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--device', action='store_true', help='lbann-run computes on a device')
    arguments = parser.parse_args()
    require_mpirun()
    tools = (arguments.compiler, arguments.runner)
    check_refusals(tools)
    check_edits(tools)
    check_files(tools, FILES)
    check_files(tools, sharded(FILES))
    check_files(tools, sharded_updates(FILES))
    check_memory(tools, WIDE, (1, 2, 2), 500)
    # By way of the host every exchange of a device has room of its own there.
    if not arguments.device:
        check_memory(tools, sharded(WIDE), (4, 1, 1), 1000)
    check_networks(tools, arguments.networks, arguments.seed)


main()
