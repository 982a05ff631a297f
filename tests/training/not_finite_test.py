"""Numbers that are not finite end a run with exit code 1 and one message, whether they come with training, validation or test data;
what came in with the data is named by file, field, sample and entry, and not blamed on the learning rate. On one rank and on two.

  not_finite_test.py COMPILER RUNNER [--device]

--device: the first step is not looked at, where its numbers would have to be copied; --check-finite tells the same.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from numpy_samples import npy
from run_experiment import fail
from hang_guard import HANG_GUARD

compiler, runner = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
on_device = sys.argv[3:] == ["--device"]
samples, features = 24, 3

EXPERIMENT = """
trainer: {{mini_batch_size: 8, random_seed: 3, training_algorithm: {{sgd: {{max_epochs: 2}}}}}}
data_reader:
  - {train}
  - {validate}
  - {test}
model:
  layers:
    - input: {{name: y, data_field: responses}}
    - input: {{name: x, data_field: samples}}
{layers}    - fully_connected: {{name: line, num_neurons: 1}}
    - mean_squared_error: {{name: loss, parents: [line, y]}}
  objective_function:
    - layer_term: {{layer: loss}}
optimizer: {{sgd: {{learn_rate: {rate}}}}}
"""
CSV = "csv: {role: ROLE, data_filename: ROLE.csv, disable_labels: true, disable_responses: false}"
NPY = "numpy: {role: ROLE, data_filename: ROLE.x.npy, response_filename: ROLE.y.npy}"
PYTHON = "python: {role: ROLE, module: rows, data_fields: [samples, responses]}"
ROLES = ("train", "validate", "test")

MODULE = """
def num_samples():
    return 24
def sample_dims():
    return {'samples': [3], 'responses': [1]}
def get_sample(i):
    return {'samples': [0.5, i / 24, 1], 'responses': [1e300 if i == 13 else 0.5]}
"""


def rows():
    return [[((7 * i + 3 * k) % 11) / 8 - 0.5 for k in range(features + 1)] for i in range(samples)]


def write_tables(folder, role, row=None, column=0, value=""):
    """Sound numbers, but for one cell; the npy files hold the same."""
    table = rows()
    text = "a,b,c,y\n"
    for i, numbers in enumerate(table):
        text += ",".join(value if (i, k) == (row, column) else str(x) for k, x in enumerate(numbers)) + "\n"
        if i == row:
            numbers[column] = float(value)
    (folder / f"{role}.csv").write_text(text)
    flat = [x for numbers in table for x in numbers[:features]]
    (folder / f"{role}.x.npy").write_bytes(npy(flat, samples, features))
    (folder / f"{role}.y.npy").write_bytes(npy([numbers[features] for numbers in table], samples, 1))


def run(folder, name, readers, ranks, rate=0.01, layers="", options=()):
    readers = {role: readers.get(role, CSV).replace("ROLE", role) for role in ROLES}
    (folder / f"{name}.yaml").write_text(EXPERIMENT.format(rate=rate, layers=f"    {layers}\n" if layers else "", **readers))
    done = subprocess.run([compiler, f"{name}.yaml", "--probe-python", "-o", f"{name}.bin"], cwd=folder,
                          capture_output=True, text=True)
    # A learning rate out of all reason is warned of.
    if done.returncode != 0 or (done.stderr and rate < 1):
        fail(f"{name}: exit code {done.returncode} of the compiler\n{done.stderr}")
    launcher = ["mpirun", "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
    return subprocess.run([*launcher, runner, f"{name}.bin", "--threads", "1", "--work-dir", f"{name}.{ranks}", *options],
                          cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=HANG_GUARD)


def check(folder, name, readers, ranks, *words, rate=0.01, blames_rate=False, layers="", options=()):
    done = run(folder, name, readers, ranks, rate, layers, options)
    told = done.stderr.count("lbann-run: error:")
    missing = [word for word in words if word not in done.stderr]
    if done.returncode != 1 or told != 1 or missing or ("learning rate" in done.stderr) != blames_rate:
        fail(f"{name} on {ranks} ranks: exit code {done.returncode}, {told} messages, without {missing}\n{done.stderr}")
    metrics, = (folder / f"{name}.{ranks}").glob("latest/metrics.jsonl")
    for line in metrics.read_text().splitlines():
        event = json.loads(line)
        if "objective" in event and event["objective"] is None:
            fail(f"{name} on {ranks} ranks: an objective that is not finite was recorded\n{line}")


all_ranks = [1, 2] if shutil.which("mpirun") else [1]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "rows.py").write_text(MODULE)
    for role in ROLES:
        write_tables(folder, role)
    for ranks in all_ranks:
        done = run(folder, "sound", {"train": NPY}, ranks)
        if done.returncode != 0:
            fail(f"sound data on {ranks} ranks: exit code {done.returncode}\n{done.stderr}")

        # Sample 13 is of the second mini-batch, and of rank 1 of 2. Line 15 of the file holds it.
        write_tables(folder, "train", 13, 2, "nan")
        check(folder, "train", {}, ranks, "train.yaml:14:27: objective function is nan in step 1 of training epoch 0",
              "train.yaml:4:5: reader `csv`, `train.csv`:15: entry 2 of field `samples` of sample 13 (the first is 0) "
              "is nan")
        check(folder, "train_npy", {"train": NPY}, ranks, "in step 1 of training epoch 0",
              "reader `numpy`, `train.x.npy`: entry 2 of field `samples` of sample 13 (the first is 0) is nan")
        write_tables(folder, "train")

        write_tables(folder, "validate", 3, 3, "-inf")
        check(folder, "validate", {"validate": NPY}, ranks, "objective function is inf in step 0 of the validation of "
              "epoch 0", "validate.yaml:5:5: reader `numpy`, `validate.y.npy`: entry 0 of field `responses` of sample 3 "
              "(the first is 0) is -inf")
        write_tables(folder, "validate")

        check(folder, "test", {"test": PYTHON}, ranks, "objective function is inf in step 1 of the test",
              "test.yaml:6:5: reader `python`, `rows.get_sample(13)`: entry 0 of field `responses` of sample 13 "
              "(the first is 0) is 1e+300, more than an f32 holds")

        check(folder, "rate", {}, ranks, "a lower learning rate often helps", rate=1e30, blames_rate=True)
        # What the first step computes of sound data is told with what went into it.
        for text, words in (
            ("- log: {name: a}", ("`a` has an output that is not a number", "computed from -", "of `samples`: a logarithm or a root of a number below 0")),
            ("- reciprocal: {name: a}", ("`a` has an output that is infinite", "computed from 0 of `samples`", "a division by 0")),
            ("- scale: {name: a, constant: 10000}\n    - exp: {name: b}", ("`b`", "`a` with `b`, computed together, has an output that is infinite", "computed from 0", "an exponential or a product of large numbers?")),
        ):
            if on_device:
                check(folder, "first_step", {}, ranks, *words, layers=text, options=["--check-finite"])
            else:
                check(folder, "first_step", {}, ranks, "objective function is", "in step 0 of training epoch 0", *words, layers=text)
    print(f"numbers that are not finite end a run on {all_ranks} ranks, and are found in the data")
