"""Data stores and staging change where samples come from and no bit of a result.

  data_store_test.py COMPILER RUNNER [--ranks]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from mnist_files import make_mnist
from png_files import make_pictures
from ranks import RankedExperiment, events, fail, mpirun, require_mpirun, values_of, weights

compiler, runner, *several = sys.argv[1:]
TEXT = """
trainer:
  mini_batch_size: 32
  training_algorithm: {sgd: {max_epochs: 3}}
data_reader:
  READER
model:
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - fully_connected: {parents: images, num_neurons: 10}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.05}}
"""
READERS = {
    "mnist": """
  - mnist: {role: train, data_filedir: data, data_filename: train-images-idx3-ubyte.gz,
      label_filename: train-labels-idx1-ubyte.gz, shuffle: true, validation_fraction: 0.2}
  - mnist: {role: test, data_filedir: data, data_filename: t10k-images-idx3-ubyte.gz,
      label_filename: t10k-labels-idx1-ubyte.gz}""",
    "pictures": """
  - image_folder: {role: train, data_filedir: pictures, shuffle: true, validation_fraction: 0.2, num_labels: 10,
      transforms: [random_resized_crop: {height: 12, width: 10}, horizontal_flip: {p: 0.5}, to_lbann_layout: ]}""",
}
# Per epoch: samples of training and validation; of the test at the end.
SAMPLES = {"mnist": (240, 60, 300), "pictures": (56, 14, 0)}


def experiment(root, name):
    folder = root / f"with_{name}"
    folder.mkdir()
    path = folder / "experiment.yaml"
    for data in ("data", "pictures"):
        (folder / data).symlink_to(root / data)
    path.write_text(TEXT.replace("  READER", READERS[name]))
    return RankedExperiment(compiler, runner, path, folder)


def log_of(top):
    return next(top.glob("latest/log")).read_text()


def counts_of(top):
    found = re.search(r"data store : (\d+) samples, .* on (\d+) ranks; (\d+) samples came from a rank's own memory, "
                      r"(\d+) from another rank's, (\d+) were read", log_of(top))
    if not found:
        fail(f"no line of the data store in\n{log_of(top)}")
    return [int(word) for word in found.groups()]


def run(made, ranks, *options, name=None):
    return made.run_on(ranks, "--threads", 1, "--data-root", made.folder, *options, name=name)


def check(made, name, ranks):
    plain = run(made, ranks)
    expected = values_of(events(plain)), weights(plain)
    training, validation, test = SAMPLES[name]
    every, seen = training + validation + test, 3 * (training + validation) + test
    for options in (["--use_data_store"], ["--preload_data_store", "--io-threads", 3],
                    ["--use_data_store", "--data-store-limit", 0.00002]):
        top = run(made, ranks, *options)
        if (values_of(events(top)), weights(top)) != expected:
            fail(f"{name} on {ranks} ranks with {options}: other values")
        kept, on, own, received, read = counts_of(top)
        print(f"{name}, {ranks} ranks, {options}: {kept} kept, {own} own, {received} received, {read} read")
        if own + received + read != seen or on != ranks:
            fail(f"{seen} samples are needed")
        if "--data-store-limit" in options:
            if not 0 < kept < every:
                fail("the limit does not hold or nothing is kept")
        elif kept != every or read != (0 if "--preload_data_store" in options else every):
            fail(f"not each of {every} samples was read once")
        elif (received > 0) != (ranks > 1):
            fail("samples of other ranks")


def resumed(made, ranks):
    """A run that stops within an epoch, and one that goes on from there with an empty store."""
    expected = run(made, ranks)
    every = ("--use_data_store", "--checkpoint-every", "1 step")
    run(made, ranks, "--steps", 10, *every, name=f"stopped{ranks}")
    top = run(made, ranks, "--resume", *every, name=f"stopped{ranks}")
    if values_of(events(top)) != values_of(events(expected)) or weights(top) != weights(expected):
        fail(f"resumed on {ranks} ranks: other values")


def staged(made, ranks):
    """Runs until all files have been copied; then none is read from where it is."""
    expected = run(made, ranks)
    files, seen = sum(SAMPLES["pictures"]), 3 * sum(SAMPLES["pictures"])
    for attempt in range(50):
        top = run(made, ranks, "--staging", made.folder / f"disk{ranks}", "--staging-streams", 2)
        if values_of(events(top)) != values_of(events(expected)) or weights(top) != weights(expected):
            fail(f"staging on {ranks} ranks: other values")
        found = re.search(r"staging : (\d+) of (\d+) files were copied to .* (\d+) were there; (\d+) times a copy was "
                          r"read, (\d+) times the file itself", log_of(top))
        copied, wanted, there, copies, originals = [int(word) for word in found.groups()]
        print(f"staging, {ranks} ranks: {copied} of {wanted} copied, {there} there, {copies} and {originals} read")
        if wanted != files or copies + originals < seen:
            fail(f"{files} files and {seen} samples are needed")
        if there == files:
            if originals != 0 or copied != 0:
                fail("all copies are there, and files are read or copied")
            return
    fail("copying never ends")


def planned(root):
    """Staging as the experiment says, and as the command line says instead."""
    path = root / "planned.yaml"
    path.write_text(TEXT.replace("  READER", READERS["pictures"]).replace(
        "  mini_batch_size: 32", "  mini_batch_size: 32\n  data_coordinator: {staging: {local_dir: disk, limit: 1, streams: 3}}"))
    plan = root / "planned.bin"
    subprocess.run([compiler, path, "-o", plan, "--data-root", root], check=True)
    asked = [pathlib.Path(runner).resolve(), plan, "--data-root", root, "--work-dir", root / "planned_runs", "--quiet"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=root)
    if done.returncode != 3 or "there is no folder `disk` on this node" not in done.stderr:
        fail(f"exit code {done.returncode} without the folder that a plan names: {done.stderr}")
    (root / "disk").mkdir()
    for options, used in (([], "disk"), (["--staging", "other", "--staging-limit", "0.5"], "other")):
        subprocess.run([*asked, *options], check=True, cwd=root)
        if "staging : " not in log_of(root / "planned_runs") or not list((root / used).glob("*/*.png")):
            fail(f"nothing is copied to {used}: {log_of(root / 'planned_runs')}")


def broken(root):
    """An image that cannot be decoded ends the run on all ranks, though they wait for samples of one another."""
    make_pictures(root / "broken", 70)
    picture = root / "broken" / "class3" / "3.png"
    picture.write_bytes(picture.read_bytes()[:60] + bytes(400) + picture.read_bytes()[460:])
    path = root / "broken.yaml"
    path.write_text(TEXT.replace("  READER", READERS["pictures"]).replace("pictures,", "broken,")
                    .replace("mini_batch_size: 32", "mini_batch_size: 4")
                    .replace("data_field: samples}", "data_field: samples, standardize: channels}"))
    plan = root / "broken.bin"
    subprocess.run([compiler, path, "-o", plan, "--data-root", root], check=True)
    done = mpirun(3, [pathlib.Path(runner).resolve(), plan, "--data-root", root, "--work-dir", root / "broken_runs",
                      "--preload_data_store", "--stall-timeout", 20, "--threads", 1])
    if done.returncode == 0 or "3.png" not in done.stderr or "stall" in done.stderr:
        fail(f"exit code {done.returncode} of a run with a broken picture:\n{done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch).resolve()
    if several:
        require_mpirun()
    make_mnist(root / "data")
    make_pictures(root / "pictures", 70)
    if several:
        broken(root)
    else:
        planned(root)
    for name in READERS:
        made = experiment(root, name)
        for ranks in (1, 2, 3) if several else (1,):
            check(made, name, ranks)
            if name == "mnist":
                resumed(made, ranks)
            else:
                staged(made, ranks)
