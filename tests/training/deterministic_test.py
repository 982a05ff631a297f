"""Two runs of one plan are bit-equal, and so are runs on one and on two threads.

  deterministic_test.py COMPILER RUNNER EXPERIMENT [SETTING...]
"""
import pathlib
import sys
import tempfile

from run_experiment import Experiment, fail, losses

compiler, runner, experiment, *settings = sys.argv[1:]


def content(folder):
    files = {path.name: path.read_bytes() for path in sorted(folder.glob("*.npy"))}
    if not files:
        fail(f"no weights were saved in {folder}")
    return files


with tempfile.TemporaryDirectory() as folder:
    compiled = Experiment(compiler, runner, experiment, folder, settings)
    results = {}
    for name, threads in (("first", 1), ("again", 1), ("two_threads", 2)):
        saved = f"{folder}/{name}_weights"
        events, _, _ = compiled.run(name, "--steps", "30", "--threads", str(threads),
                                    "--save-model", saved)
        results[name] = losses(events), content(pathlib.Path(saved))
    for name in ("again", "two_threads"):
        if results[name][0] != results["first"][0]:
            fail(f"losses of `{name}` differ from those of the first run")
        for file, data in results["first"][1].items():
            if results[name][1].get(file) != data:
                fail(f"{file} of `{name}` differs from that of the first run")
values, files = results["first"]
if len(values) < 3 or values[0] == values[-1]:
    fail(f"nothing was trained: losses {values}")
print(f"{len(files)} weights files and {len(values)} losses are bit-equal in three runs")
