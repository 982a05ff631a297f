"""Step time of two ranks on one thread each, beside one rank on two threads: medians of runs in turn, each the
mean of its steps, since one that waits for data makes up for those that did not; networks of the benchmark are
compared by scripts/compare. The large autoencoder with its weights split over the ranks.

  ranks_benchmark.py COMPILER RUNNER
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from run_experiment import Experiment  # noqa: E402

compiler, runner = sys.argv[1:]
top = pathlib.Path(__file__).resolve().parent
experiments = top.parent.parent / "experiments"
rounds, warm_up = 5, 10
networks = {"autoencoder 784-256-784": (experiments / "autoencoder" / "experiment.yaml", 2)}


def step(compiled, name, ranks, threads, *options):
    place = compiled.folder / name
    place.mkdir()
    launcher = ["mpirun", "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
    subprocess.run([*launcher, str(compiled.runner), str(compiled.plan), "--threads", str(threads),
                    "--work-dir", str(place), "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    metrics = next(place.glob("*/metrics.jsonl")).read_text().splitlines()
    seconds = [event["seconds"] for event in map(json.loads, metrics) if event["event"] == "step"]
    return statistics.mean(seconds[warm_up:])


print("network: 1 rank x 2 threads, 2 ranks x 1 thread [ms/step], ratio")
for name, (path, epochs) in networks.items():
    with tempfile.TemporaryDirectory() as folder:
        compiled = Experiment(compiler, runner, path, folder,
                              [f"trainer.training_algorithm.sgd.max_epochs={epochs}"])
        one, two = [], []
        for number in range(rounds):
            one.append(step(compiled, f"one{number}", 1, 2))
            two.append(step(compiled, f"two{number}", 2, 1))
    ratio = statistics.median(a / b for a, b in zip(one, two))
    print(f"{name}: {1000 * statistics.median(one):.2f}, {1000 * statistics.median(two):.2f}, {ratio:.2f}", flush=True)

print("\nautoencoder 3072-4096-3072: 2 threads; 2 ranks by data, by rows, by columns [ms/step], bytes a rank sends")
with tempfile.TemporaryDirectory() as folder:
    compiled = Experiment(compiler, runner, top / "autoencoder.yaml", folder,
                          ["trainer.training_algorithm.sgd.max_epochs=6", "model.data_layout=model_parallel"])
    meshes = {"threads": (1, 2), "data": (2, 1, "--mesh", "data=2"), "rows": (2, 1, "--mesh", "rows=2"),
              "columns": (2, 1, "--mesh", "columns=2")}
    times = {name: [] for name in meshes}
    for number in range(rounds):
        for name, how in meshes.items():
            times[name].append(step(compiled, f"{name}{number}", *how))
    for name, how in meshes.items():
        told = subprocess.run([compiler, str(compiled.plan), "--report", "mesh", "--report-format", "json", "--ranks",
                               str(how[0]), *how[2:]], check=True, capture_output=True, text=True).stdout
        print(f"{name}: {1000 * statistics.median(times[name]):.1f}, {json.loads(told)['meshes'][0]['bytes_sent']}",
              flush=True)
