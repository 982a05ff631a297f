"""What a training step asks of a device, counted: each launch, copy and wait costs a GPU some microseconds, whatever its
size. A count of device_requests.txt that falls is to be accepted as well as one that rises, so that gains are kept.

  device_requests_test.py COMPILER RUNNER LIBRARY

RUNNER is lbann-run for the emulated device with tests/support/print_requests.cpp, LIBRARY has a layer of its own. A step is what a run of one step more
asks for: by then it is a recorded graph. Most networks are narrow, for time; wider ones may ask for more kernels.
The bytes of its copies are those that `lbann-compile --report device` tells, and what that says to run on the host does.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "support"), str(here.parent / "training")]
from expected import difference  # noqa: E402
from run_experiment import Experiment  # noqa: E402
from training_benchmark import write_text  # noqa: E402

compiler, runner, library = sys.argv[1:]
experiments = here.parent.parent / "experiments"
expected = here / "device_requests.txt"
columns = ("kernels", "graphs", "graph_kernels", "copies_to_device", "copies_to_host", "copies_on_device", "waits")
small_images = ["variables.batch=2", "variables.image_size=32", "variables.samples=16"]
narrow = "variables.widths=[16, 8, 8, 8]"
networks = {
    "lenet": (here / "lenet.yaml", ["trainer.mini_batch_size=2"]),
    "mlp": (here / "mlp.yaml", ["trainer.mini_batch_size=2"]),
    "autoencoder": (here / "autoencoder.yaml", ["trainer.mini_batch_size=2"]),
    "char_gpt": (here / "char_gpt.yaml", ["trainer.mini_batch_size=2", "variables.width=32"]),
    "transformer": (experiments / "transformer" / "experiment.yaml",
                    ["variables.batch=2", "variables.width=32", "variables.inner=64", "variables.words=50",
                     "variables.length=8", "variables.depth=2"]),
    "resnet18": (experiments / "resnet" / "experiment.yaml", [*small_images, "variables.depth=18", "variables.widths=[64, 8, 8, 8]"]),
    "resnet50": (experiments / "resnet" / "experiment.yaml", [*small_images, narrow]),
    "external": (here / "external.yaml", [f"variables.library={pathlib.Path(library).resolve()}"]),
    "resnet50_bf16": (experiments / "resnet" / "experiment.yaml", [*small_images, narrow, "model.amp={type: bf16}"]),
}


def requests(experiment, steps):
    """{column: count} of a run of so many training steps."""
    _, output, _ = experiment.run(f"of_{steps}", "--steps", str(steps), "--quiet")
    found = dict(re.findall(r"^(\w+) (\d+)$", output, re.MULTILINE))
    return {column: int(count) for column, count in found.items()}


def check_report(name, plan, step):
    """`step`: counts of a training step."""
    told = subprocess.run([compiler, plan, "--report", "device", "--report-format", "json"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    told = json.loads(told)["groups"][0]["device"]["entries"]["train"]
    on_host = told["on_host"]
    for way in ("to_device", "to_host"):
        bytes_told = told[way] + sum(each[way] for each in on_host)
        if bytes_told != step[f"bytes_{way}"]:
            sys.exit(f"{name}: {step[f'bytes_{way}']} bytes copied {way}, {bytes_told} reported")
    if bool(on_host) == bool(step["graphs"]):
        sys.exit(f"{name}: {len(on_host)} instructions reported to run on the host, {step['graphs']} graphs launched")


lines = [" ".join(["network", *columns])]
for name, (file, settings) in networks.items():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if name == "char_gpt":
            write_text(folder / "text.txt")
            settings = [*settings, f"variables.text={folder / 'text.txt'}"]
        experiment = Experiment(compiler, runner, file, folder, settings)
        few, more = (requests(experiment, steps) for steps in (3, 4))
        step = {column: more[column] - few[column] for column in more}
        check_report(name, experiment.plan, step)
        lines.append(" ".join([name, *(str(step[column]) for column in columns)]))
        print(lines[-1], flush=True)
sys.exit(difference(expected, "\n".join(lines) + "\n") or 0)
