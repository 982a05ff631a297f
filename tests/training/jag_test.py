"""Readers of JAG simulations train as csv does on the same numbers, on one rank and on two; so do LBANN's own applications, a few steps, where
LBANN_TEST_APPLICATIONS names them.

  jag_test.py COMPILER RUNNER WRITER
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from run_experiment import call, fail
from hang_guard import HANG_GUARD

compiler, runner, writer = (pathlib.Path(word).resolve() for word in sys.argv[1:])
height, width, channels, scalars, inputs = 3, 2, 4, 2, 2

EXPERIMENT = """
trainer: {{mini_batch_size: 4, random_seed: 3, training_algorithm: {{sgd: {{max_epochs: 2}}}}}}
data_reader:
  - {reader}
{metadata}
model:
  layers:
    - input: {{name: x, data_field: samples}}
    - input: {{name: y, data_field: responses}}
    - fully_connected: {{name: guess, parents: x, num_neurons: 2}}
    - mean_squared_error: {{name: loss, parents: [guess, y]}}
  objective_function:
    - layer_term: {{layer: loss}}
optimizer: {{sgd: {{learn_rate: 0.001}}}}
"""
METADATA = """
data_set_metadata:
  schema:
    input_prefix: inputs
    scalar_prefix: /outputs/scalars
    image_prefix: /outputs/images/
    image_height: 3
    image_width: 2
    image_num_channels: 4
    split_jag_image_channels: true
    jag_image_keys: ["(0.0, 0.0)/0.0/emi"]
    jag_scalar_keys: [out1, out0]
    independent: [pieces: [JAG_Image], pieces: [JAG_Scalar]]
    dependent: [pieces: [JAG_Input]]
  normalization:
    jag_image_normalization_params: [{scale: 1}, {scale: 0.5, bias: 0.25}, {scale: 2}, {bias: -1}]
    jag_scalar_normalization_params: [{scale: 0.01}, {scale: 0.02, bias: -2}]
"""


def numbers(i):
    """Samples and responses of simulation i, as tests/support/jag_writer.hpp and the metadata above make them."""
    factors, summands = (1, 0.5, 2, 1), (0, 0.25, 0, -1)
    image = [(i + (row * width + column) / 64 + channel / 1024) * factors[channel] + summands[channel]
             for channel in range(channels) for row in range(height) for column in range(width)]
    return image + [(100.25 + i) * 0.01, (100 + i) * 0.02 - 2] + [i, i - 0.125]


def write_jag(path, first, count, *sizes):
    call([writer, path, first, count, *sizes], path.parent)


def losses(folder, name, ranks):
    launcher = ["mpirun", "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
    done = subprocess.run([*launcher, runner, f"{name}.bin", "--threads", "1", "--work-dir", f"{name}.{ranks}"],
                          cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=HANG_GUARD)
    if done.returncode != 0:
        fail(f"{name} on {ranks} ranks: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    metrics, = (folder / f"{name}.{ranks}").glob("latest/metrics.jsonl")
    events = [json.loads(line) for line in metrics.read_text().splitlines()]
    return [event["objective"] for event in events if event["event"] == "step"]


def compile_experiment(folder, name, *files):
    done = subprocess.run([compiler, *files, "-o", f"{name}.bin"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{name}: exit code {done.returncode} of the compiler\n{done.stderr}")
    return done.stderr


def compare_readers(folder):
    write_jag(folder / "a.h5", 0, 8, height, width, channels, scalars, inputs)
    write_jag(folder / "b.h5", 10, 3, height, width, channels, scalars, inputs)
    good = [0, 1, 2, 3, 4, 5, 7, 10, 11, 12]  # the seventh failed
    names = [f"run_{i}" for i in good]
    (folder / "list.txt").write_text(f"CONDUIT_HDF5_INCLUSION\n10 1 2\n.\na.h5 7 1 {' '.join(names[:7])}\n"
                                     f"b.h5 3 0 {' '.join(names[7:])}\n")
    (folder / "files.txt").write_text("a.h5\nb.h5\n")
    rows = [numbers(i) for i in good]
    columns = [f"c{k}" for k in range(len(rows[0]))]
    (folder / "rows.csv").write_text("\n".join(",".join(map(repr, row)) for row in rows) + "\n")
    (folder / "rows.csv").write_text(",".join(columns) + "\n" + (folder / "rows.csv").read_text())
    readers = {
        "csv": "csv: {role: train, shuffle: true, data_filename: rows.csv, columns: {samples: [" +
               ", ".join(columns[:-2]) + "], responses: [" + ", ".join(columns[-2:]) + "]}}",
        "listed": "jag_conduit: {role: train, shuffle: true, sample_list: list.txt}",
        "pattern": "jag_conduit_hdf5: {role: train, shuffle: true, data_filedir: \"?.h5\"}",
        "named": "jag_conduit_hdf5: {role: train, shuffle: true, data_filename: files.txt}",
        "multi": "multi_conduit: {role: train, shuffle: true, data_file_pattern: \"*.h5\"}",
    }
    expected = None
    for name, reader in readers.items():
        (folder / f"{name}.yaml").write_text(EXPERIMENT.format(reader=reader, metadata="" if name == "csv" else METADATA))
        if words := compile_experiment(folder, name, f"{name}.yaml"):
            fail(f"{name}: {words}")
        for ranks in [1, 2] if shutil.which("mpirun") else [1]:
            found = losses(folder, name, ranks)
            expected = expected or found
            worst = max(abs(a - b) / max(1, abs(a)) for a, b in zip(expected, found))
            if len(found) != 6 or worst > 1e-5:
                fail(f"{name} on {ranks} ranks: {found} instead of {expected}")
    print(f"{len(readers) - 1} readers as csv: losses {expected[0]:.4f} to {expected[-1]:.4f}")


def predict_other_samples(folder):
    """`--data` puts another sample list in the place of the plan's, or another table: the same predictions."""
    (folder / "others.txt").write_text("CONDUIT_HDF5_INCLUSION\n3 5 1\n.\na.h5 3 5 run_5 run_0 run_3\n")
    table = (folder / "rows.csv").read_text().splitlines()
    (folder / "others.csv").write_text("\n".join(table[i] for i in [0, 6, 1, 4]) + "\n")
    call([runner, "listed.bin", "--work-dir", "saved", "--save-model", "model"], folder)
    predictions = []
    for name, data in [("listed", "others.txt"), ("csv", "others.csv")]:
        call([runner, f"{name}.bin", "--predict", "--load-model", "model", "--layers", "guess", "--data", data,
              "--out", f"{name}.predicted.csv"], folder)
        lines = (folder / f"{name}.predicted.csv").read_text().splitlines()[1:]
        predictions.append([float(cell) for line in lines for cell in line.split(",")])
    worst = max(abs(a - b) / max(1, abs(a)) for a, b in zip(*predictions))
    if any(len(values) != 6 for values in predictions) or worst > 1e-5:
        fail(f"predictions of a list and of a table: {predictions}")
    print(f"predictions of three other samples: {predictions[0]}")


def train_applications(folder, texts):
    """15 scalars, 5 inputs and an image of 64 x 64 pixels in 4 channels, as LBANN's own data set has."""
    write_jag(folder / "jag.h5", 0, 6, 64, 64, 4, 15, 5)
    names = " ".join(f"run_{i}" for i in range(6))
    (folder / "jag.txt").write_text(f"CONDUIT_HDF5_INCLUSION\n6 0 1\n{folder}\njag.h5 6 0 {names}\n")
    shutil.copy(folder / "jag.txt", folder / "t0_jag.txt")
    keys = {"scalar": [f"out{i}" for i in range(15)], "input": [f"in{i}" for i in range(5)]}
    metadata = ('data_set_metadata { schema { scalar_prefix: "/outputs/scalars/" image_prefix: "/outputs/images/" '
                'input_prefix: "/inputs/" image_height: 64 image_width: 64 image_num_channels: 4 '
                'split_jag_image_channels: true jag_image_keys: "(0.0, 0.0)/0.0/emi" ' +
                " ".join(f'jag_{kind}_keys: "{key}"' for kind, all_keys in keys.items() for key in all_keys) +
                " independent { pieces: JAG_Image pieces: JAG_Scalar } independent { pieces: JAG_Input } } "
                "normalization { " +
                "jag_image_normalization_params { scale: 0.1 } " * 4 +
                "jag_scalar_normalization_params { scale: 0.01 bias: -1 } " * 15 +
                "jag_input_normalization_params { scale: 0.1 bias: 0.5 } " * 5 + "} }")
    (folder / "metadata.prototext").write_text(metadata)
    for path in texts:
        text = re.sub(r'sample_list: "[^"]*"', f'sample_list: "{folder}/jag.txt"', path.read_text())
        text = re.sub(r"(validation|tournament)_fraction: [0-9.]+", "", text)
        text = re.sub(r"fraction_of_data_to_use: [0-9.]+", "fraction_of_data_to_use: 1.0", text)
        text = re.sub(r"mini_batch_size: \d+", "mini_batch_size: 2", text)
        (folder / path.name).write_text(text)
        compile_experiment(folder, path.stem, path.name, "metadata.prototext")
        call([runner, f"{path.stem}.bin", "--steps", "3", "--work-dir", path.stem], folder)
        metrics, = (folder / path.stem).glob("latest/metrics.jsonl")
        found = [event["objective"] for event in map(json.loads, metrics.read_text().splitlines())
                 if event["event"] == "step"]
        if len(found) != 3 or not all(math.isfinite(value) for value in found):
            fail(f"{path.stem}: losses {found}")
        print(f"{path.stem}: {found}")


with tempfile.TemporaryDirectory() as name:
    compare_readers(pathlib.Path(name))
    predict_other_samples(pathlib.Path(name))
    applications = os.environ.get("LBANN_TEST_APPLICATIONS")
    if applications:
        texts = [pathlib.Path(applications) / f"{name}.prototext" for name in ("icf_macc_surrogate", "icf_pretrain_wae_cnn")]
        train_applications(pathlib.Path(name), [path for path in texts if path.is_file()])
