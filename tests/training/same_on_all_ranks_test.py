"""An epoch gives the same losses, metrics and weights on any number of ranks and threads.

  same_on_all_ranks_test.py COMPILER RUNNER EXPERIMENT TRANSPORT [SETTING...] [--OPTION...]

TRANSPORT is part of the line that tells how two ranks reach one another. Options are those of lbann-run on several ranks.

In double all agree to 1e-9 (weights per tensor, relative to its norm); in float the first 20 losses
to 1e-5 and the accuracy of the test to 0.3 points.
"""
import pathlib
import sys
import tempfile

from ranks import (RankedExperiment, events, fail, require_mpirun, values_of, weights, worst_values,
                   worst_weights)
from run_experiment import losses

compiler, runner, experiment, transport = sys.argv[1:5]
options = [word for word in sys.argv[5:] if word.startswith("--")]
settings_of_all = [word for word in sys.argv[5:] if not word.startswith("--")]
require_mpirun()


def compiled(folder, name, *settings):
    place = pathlib.Path(folder, name)
    place.mkdir()
    return RankedExperiment(compiler, runner, experiment, place, [*settings_of_all, *settings])


def compare_doubles(run, cases):
    alone = run.run_on(1, "--threads", 1)
    expected = values_of(events(alone)), weights(alone)
    if len(set(losses(events(alone)))) < 3:
        fail(f"nothing is trained: {expected[0]}")
    for ranks, threads in cases:
        top = run.run_on(ranks, "--threads", threads, *options)
        value = worst_values(values_of(events(top)), expected[0])
        weight = worst_weights(weights(top), expected[1])
        print(f"{ranks} ranks, {threads} threads: values {value:.2g}, weights {weight:.2g}")
        if ranks == 2 and transport not in next(top.glob("latest/log")).read_text():
            fail(f"`{transport}` is not how ranks reach one another")
        if not max(value, weight) <= 1e-9:
            fail("more than 1e-9 from one rank on one thread")


def compare_floats(run, cases):
    alone = events(run.run_on(1, "--threads", 1))
    for ranks, threads in cases:
        found = events(run.run_on(ranks, "--threads", threads, *options))
        # Later ones tell how training makes more of what was rounded: 1e-6 becomes 2e-5 in a step.
        loss = worst_values(losses(found)[:12], losses(alone)[:12])
        print(f"{ranks} ranks, {threads} threads, float: first losses {loss:.2g}")
        if not loss <= 1e-5:
            fail("more than 1e-5 from one rank on one thread")
        for mine, other in zip(found[-1]["metrics"].items(), alone[-1]["metrics"].items()):
            if mine[0] == "accuracy" and abs(mine[1] - other[1]) > 0.3:
                fail(f"accuracy {mine[1]} instead of {other[1]}")


with tempfile.TemporaryDirectory() as folder:
    compare_doubles(compiled(folder, "double", "model.datatype=double"),
                    [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)])
    # A rank without samples takes part in everything.
    compare_doubles(compiled(folder, "tiny", "model.datatype=double", "trainer.mini_batch_size=2",
                             "variables.samples=9"), [(3, 1)])
    compare_floats(compiled(folder, "float", "trainer.mini_batch_size=6"), [(2, 1), (4, 1)])
