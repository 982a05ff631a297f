"""The best model of a run is that of a run that ends at its epoch, bit by bit; of several trainers, the best save theirs.

  best_model_test.py COMPILER RUNNER [--ranks]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from ranks import RankedExperiment, events, mpirun, only, require_mpirun
from run_experiment import fail
from hang_guard import HANG_GUARD

# After 4 epochs the learning rate is too large: the model becomes worse.
TEXT = """
variables: {{epochs: 8}}
trainer: {{mini_batch_size: 16, training_algorithm: {{sgd: {{max_epochs: "${{epochs}}"}}}}}}
data_reader:
  - digits: {{role: train, num_samples: 200, size: 8, shuffle: true}}
  - digits: {{role: validate, num_samples: 40, size: 8}}
  - digits: {{role: test, num_samples: 30, size: 8}}
model:
  layers:
    - input: {{name: images, data_field: samples}}
    - input: {{name: labels, data_field: labels}}
    - fully_connected: {{name: hidden, parents: images, num_neurons: 12}}
    - batch_normalization:
    - relu:
    - fully_connected: {{num_neurons: 10}}
    - softmax: {{name: probabilities}}
    - cross_entropy: {{name: loss, parents: [probabilities, labels]}}
    - categorical_accuracy: {{name: correct, parents: [probabilities, labels]}}
  objective_function:
    - layer_term: {{layer: loss}}
  metrics:
    - layer_metric: {{name: accuracy, layer: correct, unit: "%"}}
    - layer_metric: {{name: error, layer: loss}}
  callbacks:
    - set_learning_rate: {{step: 4, val: {rate}}}
{callbacks}
optimizer: {{sgd: {{learn_rate: 0.02, momentum: 0.9}}}}
"""
KEEPING = """
    - save_model: {dir: last}
    - early_stopping: {patience: 3, restore_best: true}
    - save_model: {dir: lowest, best: objective}
    - save_model: {dir: highest, best: error, mode: max}"""
RANKED = """
    - early_stopping: {patience: 1, restore_best: true}
    - save_topk_models: {dir: top, k: 1, metric: error, ascending_ordering: true}
    - save_topk_models: {dir: bottom, k: 1, metric: error}
    - save_topk_models: {dir: all, k: 5, metric: accuracy}"""

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])


def experiment(folder, callbacks="", rate=3, settings=()):
    folder.mkdir()
    path = folder / "experiment.yaml"
    path.write_text(TEXT.format(callbacks=callbacks, rate=rate))
    return RankedExperiment(compiler, runner, path, folder, settings)


def model(folder):
    """Bytes of the files of a saved model by their names."""
    files = {path.name: path.read_bytes() for path in folder.glob("*.npy")}
    if len(files) != 8:  # two fully connected layers, one normalisation with its statistics
        fail(f"{folder}: holds {sorted(files)}")
    return files


def epochs_of(run, mode):
    return [event for event in events(run) if event["event"] == "epoch" and event["mode"] == mode]


def same(found, expected, what):
    different = [name for name in expected if found.get(name) != expected[name]]
    if found.keys() != expected.keys() or different:
        fail(f"{what}: {sorted(found)} differ in {different}")
    print(f"{what}: the same bits")


def check_best(root, ranks):
    """Saved and restored weights on so many ranks."""
    folder = root / f"on{ranks}"
    folder.mkdir()
    kept = experiment(folder / "kept", KEEPING).run_on(ranks, "--threads", 1)
    validations = epochs_of(kept, "validation")
    objectives = [event["objective"] for event in validations]
    errors = [event["metrics"]["error"] for event in validations]
    lowest, highest = objectives.index(min(objectives)), errors.index(max(errors))
    print(f"{ranks} ranks: lowest objective after epoch {lowest}, highest error after {highest}")
    if not 0 < lowest < highest or len(validations) != lowest + 4:
        fail(f"objectives {objectives}, errors {errors}: the lowest is first, or training ended elsewhere")

    def stopped(epochs):
        run = experiment(folder / f"stopped{epochs}_{len(list(folder.iterdir()))}", "", 3,
                         [f"variables.epochs={epochs}"])
        return run.run_on(ranks, "--threads", 1)

    expected = stopped(lowest + 1)
    for found in ("latest/lowest", "latest/last", "model"):
        same(model(kept / found), model(expected / "model"), f"{ranks} ranks, {found}")
    same(model(kept / "latest/highest"), model(stopped(highest + 1) / "model"), f"{ranks} ranks, highest")
    # The test is that of the restored weights.
    tests = [only(epochs_of(run, "testing"), "test") for run in (kept, expected)]
    if tests[0]["objective"] != tests[1]["objective"]:
        fail(f"tests of the same weights: {tests}")
    log = only(kept.glob("latest/log"), "log").read_text()
    for line in (f" after epoch {lowest}, saved in {(kept / 'latest').resolve() / 'lowest'}",
                 f"{validations[lowest]['objective']:g} after epoch {lowest}\n"):
        if line not in log:
            fail(f"no line {line!r} in\n{log}")


def check_resumed(root, ranks):
    """The best weights so far outlive the end of a run, also those that are only in memory."""
    run = experiment(root / f"resumed{ranks}", KEEPING)
    every = ("--threads", 1, "--checkpoint-every", "1 epoch")
    whole = run.run_on(ranks, *every, name="whole")
    steps = sum(event["event"] == "step" for event in events(whole))
    for stop in range(5, steps, 14):
        top = run.run_on(ranks, *every, "--steps", stop, name=f"stopped{stop}")
        run.run_on(ranks, *every, "--resume", name=top.name)
        for folder in ("latest/lowest", "latest/highest", "latest/last", "model"):
            same(model(top / folder), model(whole / folder), f"{ranks} ranks, resumed after {stop} steps, {folder}")


def wait_for_epochs(process, top, metrics, count):
    """Returns once a run has told of so many validations, or has ended."""
    deadline = time.monotonic() + HANG_GUARD
    while process.poll() is None and time.monotonic() < deadline:
        text = "".join(path.read_text() for path in top.glob(metrics))
        if text.count('"validation"') >= count:
            return
        time.sleep(0.05)


def check_signal(root):
    """After a signal the weights are those of the last step; the best model was saved before."""
    run = experiment(root / "signal", KEEPING.replace("patience: 3", "patience: 1000000"), 3,
                     ["variables.epochs=10000000"])
    top = root / "signal" / "run"
    process = subprocess.Popen(
        [run.runner, run.plan, "--threads", "1", "--work-dir", top, "--save-model", top / "model"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # By then the learning rate has become too large.
    wait_for_epochs(process, top, "latest/metrics.jsonl", 8)
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=HANG_GUARD)
    if process.returncode != 143:
        fail(f"exit code {process.returncode} after SIGTERM\n{output[-2000:]}{errors}")
    if "weights are those of the best validation" in output:
        fail("early_stopping went back after a signal")
    same(model(top / "latest/last"), model(top / "model"), "after a signal, last")
    if model(top / "latest/last") == model(top / "latest/lowest"):
        fail("the last weights are the best")


def check_trainers(root):
    """Two trainers, which end after different numbers of epochs, rank their models."""
    run = experiment(root / "trainers", RANKED, rate=0.4)
    top = root / "trainers" / "both"
    done = mpirun(2, [run.runner, run.plan, "--procs-per-trainer", 1, "--threads", 1, "--work-dir",
                      top, "--save-model", top / "model"])
    if done.returncode != 0:
        fail(done.stdout + done.stderr)
    work = only(top.glob("latest/trainer0/metrics.jsonl"), "metrics of a trainer").parents[1]
    errors = []
    for number in (0, 1):
        lines = (work / f"trainer{number}" / "metrics.jsonl").read_text().splitlines()
        errors.append(json.loads(lines[-1])["metrics"]["error"])
    print(f"errors of the trainers: {errors}")
    if errors[0] == errors[1]:
        fail("the trainers cannot be told apart")
    for folder, expected in (("top", [errors.index(min(errors))]),
                             ("bottom", [errors.index(max(errors))]), ("all", [0, 1])):
        found = {path.name for path in (work / folder).iterdir()}
        if found != {f"trainer{number}" for number in expected}:
            fail(f"{folder}: {found} saved, not {expected}")
        for number in expected:
            name = f"trainer{number}"
            same(model(work / folder / name), model(top / "model" / name), f"{folder}/{name}")


def check_waiting(root):
    """A collective that one trainer does not reach is reported, and ends the job."""
    run = experiment(root / "waiting", RANKED.replace("patience: 1", "patience: 100000"), 0.1,
                     ["variables.epochs=10000000"])
    top = root / "waiting" / "run"
    # The first rank is told to stop; its trainer waits for the other, which trains on.
    script = 'echo $$ > "$0.$OMPI_COMM_WORLD_RANK"; exec "$@"'
    process = subprocess.Popen(
        ["mpirun", "-n", "2", "--bind-to", "none", "sh", "-c", script, root / "waiting" / "process", run.runner,
         run.plan, "--procs-per-trainer", "1", "--threads", "1", "--work-dir", top, "--stall-timeout", "4"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_epochs(process, top, "latest/trainer0/metrics.jsonl", 1)
    os.kill(int((root / "waiting" / "process.0").read_text()), signal.SIGTERM)
    output, errors = process.communicate(timeout=HANG_GUARD)
    if process.returncode == 0 or "callback `save_topk_models`" not in errors or "nothing came for 4 s" not in errors:
        fail(f"exit code {process.returncode}\n{output[-2000:]}{errors}")
    print(errors.splitlines()[0])


def refused(root):
    """What the compiler says of callbacks that would never find a best model."""
    for place, (callback, words) in enumerate([
            ("save_model: {dir: a, best: accuracy}", "needs `mode`, `min` or `max`"),
            ("save_model: {dir: a, best: acuracy, mode: max}", "accuracy"),
            ("save_topk_models: {dir: a, k: 1, metric: objective}", "there is no metric")]):
        path = root / f"refused{place}.yaml"
        path.write_text(TEXT.format(callbacks=f"    - {callback}", rate=1))
        done = subprocess.run([compiler, path, "--check"], capture_output=True, text=True)
        if done.returncode != 1 or words not in done.stderr:
            fail(f"{callback}: exit code {done.returncode}\n{done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    refused(root)
    check_best(root, 1)
    check_resumed(root, 1)
    check_signal(root)
    if "--ranks" in sys.argv:
        require_mpirun()
        check_best(root, 2)
        check_resumed(root, 2)
        check_trainers(root)
        check_waiting(root)
