"""LBANN's texts in the forms they may have: what LBANN makes of edges, names, weights and defaults.

  lbann_texts_test.py COMPILER RUNNER [--ranks]

Each case is a few layers that end in one called `y`. The mean over samples of the squared length of y, each entry with
a factor of its own, is compared with what plain arithmetic gives for the same samples.
"""
import hashlib
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

from numpy_samples import READERS, npy
from ranks import mpirun
from run_experiment import fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
several = [3] if "--ranks" in sys.argv else []

SAMPLES = [[((7 * i + 5 * k * k) % 23 - 11) / 8 for k in range(6)] for i in range(5)]
TEXT = READERS + """
model {
  num_epochs: 1
  layer { name: "x" input { data_field: "samples" } }
  LAYERS
  layer { name: "flat" parents: "y" reshape { dims: -1 } }
  layer { name: "factors" weights: "factors" weights_layer { dims: SIZE } }
  layer { name: "scaled" parents: "flat factors" OP(Multiply) }
  layer { name: "length" parents: "scaled" l2_norm2 {} }
  weights { name: "factors" optimizer { no_optimizer {} } initializer { value_initializer { values: FACTORS } } }
  metric { layer_metric { layer: "length" } }
  callback { check_metric { metric: "length" lower_bound: LOWER upper_bound: UPPER error_on_failure: true } }
}
optimizer { no_optimizer {} }
trainer { mini_batch_size: 3 }
"""


def flat(values):
    return [x for value in values for x in flat(value)] if isinstance(values, list) else [values]


def fill(layers, outputs):
    """The whole text, with bounds around what `outputs`, one for each sample, gives."""
    outputs = [flat(output) for output in outputs]
    factors = [1 + k / 4 for k in range(len(outputs[0]))]
    expected = sum((f * v) ** 2 for output in outputs for f, v in zip(factors, output)) / len(outputs)
    text = TEXT.replace('LAYERS', layers).replace('SIZE', str(len(factors))).replace('FACTORS', str(factors))
    text = text.replace('LOWER', repr(expected * (1 - 2e-6))).replace('UPPER', repr(expected * (1 + 2e-6)))
    while 'OP(' in text:
        before, rest = text.split('OP(', 1)
        inside, after = rest.split(')', 1)
        name, _, fields = inside.partition(':')
        text = before + ('operator_layer { ops { parameters { [type.googleapis.com/lbann_data.%sOperator] { %s } } } }'
                         % (name, fields)) + after
    return text


def md5(x):
    return int.from_bytes(hashlib.md5(struct.pack('<f', x)).digest(), 'little') / 2 ** 128


def positive(x):
    return max(x, 0)


def each(function):
    return [[function(x) for x in sample] for sample in SAMPLES]


CASES = {
    'parents alone': ('layer { name: "y" parents: "x" relu {} }', each(positive)),
    'children alone': ('layer { name: "a" children: "y" input { data_field: "samples" } } layer { name: "y" relu {} }',
                       each(positive)),
    'both sides, backwards': (
        'layer { name: "y" parents: "a" relu {} } layer { name: "a" parents: "b" children: "y" identity {} } '
        'layer { name: "b" children: "a" OP(AddConstant: constant: 0.5) parents: "x" }',
        each(lambda x: positive(x + 0.5))),
    'no name': ('layer { parents: "x" relu {} } layer { name: "y" parents: "layer2" identity {} }', each(positive)),
    'no data field': ('layer { name: "a" input {} } layer { name: "y" parents: "a" identity {} }', each(float)),
    'names in one text': ('layer { name: "a" parents: "x" relu {} } layer { name: "y" parents: "x a" sum {} }',
                          each(lambda x: x + positive(x))),
    'both outputs come together again': (
        'layer { name: "s" parents: "x" slice { slice_points: 0 slice_points: 3 slice_points: 6 } } '
        'layer { name: "t" parents: "s" identity {} } layer { name: "u" parents: "s" identity {} } '
        'layer { name: "y" parents: "t" parents: "u" OP(Subtract) }',
        [[a - b for a, b in zip(s[:3], s[3:])] for s in SAMPLES]),
    'more slice points than children': (
        'layer { name: "s" parents: "x" slice { slice_points: 1 slice_points: 3 slice_points: 6 } } '
        'layer { name: "y" parents: "s" identity {} }', [s[1:3] for s in SAMPLES]),
    'outputs that nobody takes': (
        'layer { name: "a" parents: "x" relu {} } layer { name: "b" input { data_field: "samples" } } '
        'layer { name: "c" constant { value: 1 num_neurons: 2 } } layer { name: "y" parents: "x" identity {} }',
        each(float)),
    'sums of one and of many': (
        'layer { name: "a" parents: "x" sum {} } %s layer { name: "y" %s weighted_sum { %s } }'
        % (' '.join(f'layer {{ name: "a{k}" parents: "a" identity {{}} }}' for k in range(20)),
           ' '.join(f'parents: "a{k}"' for k in range(20)), ' '.join(f'scaling_factors: {k}' for k in range(20))),
        each(lambda x: 190 * x)),
    'lists in one text and in brackets': (
        "layer { name: 'a' parents: 'x' reshape { dims: \"2 3\" } } "
        'layer { name: "b" parents: "a" permute { axes: [1, 0] }; } layer { name: "y" parents: "b" reshape { dims: 6 } }',
        [[s[0], s[3], s[1], s[4], s[2], s[5]] for s in SAMPLES]),
    'angle brackets and types of operands': (
        'layer { name: "y" parents: "x" operator_layer < ops < input_datatype: FLOAT output_datatype: FLOAT '
        'device_allocation: CPU parameters < [type.googleapis.com/lbann_data.ScaleOperator] < constant: 3 > > > > }',
        each(lambda x: 3 * x)),
    'zeros where clamp is not told': ('layer { name: "y" parents: "x" OP(Clamp: max: 0.5) }',
                                      each(lambda x: min(max(x, 0), 0.5))),
    'weights that no layer uses': (
        'layer { name: "y" parents: "x" identity {} } weights { name: "spare" initializer { value_initializer { '
        'values: 1 values: 2 } } }', each(float)),
    'weights without an initializer': (
        'layer { name: "w" weights: "w" weights_layer { dims: 6 } } layer { name: "y" parents: "x w" sum {} } '
        'weights { name: "w" }', each(float)),
    'weights of two layers, one transposed': (
        'layer { name: "a" parents: "x" weights: "w" fully_connected { num_neurons: 2 } } '
        'layer { name: "y" parents: "a" weights: "w" fully_connected { num_neurons: 6 transpose: true } } '
        'weights { name: "w" initializer { value_initializer { values_d: %s } } }' % [k / 8 for k in range(12)],
        [[sum((2 * k + r) / 8 * sum((2 * j + r) / 8 * s[j] for j in range(6)) for r in range(2)) for k in range(6)]
         for s in SAMPLES]),
    'dims of a hint layer': (
        'layer { name: "r" parents: "x" reshape { dims: 2 dims: 3 } } '
        'layer { name: "c" hint_layer: "r" constant { value: 0.25 } } '
        'layer { name: "w" hint_layer: "r" weights_layer {} } '
        'layer { name: "t" parents: "o" hint_layer: "r" tessellate {} } '
        'layer { name: "o" constant { value: 1 num_neurons: 1 num_neurons: 1 } } '
        'layer { name: "y" parents: "r c w t" sum {} }', each(lambda x: x + 1.25)),
    'a dropout that keeps all': ('layer { name: "y" parents: "x" dropout { keep_prob: -1 } }', each(float)),
    'where layers are computed': (
        'layer { name: "y" parents: "x" data_layout: "model_parallel" device_allocation: "GPU" grid_tag { value: 1 } '
        'parallel_strategy { height_groups: 2 grid_tag { value: 2 } } relu {} } subgraph_communication: COLL_OPT '
        'enable_subgraph_topology: true amp { enabled: false }', each(positive)),
    'five axes': (
        'layer { name: "a" parents: "x" reshape { dims: 1 dims: 2 dims: 1 dims: 3 dims: 1 } } '
        'layer { name: "b" parents: "a" permute { axes: 3 axes: 0 axes: 1 axes: 4 axes: 2 } } '
        'layer { name: "d" parents: "b" identity {} } layer { name: "c" parents: "b d" concatenation { axis: 2 } } '
        'layer { name: "y" parents: "c" multidim_reduction { mode: "max" axes: 0 axes: 4 } }',
        [2 * [max(s[:3]), max(s[3:])] for s in SAMPLES]),
    'hashes': ('layer { name: "y" parents: "x" uniform_hash {} }', each(md5)),
    'sorted, and how the largest are told': (
        'layer { name: "a" parents: "x" sort { descending: true } } layer { name: "b" parents: "x" in_top_k { k: 2 } } '
        'layer { name: "y" parents: "a b" concatenation {} }',
        [sorted(s, reverse=True) + [float(sum((v, -j) > (s[k], -k) for j, v in enumerate(s)) < 2) for k in range(6)]
         for s in SAMPLES]),
    'numbers that leave the range': (
        'layer { name: "a" parents: "x" OP(Scale: constant: 100) } layer { name: "y" parents: "a" OP(Sigmoid) }',
        each(lambda x: min(max(1 / (1 + math.exp(-100 * x)), 2 ** -23), 1 - 2 ** -23))),
}

DATA = npy(flat(SAMPLES), len(SAMPLES), 6)

with tempfile.TemporaryDirectory() as name:
    wrong = []
    for title, (layers, outputs) in CASES.items():
        folder = pathlib.Path(name) / title
        folder.mkdir()
        (folder / 'samples.npy').write_bytes(DATA)
        (folder / 'experiment.prototext').write_text(fill(layers, outputs))
        done = subprocess.run([compiler, 'experiment.prototext', '-o', 'plan.bin'], cwd=folder, text=True,
                              capture_output=True)
        for ranks in [1, *several]:
            if done.returncode == 0:
                command = [runner, 'plan.bin', '--threads', '1']
                done = mpirun(ranks, command, cwd=folder) if ranks > 1 else subprocess.run(
                    command, cwd=folder, text=True, capture_output=True)
                if done.returncode != 0:
                    wrong.append(f'{title}, {ranks} ranks: exit code {done.returncode}\n{done.stdout}{done.stderr}')
                    break
        else:
            if done.returncode != 0:
                wrong.append(f'{title}: exit code {done.returncode}\n{done.stderr}')
    if wrong:
        fail('\n'.join(wrong))
