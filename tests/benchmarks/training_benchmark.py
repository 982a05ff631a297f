"""Seconds of a training step and peak memory of the networks of docs/performance.md.

  training_benchmark.py COMPILER RUNNER

$LBANN_PEER is a command that trains the same networks with another framework and prints one JSON line, run as
`$LBANN_PEER WORKLOAD --batch B --threads N --steps S`. Without it only ours is measured. Ours and
the peer's alternate, so that both meet the same machine.
"""
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from run_experiment import Experiment  # noqa: E402

compiler, runner = sys.argv[1:]
peer = shlex.split(os.environ.get("LBANN_PEER", ""))
here = pathlib.Path(__file__).resolve().parent
rounds, warm_up = 3, 5
networks = [("lenet", "lenet", 64, 200), ("mlp", "mlp", 128, 60), ("autoencoder", "ae:3072:4096", 64, 24)]


def ours(compiled, name, threads, steps):
    events, output, _ = compiled.run(name, "--threads", str(threads), "--io-threads", "1")
    seconds = [event["seconds"] for event in events if event["event"] == "step"][warm_up:]
    memory = re.search(r"peak resident ([0-9.]+) (\w+)", output)
    first = re.search(r"first step finished ([0-9.]+) s", output)
    return statistics.median(seconds), " ".join(memory.groups()), float(first.group(1))


def theirs(workload, batch, threads, steps):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    done = subprocess.run([*peer, workload, "--batch", str(batch), "--threads",
                           str(threads), "--steps", str(steps)], stdout=subprocess.PIPE,
                          text=True, check=True, env=environment)
    result = json.loads(done.stdout.splitlines()[-1])
    return result["step_s"], f"{result['peak_rss_mb']:.0f} MB"


print("network, threads: ours [ms/step], peak, first step [s]" + (" | peer [ms/step], peak | peer/ours" if peer else ""))
for name, workload, batch, steps in networks:
    for threads in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            # Epochs of the benchmark's files are four steps.
            compiled = Experiment(compiler, runner, here / f"{name}.yaml", folder,
                                  [f"trainer.training_algorithm.sgd.max_epochs={(steps + warm_up) // 4}"])
            measured, rival = [], []
            for number in range(rounds):
                measured.append(ours(compiled, str(number), threads, steps))
                if peer:
                    rival.append(theirs(workload, batch, threads, steps))
        mine = min(m[0] for m in measured)
        line = f"{name}, {threads}: {1000 * mine:.2f}, {measured[0][1]}, {min(m[2] for m in measured):.3f}"
        if peer:
            other = min(r[0] for r in rival)
            line += f" | {1000 * other:.2f}, {rival[0][1]} | {other / mine:.2f}"
        print(line, flush=True)
