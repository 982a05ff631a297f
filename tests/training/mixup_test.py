"""Callback mixup: what input layers give in training are mixtures of pairs of samples, the same on any number of ranks.

  mixup_test.py COMPILER RUNNER [--ranks]
"""
import math
import pathlib
import sys
import tempfile

from numpy_samples import npy
from ranks import RankedExperiment, events, numbers, require_mpirun
from run_experiment import fail, losses

SAMPLES, COLUMNS, EPOCHS, BATCH = 11, 5, 2, 4
# The last two columns are what a sample is to give: a slice of the samples, and a layer of its own, `responses`.
X = [[math.sin(1.7 * i + 2.3 * k * k + 0.4) for k in range(COLUMNS)] for i in range(SAMPLES)]
EXPERIMENT = """
trainer: {{mini_batch_size: {batch}, accumulate: {accumulate}, training_algorithm: {{sgd: {{max_epochs: {epochs}}}}}}}
data_reader:
  - numpy: {{role: train, data_filename: samples.npy, disable_responses: false, shuffle: {shuffle}}}
  - numpy: {{role: validate, data_filename: samples.npy, disable_responses: false}}
model:
  datatype: double
  layers:
    - input: {{name: sample, data_field: samples}}
    - input: {{name: wanted, data_field: responses}}
    - fully_connected: {{name: out, parents: [sample], num_neurons: 1}}
    - mean_squared_error: {{name: error, parents: [out, wanted]}}
  objective_function:
    - layer_term: {{layer: error}}
  callbacks:
    - mixup: {{alpha: 2{layers}}}
{more}
optimizer: {{sgd: {{learn_rate: 0.01}}}}
"""
DUMP = "    - dump_outputs: {layers: [sample, wanted], directory: values, format: npy}"


def compiled(folder, more=DUMP, layers="", accumulate=1, shuffle="false", batch=BATCH):
    folder.mkdir()
    text = EXPERIMENT.format(batch=batch, accumulate=accumulate, epochs=EPOCHS, shuffle=shuffle, layers=layers, more=more)
    (folder / "experiment.yaml").write_text(text)
    (folder / "samples.npy").write_bytes(npy([value for row in X for value in row], SAMPLES, COLUMNS, type="f8"))
    return RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)


def rows_of(run, phase, epoch, layer, columns):
    """What a layer gave in an epoch, sample by sample."""
    rows = []
    for step in range(-(-SAMPLES // BATCH)):
        counted = step + (epoch * -(-SAMPLES // BATCH) if phase == "training" else 0)
        file = run / f"latest/values/trainer0/model0/sgd.{phase}.epoch.{epoch}.step.{counted}_{layer}_output0.npy"
        values = numbers(file)
        rows += [list(values[i:i + columns]) for i in range(0, len(values), columns)]
    return rows


def pair_of(mixture, mine):
    """Partner and share of the mixture of sample `mine` with another one, or with itself."""
    best = None
    if max(abs(a - y) for a, y in zip(X[mine], mixture)) < 1e-15:
        return 0.0, mine, 1.0
    for other in range(SAMPLES):
        apart = [a - b for a, b in zip(X[mine], X[other])]
        length = sum(a * a for a in apart)
        if length == 0:
            continue
        share = sum(a * (y - b) for a, y, b in zip(apart, mixture, X[other])) / length
        rest = max(abs(b + share * a - y) for a, b, y in zip(apart, X[other], mixture))
        if best is None or rest < best[0]:
            best = rest, other, share
    return best


def check_pairs(top):
    experiment = compiled(top / "pairs")
    run = experiment.run_on(1, "--data-root", experiment.folder)
    seen = []
    for epoch in range(EPOCHS):
        samples = rows_of(run, "training", epoch, "sample", COLUMNS - 1)
        wanted = rows_of(run, "training", epoch, "wanted", 1)
        if len(samples) != SAMPLES:
            fail(f"{len(samples)} samples in epoch {epoch}")
        pairs = [pair_of(sample + one, i) for i, (sample, one) in enumerate(zip(samples, wanted))]
        if max(rest for rest, _, _ in pairs) > 1e-12:
            fail(f"epoch {epoch}: no mixtures of two samples with one share: {pairs}")
        if sorted(other for _, other, _ in pairs) != list(range(SAMPLES)):
            fail(f"epoch {epoch}: samples are partners of {[other for _, other, _ in pairs]}")
        shares = [share for _, other, share in pairs if share < 1]
        if not all(0.5 <= share < 1 for share in shares) or len(set(shares)) < SAMPLES - 4:
            fail(f"epoch {epoch}: shares {shares}")
        seen.append(pairs)
        plain = rows_of(run, "validation", epoch, "sample", COLUMNS - 1)
        if plain != [row[:-1] for row in X]:
            fail("samples of the validation are mixed")
    if [other for _, other, _ in seen[0]] == [other for _, other, _ in seen[1]]:
        fail("both epochs have the same pairs")
    print("pairs, with one share for samples and responses, others in each epoch")

    experiment = compiled(top / "one", layers=", layers: [sample]")
    run = experiment.run_on(1, "--data-root", experiment.folder)
    if rows_of(run, "training", 0, "wanted", 1) != [row[-1:] for row in X]:
        fail("`layers: [sample]` mixes responses, too")
    if rows_of(run, "training", 0, "sample", COLUMNS - 1) == [row[:-1] for row in X]:
        fail("`layers: [sample]` does not mix samples")
    print("only the layers that are named")


def check_same(top, counts):
    """Ranks, threads of readers, parts of mini-batches and a data store change nothing."""
    def run(name, ranks, *options, **changes):
        experiment = compiled(top / name, more="", shuffle="true", **changes)
        return losses(events(experiment.run_on(ranks, "--data-root", experiment.folder, *options)))

    first = run("first", 1)
    others = {f"ranks{count}": (count, (), {}) for count in counts}
    others["threads"] = 1, ("--io-threads", "3"), {}
    others["micro"] = 1, (), {"accumulate": 2}
    others["store"] = counts[-1], ("--use_data_store",), {}
    for name, (ranks, options, changes) in others.items():
        again = run(name, ranks, *options, **changes)
        if len(again) != len(first) or max(abs(a - b) for a, b in zip(again, first)) > 1e-12:
            fail(f"{name}: losses {again}, not {first}")
    print(f"the same: {', '.join(others)}")


compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
ranked = "--ranks" in sys.argv
if ranked:
    require_mpirun()
with tempfile.TemporaryDirectory() as scratch:
    check_same(pathlib.Path(scratch), (2, 3, 4) if ranked else (1,))
    if not ranked:
        check_pairs(pathlib.Path(scratch))
