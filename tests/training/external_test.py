"""A layer in a user's library trains as built-in ones do; a library that is not there ends the
run with one message before anything is trained.

  external_test.py COMPILER RUNNER LIBRARY
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from run_experiment import Experiment, fail, losses

compiler, runner, library = (pathlib.Path(path).resolve() for path in sys.argv[1:])

experiment = """
trainer: {mini_batch_size: 8, training_algorithm: {sgd: {max_epochs: 2}}}
data_reader:
  - digits: {role: train, num_samples: 24, size: 8}
model:
  layers:
    - input: {name: images, data_field: samples}
    - fully_connected: {name: a, parents: images, num_neurons: 6}
    - fully_connected: {name: b, parents: images, num_neurons: 6}
%s
    - fully_connected: {name: end, parents: [product], num_neurons: 3}
    - l2_norm2: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.01}}
"""
of_library = """
    - external: {name: both, parents: [a, b], filename: %s, layer_name: %s, num_outputs: 2}
    - sum: {name: product, parents: [both.0, both.1]}
"""
built_in = """
    - multiply: {name: of_both, parents: [a, b]}
    - add: {name: sum_of_both, parents: [a, b]}
    - sum: {name: product, parents: [of_both, sum_of_both]}
"""


def compiled(folder, name, layers):
    place = folder / name
    place.mkdir()
    (place / "experiment.yaml").write_text(experiment % layers)
    return Experiment(compiler, runner, place / "experiment.yaml", place)


with tempfile.TemporaryDirectory() as top:
    folder = pathlib.Path(top)
    shutil.copy(library, folder / "libexample.so")
    path = folder / "libexample.so"
    expected = losses(compiled(folder, "built_in", built_in).run("run")[0])
    events, output, _ = compiled(folder, "library", of_library % (path, "product_and_sum")).run("run")
    found = losses(events)
    staged = "run on the host, on copies: external of `both`, external_gradient of `both`\n"
    if (" instructions run on the host" in output) != ("device : " in output) or "device : " in output and staged not in output:
        fail(f"no line {staged!r} where there is a device, or one where there is none:\n{output}")
    if len(found) != 6 or any(abs(x - y) > 1e-5 * abs(y) for x, y in zip(found, expected)):
        fail(f"losses {found} with the library, {expected} with layers that are built in")

    for file, layer, words in (("no_such_library.so", "any", "`no_such_library.so` cannot be opened"),
                               (path, "nothing", "does not export `setup_nothing`"),
                               (path, "product_alone", "`differentiable: false`")):
        bad = compiled(folder, f"bad_{layer}", of_library % (file, layer))
        done = subprocess.run([runner, bad.plan, "--work-dir", bad.folder / "run"], text=True,
                              capture_output=True, cwd=bad.folder)
        told = [line for line in done.stderr.splitlines() if "error:" in line]
        place = "experiment.yaml:"
        if done.returncode == 0 or len(told) != 1 or words not in done.stderr or place not in done.stderr:
            fail(f"{layer}: exit code {done.returncode}, expected one message with {words}\n{done.stderr}")
        if any(path.stat().st_size for path in (bad.folder / "run").rglob("metrics.jsonl")):
            fail(f"{layer}: something was trained")
print(f"losses {found} equal those of built-in layers")
