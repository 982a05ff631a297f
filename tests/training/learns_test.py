"""An experiment reaches an accuracy on samples it has not been trained on.

  learns_test.py COMPILER RUNNER EXPERIMENT MODE PERCENT [--mnist] [SETTING...]

MODE is `validation` (best epoch counts) or `testing`. With --mnist the data is in
$LBANN_TEST_DATA/mnist; without that folder the test is skipped.
"""
import os
import pathlib
import sys
import tempfile

from run_experiment import Experiment, fail

compiler, runner, experiment, mode, percent, *settings = sys.argv[1:]
if "--mnist" in settings:
    settings.remove("--mnist")
    data = pathlib.Path(os.environ.get("LBANN_TEST_DATA", ""), "mnist")
    if not os.environ.get("LBANN_TEST_DATA") or not data.is_dir():
        print("skipped: LBANN_TEST_DATA names no folder with mnist/ in it")
        sys.exit(77)
    settings += [f"variables.data={data}", "variables.images=t10k-images-idx3-ubyte.gz",
                 "variables.labels=t10k-labels-idx1-ubyte.gz"]
with tempfile.TemporaryDirectory() as folder:
    events, _, _ = Experiment(compiler, runner, experiment, folder, settings).run("run")
reached = [event["metrics"]["accuracy"] for event in events
           if event["event"] == "epoch" and event["mode"] == mode]
if not reached:
    fail(f"no {mode} was done")
print(f"{mode} accuracy: {reached}")
if max(reached) < float(percent):
    fail(f"below {percent} %")
