"""Two trainers of two ranks train models of their own in one job, each from its own seed.

  trainers_test.py COMPILER RUNNER EXPERIMENT
"""
import json
import sys
import tempfile

from ranks import RankedExperiment, fail, mpirun, only, require_mpirun, weights, worst_weights
from run_experiment import losses

compiler, runner, experiment = sys.argv[1:]
require_mpirun()
# Which samples there are, and their order in the file, is the plan's; so it is not shuffled here.
same = ["model.datatype=double", "variables.shuffle=false"]
with tempfile.TemporaryDirectory() as folder:
    run = RankedExperiment(compiler, runner, experiment, folder, same)
    top = run.folder / "both"
    done = mpirun(4, [run.runner, run.plan, "--procs-per-trainer", 2, "--threads", 1,
                      "--work-dir", top, "--save-model", top / "model"])
    if done.returncode != 0:
        fail(done.stdout + done.stderr)
    work = only(top.glob("*_*_*"), "work directory")
    found = []
    for number in (0, 1):
        text = (work / f"trainer{number}" / "metrics.jsonl").read_text()
        found.append(losses([json.loads(line) for line in text.splitlines()]))
        if f"(instance {number}) training epoch 0 objective" not in done.stdout:
            fail(f"nothing was printed of instance {number}:\n{done.stdout}")
    if found[0][0] == found[1][0]:
        fail(f"both trainers have the same losses {found[0]}")
    # Each is what a job of its own with that seed would be.
    for number in (0, 1):
        place = run.folder / f"alone{number}"
        place.mkdir()
        alone = RankedExperiment(compiler, runner, experiment, place,
                                 [*same, f"trainer.random_seed={42 + number}"])
        expected = weights(alone.run_on(1, "--threads", 1))
        model = only((top / "model").glob(f"trainer{number}"), "model of a trainer")
        (top / "one").mkdir(exist_ok=True)
        link = top / "one" / str(number)
        link.mkdir()
        (link / "model").symlink_to(model)
        worst = worst_weights(weights(link), expected)
        print(f"trainer {number}: weights {worst:.2g} from those of its seed alone")
        if not worst <= 1e-9:
            fail("more than 1e-9 apart")
    # What does not divide is one message from one rank.
    done = mpirun(3, [run.runner, run.plan, "--procs-per-trainer", 2, "--work-dir", top / "never"])
    if done.returncode == 0 or done.stderr.count("lbann-run: error:") != 1 or \
            "not divisible by --procs-per-trainer 2" not in done.stderr:
        fail(f"3 ranks in trainers of 2: {done.returncode}\n{done.stderr}")
