"""A run that is stopped anywhere and resumed ends as the run that was not: every file of it, bit for bit.

  resume_test.py COMPILER RUNNER EXPERIMENT [--ranks]
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ranks import RankedExperiment, fail, weights, worst_weights
from hang_guard import HANG_GUARD  # noqa: E402
from stopped_runs import checkpoints, checkpoints_of, command, compare, launch, lines, outcome, run_folder

compiler, runner, experiment, *ranks = sys.argv[1:]
rank_counts = (1, 2, 3) if ranks else (1,)


def check(name, done, code=0):
    if done.returncode != code:
        fail(f"{name}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def resume_from_every_checkpoint(run, count):
    whole = run.folder / f"whole{count}"
    every = ["--checkpoint-every", "1 step"]
    check("whole run", launch(count, command(run, whole, *every)))
    expected = outcome(whole)
    # A checkpoint that is due while another is being written is left out.
    if not 1 <= len(checkpoints(whole)) <= 2:
        fail(f"kept {checkpoints(whole)}")
    written = (run_folder(whole) / "log").read_text().count("checkpoint written: ")
    if written < 2:
        fail(f"{count} ranks: {written} checkpoints written while training went on")
    steps = len([event for event in expected[1] if event["event"] == "step"])
    for stop in range(1, steps):
        base = run.folder / f"stopped{count}_{stop}"
        process = launch(count, command(run, base, "--steps", stop, *every))
        check("stopped run", process)
        text = check(f"resume after {stop} steps", launch(count, command(run, base, "--resume", *every)))
        if f"{stop} steps" not in text:
            fail(f"resume after {stop} steps says nothing of it:\n{text}")
        compare(f"{count} ranks, step {stop}", base, expected)
    print(f"{count} ranks: resumed after each of {steps - 1} steps, equal")
    return expected


def stop_by_signal(run, count, number, code):
    """Signals at random moments, resumed until the end is reached."""
    whole = run.folder / f"whole{count}_{number}"
    base = run.folder / f"signal{count}_{number}"
    every = ["--checkpoint-every", "1 step"]
    begin = time.monotonic()
    check("whole run", launch(count, command(run, whole, *every)))
    expected, duration = outcome(whole), time.monotonic() - begin
    turns = 0
    while True:
        process = subprocess.Popen(
            [str(word) for word in (["mpirun", "-n", count, "--bind-to", "none"] if count > 1 else []) +
             command(run, base, "--resume", *every)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # Most turns are ended; the later ones have less left to do, and more time: the machine may have become slower.
        time.sleep(random.uniform(0, duration * 1.05 ** turns))
        process.send_signal(number)
        text, _ = process.communicate(timeout=HANG_GUARD)
        turns += 1
        if process.returncode == 0:
            break
        # Before its handlers are there a signal kills; SIGUSR1 before a step is gained is a failure.
        if count == 1 and process.returncode not in (code, -number, 1 if number == signal.SIGUSR1 else code):
            fail(f"signal {number}: exit code {process.returncode}\n{text}")
        if turns > 200:
            fail(f"signal {number}: no end after {turns} turns\n{text}")
    compare(f"{count} ranks, signal {number}", base, expected)
    print(f"{count} ranks: equal after {turns} turns ended by signal {number}")


def refusals(run, expected):
    base = run.folder / "whole1"
    last = checkpoints(base)[-1]

    def other(name, *settings):
        folder = run.folder / name
        folder.mkdir()
        return RankedExperiment(compiler, runner, experiment, folder, settings)

    def resumed(plan, *options):
        copy = run.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(base, copy, symlinks=True)
        return launch(1, [plan.runner, plan.plan, "--threads", 1, "--work-dir", copy, *options]), copy

    wider = other("wider", "variables.hidden=25")
    done, copy = resumed(wider, "--resume", run_folder(base))
    text = check("another experiment", done, 3)
    if "is of another experiment: weights `fc1_linearity_weights` were f32 [24, 784], now f32 [25, 784]" not in text:
        fail(f"another experiment is refused by\n{text}")

    longer = other("longer", "variables.epochs=6", "variables.rate=0.02")
    done, copy = resumed(longer, "--resume")
    text = check("more epochs", done)
    for words in ("changed since the checkpoint: max_epochs was 4, now 6", "is 0.02 from here on"):
        if words not in text:
            fail(f"`{words}` is not in\n{text}")
    if len(lines(copy)) <= len(expected[1]):
        fail("two more epochs have left no lines")

    # A damaged checkpoint is named, and the one before is taken.
    copy = run.folder / "damaged"
    shutil.copytree(base, copy, symlinks=True)
    state = checkpoints(copy)[-1] / "state.safetensors"
    content = bytearray(state.read_bytes())
    content[len(content) // 2] ^= 1
    state.write_bytes(content)
    text = check("damaged", launch(1, command(run, copy, "--resume", "--checkpoint-every", "1 step")))
    if f"{state}: is damaged" not in text or "resumed from" not in text:
        fail(f"a damaged checkpoint is told by\n{text}")
    compare("after a damaged checkpoint", copy, expected)
    for path in checkpoints(copy):
        (path / "state.safetensors").write_bytes(b"")
    text = check("all damaged", launch(1, command(run, copy, "--resume")), 3)
    if "no sound checkpoint to resume from" not in text:
        fail(f"damaged checkpoints are told by\n{text}")

    empty = run.folder / "empty"
    empty.mkdir()
    text = check("nothing there", launch(1, command(run, empty, "--resume")))
    if "nothing to resume" not in text:
        fail(f"an empty folder is told by\n{text}")
    text = check("no checkpoint", launch(1, command(run, empty, "--resume", run.folder)), 3)
    if "holds no checkpoint" not in text:
        fail(f"a folder without checkpoints is told by\n{text}")
    print("refusals: as expected")


def elsewhere(run, expected):
    """Checkpoints in --ckpt_dir are found there, by the run's name, by themselves and by the folder of the run."""
    every = ["--checkpoint-every", "1 step"]
    for stop, resume in enumerate((lambda base: ["--resume"], lambda base: ["--resume", run_folder(base)],
                                   lambda base: ["--restart_dir", checkpoints(base)[-1]]), start=2):
        base = run.folder / f"elsewhere{stop}"
        place = ["--ckpt_dir", base / "elsewhere"]
        check("stopped run", launch(1, command(run, base, "--steps", stop, *every, *place)))
        if (run_folder(base) / "checkpoints").exists():
            fail("--ckpt_dir: checkpoints in the folder of the run, too")
        text = check("resume", launch(1, command(run, base, *resume(base), *every, *place)))
        if f"{stop} steps" not in text:
            fail(f"--ckpt_dir: not resumed after {stop} steps\n{text}")
        compare("--ckpt_dir", base, expected)
    text = check("checkpoints of a run that is gone", launch(1, command(
        run, run.folder / "other_base", "--resume", checkpoints(base)[-1].parent, *place)), 3)
    if "lies in no folder of a run" not in text:
        fail(text)
    print("--ckpt_dir: found")


def go_back(run, expected):
    """From an older checkpoint: those after it are replaced, and the course is the same."""
    base = run.folder / "back"
    every = ["--checkpoint-every", "1 step"]
    check("a run", launch(1, command(run, base, *every)))
    older, newest = checkpoints(base)
    manifest = newest / "manifest.json"
    written = manifest.stat().st_mtime_ns
    text = check("resume from the older", launch(1, command(run, base, "--resume", older, "--steps", int(older.name[5:]) + 1,
                                                            *every)))
    if f"the next checkpoint replaces {newest}" not in text or \
            manifest.exists() and manifest.stat().st_mtime_ns == written:
        fail(f"{checkpoints(base)}\n{text}")
    check("resume", launch(1, command(run, base, "--resume", *every)))
    compare("an older checkpoint", base, expected)
    print("an older checkpoint: gone on from")


def change_ranks(run):
    """On another number of ranks training ends with the same weights to rounding."""
    every = ["--checkpoint-every", "1 step"]
    expected = weights(run.folder / "whole1")
    for before, after, stop in ((1, 2, 3), (3, 1, 6), (2, 3, 9)):
        base = run.folder / f"from{before}to{after}"
        check("stopped run", launch(before, command(run, base, "--steps", stop, *every)))
        text = check("resume", launch(after, command(run, base, "--resume", *every)))
        if f"{stop} steps" not in text:
            fail(f"from {before} to {after} ranks: not resumed after {stop} steps\n{text}")
        distance = worst_weights(weights(base), expected)
        print(f"from {before} to {after} ranks after {stop} steps: weights differ by {distance:.1e}")
        if distance > 1e-4:
            fail("that is more than rounding")


def two_at_once(run):
    """A second process does not train in the folder of the first."""
    base = run.folder / "two"
    words = [str(word) for word in command(run, base, "--checkpoint-every", "1 step")]
    first = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    while first.poll() is None and not checkpoints_of((base / "latest").resolve()):
        time.sleep(0.01)
    first.send_signal(signal.SIGSTOP)
    text = check("a second run in the folder", launch(1, [*words, "--resume"]), 3)
    if "another lbann-run is training in this folder" not in text:
        fail(text)
    first.send_signal(signal.SIGCONT)
    if first.wait() != 0:
        fail("the first run is disturbed")
    print("two at once: refused")


random.seed(int(os.environ.get("LBANN_TEST_SEED", "1")))
with tempfile.TemporaryDirectory() as scratch:
    run = RankedExperiment(compiler, runner, experiment, scratch)
    (run.folder / "longer_run").mkdir()
    long = RankedExperiment(compiler, runner, experiment, run.folder / "longer_run",
                            ["variables.epochs=12", "variables.patience=12"])
    for count in rank_counts:
        expected = resume_from_every_checkpoint(run, count)
        stop_by_signal(long, count, signal.SIGKILL, -signal.SIGKILL)
        if count == 1:
            stop_by_signal(long, count, signal.SIGUSR1, 75)
            stop_by_signal(long, count, signal.SIGTERM, 143)
            refusals(run, expected)
            elsewhere(run, expected)
            go_back(run, expected)
            two_at_once(long)
    if ranks:
        change_ranks(run)
