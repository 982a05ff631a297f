"""A job of Slurm whose script lbann-run has written."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from run_experiment import fail  # noqa: E402


class BatchJob:
    """Two nodes with `ranks` each; submitted when it is made."""

    def __init__(self, cluster, run, name, *options, ranks=2, sbatch=()):
        self.cluster, self.name = cluster, name
        self.place = run.folder / name.replace(" ", "_")
        self.place.mkdir()
        script = cluster.call(run.runner, run.plan, "--batch-script", "slurm", "--nodes", 2,
                              "--procs-per-node", ranks, "--time-limit", 10, "--threads", 1,
                              "--work-dir", self.place / "work", "--save-model",
                              self.place / "model", *options)
        if script.returncode != 0:
            fail(script.stderr)
        (self.place / "job.sh").write_text(script.stdout)
        done = cluster.call("sbatch", "--parsable", "--output", self.place / "output", *sbatch,
                            self.place / "job.sh", cwd=self.place)
        if done.returncode != 0:
            fail(f"sbatch: {done.stderr}")
        self.number = done.stdout.strip()

    def asked(self, field):
        """What Slurm says of the job, e.g. its `JobState`."""
        for word in self.cluster.call("scontrol", "show", "job", self.number).stdout.split():
            if word.startswith(field + "="):
                return word[len(field) + 1:]
        return ""

    def output(self):
        path = self.place / "output"
        return path.read_text() if path.exists() else ""

    def __str__(self):
        return (f"{self.name}, job {self.number}: {self.asked('JobState')} {self.asked('Reason')}, "
                f"exit code {self.asked('ExitCode')}, turns before {self.asked('Restarts')}\n"
                f"{self.output()[-3000:]}")

    def ended(self):
        return self.asked("JobState") in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL",
                                          "PREEMPTED")

    def wait_until(self, condition, complaint):
        """Fails if the job ends before."""
        if not self.cluster.wait_until(lambda: condition() or self.ended()) or not condition():
            fail(f"{complaint}: {self}")

    def wait_for(self, wanted):
        """Until the job has ended, which must be in this state."""
        self.wait_until(self.ended, "does not end")
        if self.asked("JobState") != wanted:
            fail(f"is not {wanted}: {self}")

    def runs(self):
        return list(self.place.glob("work/*_*/metrics.jsonl"))

    def trains(self):
        return any(path.stat().st_size > 0 for path in self.runs())

    def checkpoints(self):
        """Finished ones: step_000000000004.saving-* becomes step_000000000004 by renaming."""
        return [path for path in self.place.glob("work/*_*/checkpoints/step_*")
                if path.name.removeprefix("step_").isdigit()]

    def comes_back(self):
        """Waits until the job is back in the queue, and lets it start."""
        self.wait_until(lambda: self.asked("Restarts") == "1", "is not requeued")
        # Slurm lets a job that comes again wait for two minutes; within the second it ended in,
        # nodes would still refuse it.
        self.cluster.call("scontrol", "update", f"JobId={self.number}", "StartTime=now+3")

    def nodes(self):
        return self.cluster.call("scontrol", "show", "hostnames", self.asked("NodeList")).stdout.split()
