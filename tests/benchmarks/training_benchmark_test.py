"""The benchmark of training measures one network and compares this build with another, here with itself.

  training_benchmark_test.py COMPILER RUNNER
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

compiler, runner = sys.argv[1:]
benchmark = pathlib.Path(__file__).resolve().parent / "training_benchmark.py"
failed = 0


def call(*networks, **variables):
    return subprocess.run([sys.executable, benchmark, compiler, runner, *networks], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, LBANN_BENCHMARK_ROUNDS="1", **variables))


def expect(truth, words, done):
    global failed
    if not truth:
        failed += 1
        print(f"{words}; exit code {done.returncode}, output:\n{done.stdout}")


done = call("lenet", LBANN_BENCHMARK_BASE=runner)
expect(done.returncode == 0, "lenet cannot be measured", done)
for who in ("ours", "base"):
    for threads in (1, 2):
        line = re.search(rf"^lenet, {who}, {threads}: ([0-9.]+) ms/step, first step [0-9.]+ s, peak ", done.stdout, re.M)
        expect(line and float(line.group(1)) > 0, f"no step time of {who} on {threads}", done)
for pair in ("ours, 1 thread over 2", "base, 1 thread over 2", "base over ours, 1", "base over ours, 2"):
    line = re.search(rf"^lenet, {pair}: ([0-9.]+) \(.*\) of pairs ([0-9.]+)/([0-9.]+)$", done.stdout, re.M)
    expect(line, f"no ratio of {pair}", done)
    if line:
        ratio, above, below = map(float, line.groups())
        expect(abs(ratio - above / below) < 0.05 * ratio, f"ratio of {pair} is not that of its pair", done)

done = call("lenett")
expect(done.returncode == 1 and "no network lenett; there are lenet, mlp" in done.stdout, "a wrong name passes", done)
# All runs and the operations of a step are kept, and the page of docs is what the script makes of those kept there.
with tempfile.TemporaryDirectory() as folder:
    kept = pathlib.Path(folder) / "runs.json"
    done = call("lenet", LBANN_BENCHMARK_RESULTS=str(kept), LBANN_BENCHMARK_BASE="")
    entry = json.loads(kept.read_text(encoding="utf-8"))
    expect(entry["network"] == "lenet" and entry["operations"] > 9e7, "lenet's operations are not kept", done)
    expect([(run["who"], run["threads"]) for run in entry["runs"]] == [("ours", 1), ("ours", 2)]
           and all(run["seconds"] > 0 for run in entry["runs"]), "lenet's runs are not kept", done)
    root = benchmark.parents[2]
    machines = sorted((root / "docs").glob("performance*.json"))
    page = subprocess.run([sys.executable, root / "scripts" / "compare", "--page", *machines], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(page.stdout == (root / "docs" / "performance.md").read_text(encoding="utf-8"),
           "docs/performance.md is not what scripts/compare --page writes of docs/performance*.json", page)
    page = subprocess.run([sys.executable, root / "scripts" / "compare", "--page", kept], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(page.returncode == 1 and "no results of a whole run" in page.stdout, "half a run makes a page", page)
sys.exit(1 if failed else 0)
