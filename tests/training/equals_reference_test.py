"""The first losses of an experiment equal those of a run on the reference kernels.

  equals_reference_test.py COMPILER RUNNER EXPERIMENT TOLERANCE [SETTING...]

20 steps; TOLERANCE is relative to the reference's loss.
"""
import sys
import tempfile

from run_experiment import Experiment, fail, losses

compiler, runner, experiment, tolerance, *settings = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    compiled = Experiment(compiler, runner, experiment, folder, settings)
    best = losses(compiled.run("best", "--steps", "20")[0])
    reference = losses(compiled.run("reference", "--steps", "20", "--kernels", "reference")[0])
if len(best) != 20 or len(reference) != 20:
    fail(f"expected 20 steps, got {len(best)} and {len(reference)}")
if best[0] == best[-1]:
    fail("the loss does not change: nothing is trained")
worst = max(abs(a - b) / max(abs(b), 1e-300) for a, b in zip(best, reference))
print(f"largest relative difference of 20 losses: {worst:.3g} (bound {tolerance})")
if not worst <= float(tolerance):
    fail(f"best      {best}\nreference {reference}")
