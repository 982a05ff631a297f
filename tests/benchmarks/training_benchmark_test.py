"""The benchmark of training measures one network and compares this build with another, here with itself.

  training_benchmark_test.py COMPILER RUNNER
"""
import os
import pathlib
import re
import subprocess
import sys

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
sys.exit(1 if failed else 0)
