"""Attention of several heads, causal or not, equals its formula; its gradients equal differences.

  attention_test.py COMPILER RUNNER
"""
import csv
import math
import pathlib
import sys
import tempfile

from run_experiment import Experiment, fail

compiler, runner = sys.argv[1:3]

EXPERIMENT = """
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - synthetic: {role: train, num_samples: 7, synth_dimensions: [%(length)d, 5]}
model:
  datatype: double
  layers:
    - input: {name: x, data_field: samples}
    - channelwise_fully_connected: {name: qkv, output_channel_dims: [%(wide)d]}
    - slice: {name: parts, axis: 1, slice_points: [0, %(width)d, %(twice)d, %(wide)d]}
    - scaled_dot_product_attention:
        name: attention
        parents: [parts.0, parts.1, parts.2]
        num_heads: %(heads)d
        is_causal: %(causal)s
    - l2_norm2: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
  callbacks:
    - dump_outputs: {layers: [qkv, attention], directory: outputs}
    - check_gradients: {error_on_failure: true}
optimizer: {sgd: {learn_rate: 0.01}}
"""


def rows(folder, step, layer):
    path, = folder.rglob(f"*.step.{step}_{layer}_output0.csv")
    with open(path) as file:
        return [[float(value) for value in row] for row in csv.reader(file)]


def attention(qkv, length, width, heads, causal):
    """The formula, one sample at a time."""
    result = [0.0] * (length * width)
    size = width // heads
    part = lambda which, place, entry: qkv[place * 3 * width + which * width + entry]
    for head in range(heads):
        entries = range(head * size, (head + 1) * size)
        for query in range(length):
            keys = range(query + 1 if causal else length)
            fits = [math.exp(sum(part(0, query, e) * part(1, key, e) for e in entries) / math.sqrt(size))
                    for key in keys]
            for e in entries:
                result[query * width + e] = sum(f * part(2, key, e) for f, key in zip(fits, keys)) / sum(fits)
    return result


with tempfile.TemporaryDirectory() as folder:
    for number, (length, width, heads, causal) in enumerate(
            ((6, 4, 2, True), (5, 6, 3, False), (1, 3, 1, True), (7, 4, 4, True))):
        place = pathlib.Path(folder) / str(number)
        place.mkdir()
        source = place / "experiment.yaml"
        source.write_text(EXPERIMENT % {"length": length, "width": width, "twice": 2 * width, "wide": 3 * width,
                                        "heads": heads, "causal": str(causal).lower()})
        Experiment(compiler, runner, source, place).run("run")
        samples = 0
        for step in (0, 1):
            for qkv, found in zip(rows(place, step, "qkv"), rows(place, step, "attention"), strict=True):
                samples += 1
                expected = attention(qkv, length, width, heads, causal)
                worst = max(abs(a - b) for a, b in zip(expected, found, strict=True))
                if not worst < 1e-5 * max(map(abs, expected)):
                    fail(f"{heads} heads over {length} places: {worst} away")
        if samples != 7:
            fail(f"{samples} samples were compared, not 7")
    print("4 shapes compared")
