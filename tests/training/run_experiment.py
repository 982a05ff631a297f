"""Compiles and runs an experiment in a folder of its own; gives the lines of its metrics.jsonl."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import own_mpi_folder


def fail(words):
    print(words, file=sys.stderr)
    sys.exit(1)


def expect(condition, words):
    if not condition:
        fail(words)


def call(command, cwd):
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


class Experiment:
    """One experiment, compiled once with its settings."""

    def __init__(self, compiler, runner, experiment, folder, settings=()):
        self.runner = pathlib.Path(runner).resolve()
        self.folder = pathlib.Path(folder)
        self.plan = self.folder / "plan.bin"
        settings = [part for setting in settings for part in ("--set", setting)]
        call([pathlib.Path(compiler).resolve(), pathlib.Path(experiment).resolve(), "-o", self.plan,
              *settings], self.folder)

    def run(self, name, *options, launcher=()):
        """Runs the plan with these options, by `launcher` on its ranks; gives (events, output, work directory)."""
        top = self.folder / name
        top.mkdir()
        output = call([*launcher, self.runner, self.plan, "--work-dir", top, *options], top)
        metrics = sorted(top.glob("latest/metrics.jsonl"))
        if len(metrics) != 1:
            fail(f"expected one work directory with metrics.jsonl in {top}, found {metrics}")
        events = [json.loads(line) for line in metrics[0].read_text().splitlines()]
        return events, output, metrics[0].parent


def losses(events):
    return [event["objective"] for event in events if event["event"] == "step"]
