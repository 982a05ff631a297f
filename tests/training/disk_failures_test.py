"""Disks that are full, broken or read-only, and folders that vanish, while checkpoints are written.

  disk_failures_test.py COMPILER RUNNER EXPERIMENT SHIM [--ranks]

With an older checkpoint training goes on with a warning and ends as it would have; without one it stops with a message, its
model is saved, and there is never half a checkpoint.
"""
import errno
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ranks import RankedExperiment, fail, mpirun
from hang_guard import HANG_GUARD
from stopped_runs import checkpoints_of, command, compare, launch, outcome

compiler, runner, experiment, shim, *several = sys.argv[1:]
EVERY = ["--checkpoint-every", "1 step"]
WARNING = "warning: a checkpoint could not be written, training goes on: "


def failing(run, ranks, base, calls, error, only):
    """Runs while storage calls of one rank fail."""
    rank = ranks - 1 if calls[0] == 1 else 0  # others than the first only sync, in so small a model
    environment = {"LD_PRELOAD": shim, "STORAGE_ROOT": str(base), "STORAGE_ONLY": only,
                   "STORAGE_FAIL": f"{rank}:{calls[0]}:{calls[1]}:{error}"}
    words = [str(word) for word in command(run, base, *EVERY)]
    if ranks == 1:
        return subprocess.run(words, capture_output=True, text=True, timeout=HANG_GUARD, env={**os.environ, **environment})
    return mpirun(ranks, [word for name, value in environment.items() for word in ("-x", f"{name}={value}")] + words)


def all_sound(base):
    """Every checkpoint with a manifest is whole; what could not even be removed has none."""
    for run in base.glob("resumed_*"):
        for path in checkpoints_of(run):
            if {entry.name for entry in path.iterdir()} != {"manifest.json", "plan.bin", "state.safetensors"}:
                fail(f"{path} is half a checkpoint")


def check_failures(run, ranks, expected, only, numbers):
    """Each of these storage calls in turn, with some calls after it."""
    ends = {"warned": 0, "stopped": 0, "unnoticed": 0}
    errors = [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT]
    for number, first in enumerate(numbers):
        base = run.folder / f"failing{ranks}_{first}{only.replace('/', '_')}"
        base.mkdir()
        error = errors[number % len(errors)]
        done = failing(run, ranks, base, (first, first + number % 5), error, only)
        text = done.stdout + done.stderr
        warned = WARNING in text
        if done.returncode == 0:
            ends["warned" if warned else "unnoticed"] += 1
            all_sound(base)
            # The checkpoint of the end may be the one that is missing.
            compare(f"{ranks} ranks, call {first}", base, expected[:2])
            continue
        message = re.findall("lbann-run: error: .*", text)
        if done.returncode != 3 or len(message) != 1 or os.strerror(error) not in message[0]:
            fail(f"{ranks} ranks, call {first}, {os.strerror(error)}: exit code {done.returncode}\n{text}")
        ends["stopped"] += 1
        all_sound(base)
        if "no checkpoint can be written" in text and not list((base / "model").glob("*.npy")):
            fail(f"{ranks} ranks, call {first}: no model is saved\n{text}")
        done = launch(ranks, command(run, base, "--resume", *EVERY))
        if done.returncode != 0:
            fail(f"{ranks} ranks, call {first}: not resumed\n{done.stdout}{done.stderr}")
    if not ends["stopped"] or only and not ends["warned"]:
        fail(f"{ranks} ranks: {ends}")
    print(f"{ranks} ranks: calls {only} that failed: {ends}")


def check_full_from_the_start(folder):
    """Without any checkpoint: stop and save the model, or what the experiment says."""
    for name, settings, code, words in (
            ("stop", [], 3, "no checkpoint can be written: "),
            ("warn", ["model.callbacks.checkpoint.on_failure=warn"], 0, WARNING)):
        (folder / name).mkdir()
        text = pathlib.Path(experiment).read_text().replace("  callbacks:\n", "  callbacks:\n    - checkpoint:\n")
        (folder / name / "experiment.yaml").write_text(text)
        run = RankedExperiment(compiler, runner, folder / name / "experiment.yaml", folder / name, settings)
        done = launch(1, command(run, folder / name / "base", *EVERY, "--ckpt_dir", "/proc/nowhere"))
        if done.returncode != code or words not in done.stdout + done.stderr:
            fail(f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        if not list((folder / name / "base/model").glob("*.npy")):
            fail(f"{name}: no model is saved")
        # A run that is to be gone on from needs a checkpoint.
        process = subprocess.Popen([str(word) for word in command(run, folder / name / "signalled", "--ckpt_dir", "/proc/nowhere")],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while process.poll() is None and not list(folder.glob(f"{name}/signalled/latest/metrics.jsonl")):
            time.sleep(0.001)
        process.send_signal(signal.SIGUSR1)
        text, _ = process.communicate(timeout=HANG_GUARD)
        # A signal before the first step ends at once, and one after the last step, too.
        if process.returncode not in (3, 1, -signal.SIGUSR1, 0) and "not while it trained" not in text or (
                process.returncode == 3 and "no checkpoint can be" not in text):
            fail(f"{name}: SIGUSR1 without a checkpoint: exit code {process.returncode}\n{text}")
    print("a disk that is full from the start: stop and warn as the experiment says")


def check_vanished(run, expected, what):
    """A folder that is removed while training goes on."""
    base = run.folder / f"vanished_{what}"
    process = subprocess.Popen([str(word) for word in command(run, base, *EVERY)], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    while process.poll() is None and not checkpoints_of((base / "latest").resolve()):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    place = (base / "latest").resolve()
    shutil.rmtree(place / "checkpoints" if what == "checkpoints" else place)
    process.send_signal(signal.SIGCONT)
    text, _ = process.communicate(timeout=HANG_GUARD)
    # One that was just being written is gone, too, and there is no older one.
    if what == "checkpoints" and "no checkpoint can be written" not in text:
        if process.returncode != 0:
            fail(f"{what} vanished: exit code {process.returncode}\n{text}")
        compare("checkpoints vanished", base, expected)
    elif process.returncode != 3 or len(re.findall("lbann-run: error: ", text)) != 1:
        fail(f"{what} vanished: exit code {process.returncode}\n{text}")
    print(f"vanished {what}: exit code {process.returncode}")


with tempfile.TemporaryDirectory() as scratch:
    run = RankedExperiment(compiler, runner, experiment, scratch)
    (run.folder / "longer").mkdir()
    longer = RankedExperiment(compiler, runner, experiment, run.folder / "longer",
                              ["variables.epochs=40", "variables.patience=40"])
    for ranks in (1, 2, 3) if several else (1,):
        for one in (run, longer) if ranks == 1 else (run,):
            whole = one.folder / f"whole{ranks}"
            if (done := launch(ranks, command(one, whole, *EVERY))).returncode != 0:
                fail(done.stdout + done.stderr)
        expected = outcome(run.folder / f"whole{ranks}")
        if ranks == 1:
            check_failures(run, ranks, expected, "", range(1, 40, 3))
        check_failures(run, ranks, expected, "/checkpoints", range(1, 50) if ranks == 1 else (1, 5, 14, 18, 22, 26, 30))
    check_full_from_the_start(run.folder)
    check_vanished(longer, outcome(longer.folder / "whole1"), "checkpoints")
    (run.folder / "endless").mkdir()
    check_vanished(RankedExperiment(compiler, runner, experiment, run.folder / "endless",
                                    ["variables.epochs=4000", "variables.patience=4000"]), None, "run")
