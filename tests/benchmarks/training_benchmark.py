"""Time of a training step and peak memory of the networks of docs/performance.md, on one thread and on two.

  training_benchmark.py COMPILER RUNNER [NETWORK]...
  meson test -C BUILD --benchmark --verbose training [--test-args 'NETWORK...']

Every round runs all contestants once, each next to the one it is compared with and in the opposite order every other
round, so that all meet the same machine. A run counts with the median of its steps; printed are the medians of the
rounds and, of the ratio of every pair of a round, the median and the extremes.

LBANN_BENCHMARK_BASE=OTHER/runtime/lbann-run    another build, compared with this one; plans of OTHER/compiler/lbann-compile
LBANN_BENCHMARK_ROUNDS=N                        rounds of every network instead of its own number
LBANN_BENCHMARK_RESULTS=FILE    a line of JSON is added for each network: operations of a step, all runs
LBANN_BENCHMARK_ROUND_TRIP=PROGRAM    nanoseconds from a core to another and back (round_trip.cpp), kept before and
                                                after each run of two threads
LBANN_BENCHMARK_LAUNCHER=COMMAND    starts two ranks (mpirun -n 2 --bind-to none), of one thread each, beside two threads
LBANN_PEER=COMMAND                              another framework: `COMMAND WORKLOAD --batch B --threads N --steps S`
                                                trains the same network and prints one JSON line with step_s and
                                                peak_rss_mb; where its first word runs a PyTorch, that of ResNets
                                                is torch_resnet.py
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
    rounds: int = 7


@dataclasses.dataclass
class Run:
    seconds: float    # of a step
    memory: str       # peak resident
    first: float = 0  # seconds until the first step had finished
    round_trip: list = dataclasses.field(default_factory=list)  # before it and after it, in ns; empty: not measured


peer = shlex.split(os.environ.get("LBANN_PEER", ""))
base = os.environ.get("LBANN_BENCHMARK_BASE", "")
results = os.environ.get("LBANN_BENCHMARK_RESULTS", "")
launcher = shlex.split(os.environ.get("LBANN_BENCHMARK_LAUNCHER", ""))
round_trip = os.environ.get("LBANN_BENCHMARK_ROUND_TRIP", "")
rounds = int(os.environ.get("LBANN_BENCHMARK_ROUNDS", "0"))
here = pathlib.Path(__file__).resolve().parent
resnet = here.parent.parent / "experiments" / "resnet" / "experiment.yaml"
warm_up = 5
thread_counts = (1, 2)
networks = {
    "lenet": Network("lenet.yaml", [*peer, "lenet"], 64, 200, 4),
    "mlp": Network("mlp.yaml", [*peer, "mlp"], 128, 60, 4),
    "autoencoder": Network("autoencoder.yaml", [*peer, "ae:3072:4096"], 64, 24, 4),
    "char_gpt": Network("char_gpt.yaml", [*peer, "gpt"], 8, 35, 20),
    "resnet18": Network(str(resnet), [*peer[:1], str(here / "torch_resnet.py"), "18", "32"], 32, 35, 4,
                        ["variables.depth=18", "variables.image_size=32", "variables.samples=128"]),
    "resnet50": Network(str(resnet), [*peer[:1], str(here / "torch_resnet.py"), "50", "224"], 8, 5, 5,
                        ["variables.batch=8", "variables.samples=40"], 3),
    "resnet50_bf16": Network(str(resnet), [*peer[:1], str(here / "torch_resnet.py"), "50", "224", "--dtype", "bf16"], 8, 5, 5,
                             ["variables.batch=8", "variables.samples=40", "model.amp={type: bf16}"], 3),
}


def write_text(file):
    """Random characters, 96 different ones: 160 samples of 128, and the one that follows."""
    characters = [chr(32 + i) for i in range(95)] + ["\n"]
    random.seed(1)
    file.write_text("".join(characters + random.choices(characters, k=160 * 128 + 1 - len(characters))))


def ours(compiled, name, threads, start=()):
    events, output, _ = compiled.run(name, "--threads", str(threads), "--io-threads", "1", launcher=start)
    seconds = [event["seconds"] for event in events if event["event"] == "step"][warm_up:]
    memory = re.search(r"peak resident ([0-9.]+) (\w+)", output)
    first = re.search(r"first step finished ([0-9.]+) s", output)
    return Run(statistics.median(seconds), " ".join(memory.groups()), float(first.group(1)))


def theirs(network, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    done = subprocess.run([*network.peer, "--batch", str(network.batch), "--threads",
                           str(threads), "--steps", str(network.steps)], stdout=subprocess.PIPE,
                          text=True, check=True, env=environment)
    result = json.loads(done.stdout.splitlines()[-1])
    return Run(result["step_s"], f"{result['peak_rss_mb']:.0f} MB")


def compile_both(compiler, runner, network, name, folder):
    """The plan of this build and, where there is another, the one of that: {contestant: Experiment}; the settings."""
    settings = list(network.settings)
    epochs = (network.steps + warm_up) // network.epoch
    settings.append(f"trainer.training_algorithm.sgd.max_epochs={epochs}")
    if name == "char_gpt":
        text = folder / "text.txt"
        write_text(text)
        settings.append(f"variables.text={text}")
    builds = {"ours": (compiler, runner)}
    if base:
        builds["base"] = (pathlib.Path(base).resolve().parents[1] / "compiler" / "lbann-compile", base)
    plans = {}
    for contestant, (its_compiler, its_runner) in builds.items():
        (folder / contestant).mkdir()
        plans[contestant] = Experiment(its_compiler, its_runner, here / network.file, folder / contestant,
                                       settings)
    return plans, settings


def between_cores(threads):
    if threads == 1 or not round_trip:
        return []
    return [float(subprocess.run([round_trip], stdout=subprocess.PIPE, text=True, check=True).stdout)]


def measure(plans, network):
    """{(contestant, threads): a Run of every round}; those of one number of threads stand side by side, two ranks with
    one thread each beside two threads."""
    entries = [(contestant, threads) for threads in thread_counts
               for contestant in [*plans, *(["peer"] if peer else []), *(["ranks"] if launcher and threads == 2 else [])]]
    runs = {entry: [] for entry in entries}
    for number in range(rounds or network.rounds):
        for contestant, threads in entries if number % 2 == 0 else reversed(entries):
            before = between_cores(threads)
            if contestant == "peer":
                run = theirs(network, threads)
            elif contestant == "ranks":
                run = ours(plans["ours"], f"{number}_ranks", 1, launcher)
            else:
                run = ours(plans[contestant], f"{number}_{threads}", threads)
            run.round_trip = before + between_cores(threads)
            runs[contestant, threads].append(run)
    return runs


def print_runs(name, runs):
    for (contestant, threads), measured in runs.items():
        line = f"{name}, {contestant}, {threads}: {1000 * statistics.median(m.seconds for m in measured):.2f} ms/step"
        if measured[0].first:
            line += f", first step {statistics.median(m.first for m in measured):.3f} s"
        print(f"{line}, peak {measured[0].memory}")


def write_results(name, network, compiler, settings, runs):
    """Adds a line to the file of results; operations are those that `--summary` tells for a step of training."""
    words = [word for setting in settings for word in ("--set", setting)]
    summary = subprocess.run([compiler, here / network.file, *words, "--summary"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    operations = re.search(r"operations of train, \d+ samples +([0-9,]+)", summary).group(1).replace(",", "")
    entry = {"network": name, "batch": network.batch, "operations": int(operations),
             "runs": [{"who": who, "threads": threads, **dataclasses.asdict(run)}
                      for (who, threads), measured in runs.items() for run in measured]}
    with open(results, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def print_ratio(words, above, below):
    pairs = [(1000 * a.seconds, 1000 * b.seconds) for a, b in zip(above, below)]
    ratios = [a / b for a, b in pairs]
    print(f"{words}: {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}) of pairs "
          + " ".join(f"{a:.2f}/{b:.2f}" for a, b in pairs), flush=True)


def main(compiler, runner, *wanted):
    unknown = sorted(set(wanted) - set(networks))
    if unknown:
        sys.exit(f"no network {', '.join(unknown)}; there are {', '.join(networks)}")
    for name, network in networks.items():
        if wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            plans, settings = compile_both(compiler, runner, network, name, pathlib.Path(folder))
            runs = measure(plans, network)
            if results:
                write_results(name, network, compiler, settings, runs)
        print_runs(name, runs)
        for contestant in ("ours", "base"):
            if (contestant, 1) in runs:
                print_ratio(f"{name}, {contestant}, 1 thread over 2", runs[contestant, 1], runs[contestant, 2])
        for contestant, threads in runs:
            if contestant == "ranks":
                print_ratio(f"{name}, ours, 2 threads over 2 ranks", runs["ours", threads], runs[contestant, threads])
            elif contestant != "ours":
                print_ratio(f"{name}, {contestant} over ours, {threads}", runs[contestant, threads],
                            runs["ours", threads])


if __name__ == "__main__":
    main(*sys.argv[1:])
