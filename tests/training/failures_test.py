"""However a rank ends, the whole job ends by itself, with one message that says which rank and where.

  failures_test.py COMPILER RUNNER EXPERIMENT RUNNER_WITH_FAULTS
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ranks import RankedExperiment, fail, mpirun, require_mpirun
from hang_guard import HANG_GUARD
from sanitized import is_sanitized

compiler, runner, experiment, runner_with_faults = sys.argv[1:]
require_mpirun()
# A sanitizer tells of fatal signals itself; then the other rank speaks for the job.
sanitized = is_sanitized(runner)
instruction = r"instruction \d+ of (train|evaluate|initialize), \w+.*\(.*\.yaml:\d+:\d+\)"
place = rf"({instruction}|sums over ranks by devices, in (train|evaluate)|callback `|the agreement of all ranks between two phases)"


def messages(text):
    return [line for line in text.splitlines() if "lbann-run: error:" in line]


class Job:
    """A long run on two ranks, and the processes of its ranks."""

    def __init__(self, run, name, *options):
        self.top = run.folder / name
        self.process = subprocess.Popen(
            ["mpirun", "-n", "2", "--bind-to", "none", run.runner, run.plan, "--threads", "1",
             "--work-dir", self.top, "--save-model", self.top / "model", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + HANG_GUARD
        while not self.steps() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        self.ranks = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                environment = (entry / "environ").read_bytes()
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if entry.name.isdigit() and str(self.top).encode() in words:
                rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", environment)
                if rank:
                    self.ranks[int(rank.group(1))] = int(entry.name)
        if len(self.ranks) != 2:
            fail(f"{name}: found ranks {self.ranks}")

    def steps(self):
        return any(path.stat().st_size > 0 for path in self.top.glob("latest/metrics.jsonl"))

    def end(self):
        try:
            _, text = self.process.communicate(timeout=HANG_GUARD)
        except subprocess.TimeoutExpired:
            self.process.kill()
            for process in self.ranks.values():
                try:
                    os.kill(process, signal.SIGKILL)
                except OSError:
                    pass
            fail(f"{self.top.name}: still there after {HANG_GUARD} s")
        return self.process.returncode, text

    def check(self, pattern):
        code, text = self.end()
        told = messages(text)
        if code == 0 or len(told) != 1 or not re.search(pattern, told[0]):
            fail(f"{self.top.name}: exit code {code}, expected one message with {pattern}\n{text}")
        if list(self.top.glob("model*")):
            fail(f"{self.top.name}: left {list(self.top.glob('model*'))}")
        print(f"{self.top.name}: {told[0]}")


with tempfile.TemporaryDirectory() as folder:
    run = RankedExperiment(compiler, runner, experiment, folder,
                           ["trainer.training_algorithm.sgd.max_epochs=100000"])

    job = Job(run, "killed")
    os.kill(job.ranks[1], signal.SIGKILL)
    job.check(rf"rank 0: rank 1 is gone, while this rank waits in {place}")

    # The same where ranks wait in shared memory, of which nothing may be left.
    wide = run.folder / "wide"
    wide.mkdir()
    before = set(os.listdir("/dev/shm"))
    job = Job(RankedExperiment(compiler, runner, pathlib.Path(experiment).with_name("rank_autoencoder.yaml"), wide,
                               ["trainer.training_algorithm.sgd.max_epochs=100000", "variables.hidden=300"]),
              "killed beside shared memory")
    os.kill(job.ranks[1], signal.SIGKILL)
    job.check(rf"rank 0: rank 1 is gone, while this rank waits in {place}")
    if left := {name for name in set(os.listdir("/dev/shm")) - before if "lbann" in name}:
        fail(f"left in /dev/shm: {left}")

    for number, words in ((signal.SIGSEGV, "SIGSEGV"), (signal.SIGABRT, "SIGABRT")):
        job = Job(run, words)
        os.kill(job.ranks[1], number)
        # Between two steps it is in no instruction.
        job.check("rank 0: rank 1 is gone" if sanitized else
                  rf"rank 1: {words}( \([^)]*\))?(, in {place}|$)")

    job = Job(run, "stopped", "--stall-timeout", "10")
    os.kill(job.ranks[1], signal.SIGSTOP)
    job.check(rf"rank 0: nothing came for \d+ s, while this rank waits in {place}.*"
              "rank 1 does not answer")

    # Where a rank waits after each instruction.
    job = Job(run, "stopped while it is profiled", "--stall-timeout", "10", "--profile")
    os.kill(job.ranks[1], signal.SIGSTOP)
    job.check(rf"rank 0: nothing came for \d+ s, while this rank waits in {place}.*"
              "rank 1 does not answer")

    (run.folder / "hanging").mkdir()
    hanging = RankedExperiment(compiler, runner, experiment, run.folder / "hanging",
                               ["model.callbacks=[{hang: {rank: 1}}]"])
    done = mpirun(2, [runner, hanging.plan, "--work-dir", run.folder / "hanging", "--stall-timeout", 2])
    if done.returncode != 1 or "rank 1 of trainer 0 waits for a debugger" not in done.stderr or \
            not re.search(r"rank 0: nothing came for .*; rank 1 is in callback `hang`", done.stderr):
        fail(f"hang: exit code {done.returncode}\n{done.stderr}")

    for number, expected in ((signal.SIGTERM, 143), (signal.SIGUSR1, 75)):
        job = Job(run, f"told to end by {number.name}")
        # One rank is told; all end after the same step.
        os.kill(job.ranks[1], number)
        code, text = job.end()
        saved = list((job.top / "model").glob("*.npy"))
        if code != expected or messages(text) or not saved:
            fail(f"{number.name}: exit code {code}, saved {saved}\n{text}")
        log = next(job.top.glob("latest/log")).read_text()
        if f"ended early by signal {number.name} after" not in log:
            fail(f"{number.name}: the log does not name it\n{log[-500:]}")
        print(f"{number.name}: exit code {code}, {len(saved)} weights saved")

    # A rank that throws, and one that cannot read, in the middle of training. No fault can be asked of lbann-run.
    if b"LBANN_PLANT_FAULT" in pathlib.Path(runner).read_bytes():
        fail(f"{runner} knows of planted faults")
    for kind, code, words in (
            ("instruction", 1, rf"rank 1: fault of lbann-run itself: a planted fault, in {instruction}"),
            ("read", 3, "rank 1: a mini-batch cannot be read: a planted fault")):
        top = run.folder / f"planted {kind}"
        done = mpirun(2, ["-x", f"LBANN_PLANT_FAULT=1:{kind}:5", runner_with_faults, run.plan, "--threads", 1,
                          "--work-dir", top, "--save-model", top / "model"])
        told = messages(done.stderr)
        if done.returncode != code or len(told) != 1 or not re.search(words, told[0]) or list(top.glob("model*")):
            fail(f"planted {kind}: exit code {done.returncode}\n{done.stderr}")
        steps = len(next(top.glob("latest/metrics.jsonl")).read_text().splitlines())
        print(f"{told[0]} (after {steps} steps)")

    # Files: what one rank cannot read or write ends all, before and during training.
    blocked = run.folder / "blocked"
    blocked.write_text("")
    for name, options, words in (
            ("work directory", ["--work-dir", blocked], "rank 0: .*blocked"),
            ("model to load", ["--load-model", run.folder / "nowhere"], "rank 0: .*nowhere"),
            ("model to save", ["--steps", 2, "--save-model", blocked / "x"], "rank 0: .*blocked"),
            ("trace", ["--steps", 2, "--trace", blocked / "x"], "rank 0: .*blocked")):
        if "--work-dir" not in options:
            options += ["--work-dir", run.folder / "files"]
        done = mpirun(2, [run.runner, run.plan, "--threads", 1, *options])
        told = messages(done.stderr)
        if done.returncode != 3 or len(told) != 1 or not re.search(words, told[0]):
            fail(f"{name}: exit code {done.returncode}\n{done.stderr}")
        print(f"{name}: {told[0]}")

    # Ranks that differ.
    copy = run.folder / "lbann-run"
    shutil.copy(run.runner, copy)
    with open(copy, "ab") as file:
        file.write(b"another build")
    done = subprocess.run(["mpirun", "-n", "1", str(run.runner), str(run.plan), ":", "-n", "1", str(copy),
                           str(run.plan)], capture_output=True, text=True, timeout=HANG_GUARD)
    told = messages(done.stderr)
    if done.returncode != 3 or len(told) != 1 or "rank 1: runs another lbann-run than rank 0" not in told[0]:
        fail(f"two programs: exit code {done.returncode}\n{done.stderr}")
    print(told[0])
    other = run.folder / "other"
    other.mkdir()
    changed = RankedExperiment(compiler, runner, experiment, other, ["trainer.random_seed=7"])
    done = subprocess.run(["mpirun", "-n", "1", str(run.runner), str(run.plan), ":", "-n", "1",
                           str(run.runner), str(changed.plan)], capture_output=True, text=True,
                          timeout=HANG_GUARD)
    told = messages(done.stderr)
    if done.returncode != 3 or len(told) != 1 or "rank 1: reads another plan than rank 0" not in told[0]:
        fail(f"two plans: exit code {done.returncode}\n{done.stderr}")
    print(told[0])
