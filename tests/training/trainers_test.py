"""Two trainers of two ranks train models of their own in one job, each from its own seed and, if told to, its own plan.

  trainers_test.py COMPILER RUNNER EXPERIMENT
"""
import json
import shutil
import sys
import tempfile

from ranks import RankedExperiment, fail, mpirun, only, require_mpirun, weights, worst_weights
from run_experiment import losses

compiler, runner, experiment = sys.argv[1:]
require_mpirun()
# Which samples there are, and their order in the file, is the plan's; so it is not shuffled here.
same = ["model.datatype=double", "variables.shuffle=false"]


def place_of(run, name):
    place = run.folder / name
    place.mkdir(parents=True)
    return place


def train_plans_of_their_own(run):
    """Trainer 1 has one epoch more and another learning rate: each is what a job of its own with that plan is."""
    plans = place_of(run, "trainer0_plans")  # names of folders stay as they are
    changes = [["trainer.random_seed=7"],
               ["trainer.random_seed=6", "trainer.training_algorithm.sgd.max_epochs=3", "optimizer.sgd.learn_rate=0.003"]]
    alone = [RankedExperiment(compiler, runner, experiment, place_of(run, f"plan{number}"), [*same, *edits])
             for number, edits in enumerate(changes)]
    for number, one in enumerate(alone):
        shutil.copy(one.plan, plans / f"of_trainer{number}.bin")
    options = ["--procs-per-trainer", 2, "--threads", 1, "--work-dir", run.folder / "plans"]
    done = mpirun(4, [run.runner, plans / "of_trainer0.bin", "--plan-per-trainer", *options])
    if done.returncode != 0:
        fail(done.stdout + done.stderr)
    work = only((run.folder / "plans").glob("*_*_*"), "work directory")
    counts = []
    for number, one in enumerate(alone):
        if number == 1:  # the seed of trainer 1 is one more than its plan says
            one = RankedExperiment(compiler, runner, experiment, place_of(run, "seed1"),
                                   [*same, *changes[1][1:], "trainer.random_seed=7"])
        text = (work / f"trainer{number}" / "metrics.jsonl").read_text()
        found = losses([json.loads(line) for line in text.splitlines()])
        text = (one.run_on(1, "--threads", 1) / "latest" / "metrics.jsonl").read_text()
        expected = losses([json.loads(line) for line in text.splitlines()])
        counts.append(len(found))
        if len(found) != len(expected) or any(abs(a - b) > 1e-9 for a, b in zip(found, expected)):
            fail(f"trainer {number}: {found}, with its plan alone {expected}")
        if (work / f"trainer{number}" / "plan.bin").read_bytes() != (plans / f"of_trainer{number}.bin").read_bytes():
            fail(f"trainer {number} keeps another plan")
    print(f"two plans: {counts} losses, as each alone")

    def refused(words, plan, *more):
        done = mpirun(4, [run.runner, plan, *more, *options])
        if done.returncode == 0 or done.stderr.count("lbann-run: error:") != 1 or words not in done.stderr:
            fail(f"{plan}: {done.returncode}\n{done.stderr}")

    refused("must have `trainer0` in it", run.plan, "--plan-per-trainer")
    (plans / "of_trainer1.bin").unlink()
    refused("of_trainer1.bin: cannot be opened: No such file", plans / "of_trainer0.bin", "--plan-per-trainer")
    best = RankedExperiment(compiler, runner, experiment, place_of(run, "best"),
                            [*same, "model.callbacks=[save_topk_models: {dir: best, k: 1, metric: accuracy}]"])
    shutil.copy(best.plan, plans / "of_trainer1.bin")
    refused("another number of callbacks that compare trainers", plans / "of_trainer0.bin", "--plan-per-trainer")


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
    train_plans_of_their_own(run)
