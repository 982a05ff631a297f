"""Runs of an experiment on several ranks, for tests that import it."""
import array
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from run_experiment import Experiment, fail
from hang_guard import HANG_GUARD


def require_mpirun():
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun here")
        sys.exit(77)


def mpirun(ranks, command, **options):
    """Runs `command` on so many ranks; gives the finished process."""
    options = {"timeout": HANG_GUARD, "capture_output": True, "text": True, **options}
    return subprocess.run(["mpirun", "-n", str(ranks), "--bind-to", "none",
                           *map(str, command)], stdin=subprocess.DEVNULL, **options)


class RankedExperiment(Experiment):
    """One experiment, compiled once, run on any number of ranks."""

    def run_on(self, ranks, *options, name=None):
        """Runs the plan; gives its folder, where trainers are not several."""
        top = self.folder / (name or f"run{len(list(self.folder.glob('run*')))}")
        command = [self.runner, self.plan, "--work-dir", top, "--save-model", top / "model", *options]
        # One rank runs as users would start it.
        if ranks == 1:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        else:
            done = mpirun(ranks, command)
        if done.returncode != 0:
            fail(f"exit code {done.returncode} on {ranks} ranks {options}\n{done.stdout}{done.stderr}")
        return top


def only(paths, what):
    paths = list(paths)
    if len(paths) != 1:
        fail(f"expected one {what}, found {paths}")
    return paths[0]


def events(top):
    metrics = only(top.glob("latest/metrics.jsonl"), f"metrics.jsonl in {top}")
    return [json.loads(line) for line in metrics.read_text().splitlines()]


def numbers(path):
    """Values of a .npy file of f4 or f8."""
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    header = data[10:10 + length].decode()
    kind = re.search(r"'descr': '<f([48])'", header).group(1)
    values = array.array("f" if kind == "4" else "d")
    values.frombytes(data[10 + length:])
    return values


def norm(values):
    return sum(float(value) ** 2 for value in values) ** 0.5


def weights(top):
    files = {path.name: numbers(path) for path in sorted((top / "model").glob("*.npy"))}
    if not files:
        fail(f"no weights in {top}/model")
    return files


def worst_weights(found, expected):
    """Largest distance of a tensor, relative to its norm."""
    if found.keys() != expected.keys():
        fail(f"weights {sorted(found)} instead of {sorted(expected)}")
    worst = 0.0
    for name, values in expected.items():
        distance = norm([a - b for a, b in zip(found[name], values)])
        worst = max(worst, distance / max(norm(values), 1e-300))
    return worst


def values_of(event_list):
    """All losses and metrics of a run, in order."""
    values = []
    for event in event_list:
        values.append(event["objective"])
        values += [value for value in event["metrics"].values() if value is not None]
    return values


def worst_values(found, expected):
    if len(found) != len(expected):
        fail(f"{len(found)} values instead of {len(expected)}")
    return max(abs(a - b) / max(abs(b), 1e-12) for a, b in zip(found, expected))


def compare_runs(what, top, other, values, of_weights):
    """Losses and metrics of two runs, and their weights, are not further apart than these, relative."""
    value = worst_values(values_of(events(top)), values_of(events(other)))
    weight = worst_weights(weights(top), weights(other))
    print(f"{what}: values {value:.2g}, weights {weight:.2g}")
    if not (value <= values and weight <= of_weights):
        fail(f"{what}: more than {values}, {of_weights} apart")
