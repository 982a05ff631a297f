"""Batch normalization against plain arithmetic: losses, weights and running statistics of two steps,
and the loss on validation data, on any number of ranks.

  batch_normalization_test.py COMPILER RUNNER

Gradients are checked by what SGD makes of the weights; here they come from finite differences.
"""
import math
import pathlib
import random
import shutil
import sys
import tempfile

from numpy_samples import npy
from ranks import RankedExperiment, events, fail, numbers

compiler, runner = sys.argv[1:]
SAMPLES, CHANNELS, POSITIONS, MINI_BATCH, RATE, DECAY, EPSILON = 7, 2, 3, 4, 0.1, 0.8, 1e-3
ENTRIES = CHANNELS * POSITIONS
EXPERIMENT = f"""
trainer: {{mini_batch_size: {MINI_BATCH}, training_algorithm: {{sgd: {{max_epochs: 1}}}}}}
data_reader:
  - numpy: {{role: train, data_filename: x.npy, shuffle: false}}
  - numpy: {{role: validate, data_filename: x.npy}}
model:
  datatype: double
  layers:
    - input: {{data_field: samples}}
    - entrywise_scale_bias: {{name: before}}
    - batch_normalization: {{name: norm, decay: {DECAY}, epsilon: {EPSILON}}}
    - sigmoid:
    - l2_norm2: {{name: cost}}
  objective_function:
    - layer_term: {{layer: cost}}
  callbacks:
    - print:
optimizer:
  sgd: {{learn_rate: {RATE}}}
"""


def moments(rows, before):
    """Mean, variance (divided by n - 1) of each channel."""
    found = []
    for channel in range(CHANNELS):
        entries = range(channel * POSITIONS, (channel + 1) * POSITIONS)
        values = [row[e] * before[2 * e] + before[2 * e + 1] for row in rows for e in entries]
        mean = math.fsum(values) / len(values)
        found.append((mean, math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)))
    return found


def loss(rows, weights, statistics=None):
    """weights: scale and bias of each entry, then scales and biases of channels."""
    before, scale, bias = (weights[:2 * ENTRIES], weights[2 * ENTRIES:-CHANNELS], weights[-CHANNELS:])
    statistics = statistics or moments(rows, before)
    total = []
    for row in rows:
        for e, x in enumerate(row):
            mean, variance = statistics[e // POSITIONS]
            normal = (x * before[2 * e] + before[2 * e + 1] - mean) / math.sqrt(variance + EPSILON)
            y = normal * scale[e // POSITIONS] + bias[e // POSITIONS]
            total.append((1 / (1 + math.exp(-y))) ** 2)
    return math.fsum(total) / len(rows)


def stepped(rows, weights):
    result = list(weights)
    for i in range(len(weights)):
        ends = []
        for h in (-2e-4, -1e-4, 1e-4, 2e-4):
            moved = list(weights)
            moved[i] += h
            ends.append(loss(rows, moved))
        result[i] -= RATE * (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / 12e-4
    return result


def simulate(rows):
    weights = [1.0, 0.0] * ENTRIES + [1.0] * CHANNELS + [0.0] * CHANNELS
    running, losses = [(0.0, 1.0)] * CHANNELS, []
    for begin in range(0, SAMPLES, MINI_BATCH):
        batch = rows[begin:begin + MINI_BATCH]
        losses.append(loss(batch, weights))
        now = moments(batch, weights[:2 * ENTRIES])
        running = [tuple(DECAY * a + (1 - DECAY) * b for a, b in zip(*pair))
                   for pair in zip(running, now)]
        weights = stepped(batch, weights)
    return losses + [loss(rows, weights, running)], weights, running


def compare(what, found, expected, tolerance):
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(found, expected, strict=True))
    print(f"{what}: {worst:.2g}")
    if not worst <= tolerance:
        fail(f"{what}: {list(found)} instead of {list(expected)}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    generator = random.Random(3)
    data = [[generator.uniform(-1, 3) for _ in range(ENTRIES)] for _ in range(SAMPLES)]
    values = [value for row in data for value in row]
    (folder / "x.npy").write_bytes(npy(values, len(data), CHANNELS, POSITIONS, type="f8"))
    (folder / "experiment.yaml").write_text(EXPERIMENT)
    run = RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)
    values, weights, running = simulate(data)
    for ranks in [1, 2, 3, 5] if shutil.which("mpirun") else [1]:
        top = run.run_on(ranks, "--data-root", folder)
        lines = events(top)
        steps = [line["objective"] for line in lines if line["event"] == "step"]
        validation = [line["objective"] for line in lines if line.get("mode") == "validation"]
        compare(f"{ranks} ranks, losses", steps + validation, values, 1e-10)
        model = top / "model"
        saved = [*numbers(model / "before_weights.npy"), *numbers(model / "norm_scale.npy"),
                 *numbers(model / "norm_bias.npy")]
        compare(f"{ranks} ranks, weights", saved, weights, 1e-9)
        means, variances = zip(*running)
        compare(f"{ranks} ranks, running statistics",
                [*numbers(model / "norm_running_mean.npy"),
                 *numbers(model / "norm_running_variance.npy")], [*means, *variances], 1e-10)
