"""The same numbers train the same model whoever reads them: csv, npy, npz, archives by name, python, a pickled data set; on one rank and on two. What is wrong with
data ends a run with one message that names the place in the data and the line of the experiment.

  readers_test.py COMPILER RUNNER
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from numpy_samples import npy
from run_experiment import fail
from hang_guard import HANG_GUARD

compiler, runner = (pathlib.Path(word).resolve() for word in sys.argv[1:])
samples, features, classes = 37, 5, 3

EXPERIMENT = """
trainer: {{mini_batch_size: 8, random_seed: 3, training_algorithm: {{sgd: {{max_epochs: 2}}}}}}
data_reader:
  - {reader}
model:
  layers:
    - input: {{name: x, data_field: samples}}
    - input: {{name: y, data_field: labels}}
    - fully_connected: {{parents: x, num_neurons: 3}}
    - softmax: {{name: p}}
    - cross_entropy: {{name: loss, parents: [p, y]}}
  objective_function:
    - layer_term: {{layer: loss}}
optimizer: {{sgd: {{learn_rate: 0.1}}}}
"""

MODULE = """
import time
rows = [line.split(',') for line in open(__file__.replace('rows.py', 'rows.csv')).read().split()[1:]]
def num_samples():
    return len(rows)
def sample_dims():
    return {'samples': [5], 'labels': [3]}
def get_sample(i):
    time.sleep(0.01)  # others are at work when one fails
    *numbers, label = map(float, rows[i])
    return {'samples': numbers, 'labels': [float(label == k) for k in range(3)]}
"""

DATA_SET = """
from lbann.util.data import Dataset, Sample, SampleDims
import rows
class Rows(Dataset):
    def __len__(self):
        return rows.num_samples()
    def get_sample_dims(self):
        return SampleDims(sample=[5], label=3)
    def __getitem__(self, i):
        made = rows.get_sample(i)
        return Sample(sample=made['samples'], label=made['labels'])
"""


def write_data(folder):
    rows = [[((7 * i + 3 * k) % 11) / 8 - 0.5 for k in range(features)] for i in range(samples)]
    labels = [i * i % classes for i in range(samples)]
    text = ",".join(f"x{k}" for k in range(features)) + ",class\n"
    text += "".join(",".join(map(str, row)) + f",{label}\n" for row, label in zip(rows, labels))
    (folder / "rows.csv").write_text(text)
    flat = [number for row in rows for number in row]
    joined = [number for row, label in zip(rows, labels) for number in (*row, label)]
    (folder / "joined.npy").write_bytes(npy(joined, samples, features + 1))
    with zipfile.ZipFile(folder / "rows.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.npy", npy(flat, samples, features))
        archive.writestr("labels.npy", npy(labels, samples, type="i4"))
    (folder / "archives").mkdir()
    for i, (row, label) in enumerate(zip(rows, labels)):
        with zipfile.ZipFile(folder / "archives" / f"{i}.npz", "w") as archive:
            archive.writestr("data.npy", npy(row, 1, features))
            archive.writestr("frm.npy", npy([label], 1, type="i4"))
    (folder / "archives.txt").write_text("".join(f"archives/{i}.npz\n" for i in range(samples)))
    for name, part in (("first", slice(0, 20)), ("second", slice(20, samples))):
        with zipfile.ZipFile(folder / f"{name}.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            some = [number for row in rows[part] for number in row]
            archive.writestr("density_sig1.npy", npy(some, len(labels[part]), features))
            archive.writestr("states.npy", npy(labels[part], len(labels[part])))
    (folder / "frames.txt").write_text("first.npz\nsecond.npz\n")
    (folder / "rows.py").write_text(MODULE)
    (folder / "data_set.py").write_text(DATA_SET)
    (folder / "rows.pkl").write_bytes(b"\x80\x02cdata_set\nRows\n)\x81.")  # pickle.dumps(data_set.Rows())


def compile_reader(folder, name, reader):
    (folder / f"{name}.yaml").write_text(EXPERIMENT.format(reader=reader))
    done = subprocess.run([compiler, f"{name}.yaml", "--probe-python", "-o", f"{name}.bin"], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        fail(f"{name}: exit code {done.returncode} of the compiler\n{done.stderr}")


def run(folder, name, ranks=1):
    launcher = ["mpirun", "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
    return subprocess.run([*launcher, runner, f"{name}.bin", "--threads", "1", "--io-threads", "2",
                           "--work-dir", f"{name}.{ranks}"], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=HANG_GUARD)


def losses(folder, name, ranks):
    done = run(folder, name, ranks)
    if done.returncode != 0:
        fail(f"{name} on {ranks} ranks: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    metrics, = (folder / f"{name}.{ranks}").glob("latest/metrics.jsonl")
    events = [json.loads(line) for line in metrics.read_text().splitlines()]
    return [event["objective"] for event in events if event["event"] == "step"]


def check_failure(folder, name, ranks, *words):
    done = run(folder, name, ranks)
    told = done.stderr.count("lbann-run: error:")
    missing = [word for word in words if word not in done.stderr]
    traces = done.stderr.count("Traceback") - ("Traceback" in words)
    if done.returncode != 3 or told != 1 or missing or traces:
        fail(f"{name} on {ranks} ranks: exit code {done.returncode}, {told} messages, {traces} tracebacks too many, "
             f"without {missing}\n{done.stderr}")


readers = {
    "csv": "csv: {role: train, shuffle: true, data_filename: rows.csv, num_labels: 3}",
    "columns": "csv: {role: train, shuffle: true, data_filename: rows.csv, num_labels: 3, "
               "columns: {samples: [x0, x1, x2, x3, x4], labels: class}}",
    "joined": "numpy: {role: train, shuffle: true, data_filename: joined.npy, disable_labels: false, num_labels: 3}",
    "npz": "numpy_npz: {role: train, shuffle: true, data_filename: rows.npz, num_labels: 3}",
    "arrays": "numpy_npz: {role: train, shuffle: true, data_filename: rows.npz, num_labels: 3, "
              "arrays: {samples: data, labels: labels}}",
    "archives": "numpy_npz_conduit_reader: {role: train, shuffle: true, data_filename: archives.txt, num_labels: 3}",
    "frames": "ras_lipid: {role: train, shuffle: true, data_filename: frames.txt}",
    "dataset": "python_dataset: {role: train, shuffle: true, dataset_path: rows.pkl, num_workers: 2}",
    "python": "python: {role: train, shuffle: true, module: rows, data_fields: [samples, labels], num_workers: 3}",
}
all_ranks = [1, 2] if shutil.which("mpirun") else [1]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    write_data(folder)
    expected = None
    for name, reader in readers.items():
        compile_reader(folder, name, reader)
        for ranks in all_ranks:
            found = losses(folder, name, ranks)
            expected = expected or found
            worst = max(abs(a - b) for a, b in zip(expected, found))
            if len(found) != 10 or worst > 1e-6:
                fail(f"{name} on {ranks} ranks: {len(found)} losses, {worst} apart from those of csv")
    print(f"{len(readers)} readers on {all_ranks} ranks: the same losses, {expected[0]:.4f} to {expected[-1]:.4f}")

    for ranks in all_ranks:
        text = (folder / "rows.csv").read_text()
        (folder / "rows.csv").write_text(text.replace("\n-0.5,", "\n-0.5x,", 1))
        check_failure(folder, "csv", ranks, "csv.yaml:4:5: reader `csv`, sample", "rows.csv`:",
                      ":1: `-0.5x` of column `x0` is no number")
        check_failure(folder, "python", ranks, "python.yaml:4:5: reader `python`, `rows.get_sample(",
                      "Traceback", "could not convert string to float: '-0.5x'")
        (folder / "rows.csv").write_text(text)
    (folder / "rows.npz").write_bytes((folder / "rows.npz").read_bytes()[:-30])
    check_failure(folder, "npz", 1, "npz.yaml:4:5: reader `numpy_npz`", "is the file complete?")
    (folder / "joined.npy").unlink()
    check_failure(folder, "joined", 1, "joined.yaml:4:5: reader `numpy`", "there is no file `joined.npy`")
    print("what is wrong with data is told once, with its place")
