"""Seconds of a training step and peak memory of the networks of docs/performance.md.

  training_benchmark.py COMPILER RUNNER [NETWORK]...

$LBANN_PEER is a command that trains the same networks with another framework and prints one JSON line, run as
`$LBANN_PEER WORKLOAD --batch B --threads N --steps S`. Where its first word runs a PyTorch, that of
ResNet-50 is torch_resnet.py. Without it only ours is measured. Ours and the peer's alternate, so that both meet the
same machine.
"""
import dataclasses
import json
import os
import pathlib
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from run_experiment import Experiment  # noqa: E402


@dataclasses.dataclass
class Network:
    file: str
    peer: list    # arguments that name it to the peer
    batch: int
    steps: int    # timed ones
    epoch: int    # steps of an epoch of the file
    settings: list = dataclasses.field(default_factory=list)
    rounds: int = 3


compiler, runner, *wanted = sys.argv[1:]
peer = shlex.split(os.environ.get("LBANN_PEER", ""))
here = pathlib.Path(__file__).resolve().parent
resnet = here.parent.parent / "experiments" / "resnet" / "experiment.yaml"
warm_up = 5
networks = {
    "lenet": Network("lenet.yaml", [*peer, "lenet"], 64, 200, 4),
    "mlp": Network("mlp.yaml", [*peer, "mlp"], 128, 60, 4),
    "autoencoder": Network("autoencoder.yaml", [*peer, "ae:3072:4096"], 64, 24, 4),
    "char_gpt": Network("char_gpt.yaml", [*peer, "gpt"], 8, 35, 20),
    "resnet50": Network(str(resnet), [*peer[:1], str(here / "torch_resnet.py"), "224"], 8, 5, 5,
                        ["variables.batch=8", "variables.samples=40"], 2),
}


def write_text(file):
    """Random characters, 96 different ones: 160 samples of 128, and the one that follows."""
    characters = [chr(32 + i) for i in range(95)] + ["\n"]
    random.seed(1)
    file.write_text("".join(characters + random.choices(characters, k=160 * 128 + 1 - len(characters))))


def ours(compiled, name, threads):
    events, output, _ = compiled.run(name, "--threads", str(threads), "--io-threads", "1")
    seconds = [event["seconds"] for event in events if event["event"] == "step"][warm_up:]
    memory = re.search(r"peak resident ([0-9.]+) (\w+)", output)
    first = re.search(r"first step finished ([0-9.]+) s", output)
    return statistics.median(seconds), " ".join(memory.groups()), float(first.group(1))


def theirs(network, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    done = subprocess.run([*network.peer, "--batch", str(network.batch), "--threads",
                           str(threads), "--steps", str(network.steps)], stdout=subprocess.PIPE,
                          text=True, check=True, env=environment)
    result = json.loads(done.stdout.splitlines()[-1])
    return result["step_s"], f"{result['peak_rss_mb']:.0f} MB"


print("network, threads: ours [ms/step], peak, first step [s]" + (" | peer [ms/step], peak | peer/ours" if peer else ""))
for name, network in networks.items():
    if wanted and name not in wanted:
        continue
    for threads in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            settings = list(network.settings)
            settings.append("trainer.training_algorithm.sgd.max_epochs="
                            f"{(network.steps + warm_up) // network.epoch}")
            if name == "char_gpt":
                text = pathlib.Path(folder) / "text.txt"
                write_text(text)
                settings.append(f"variables.text={text}")
            compiled = Experiment(compiler, runner, here / network.file, folder, settings)
            measured, rival = [], []
            for number in range(network.rounds):
                measured.append(ours(compiled, str(number), threads))
                if peer:
                    rival.append(theirs(network, threads))
        mine = min(m[0] for m in measured)
        line = f"{name}, {threads}: {1000 * mine:.2f}, {measured[0][1]}, {min(m[2] for m in measured):.3f}"
        if peer:
            other = min(r[0] for r in rival)
            line += f" | {1000 * other:.2f}, {rival[0][1]} | {other / mine:.2f}"
        print(line, flush=True)
