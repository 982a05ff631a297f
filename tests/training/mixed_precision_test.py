"""`model: amp`: trains as in float to what 8 or 11 bits can hold, in less memory; the same bits on any number of
threads, on ranks to rounding; callbacks are given float. The loss scale of fp16: steps that are left out, and how it moves.

  mixed_precision_test.py COMPILER RUNNER [--ranks]
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from ranks import RankedExperiment, compare_runs, events, numbers, values_of
from run_experiment import fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
several = [2, 3] if "--ranks" in sys.argv else []

# Convolutions with strides and groups, both batch normalizations, softmax and a product of activations; 49 samples: the last
# mini-batch is short.
NETWORK = """
trainer: {mini_batch_size: 8, random_seed: 3, training_algorithm: {sgd: {max_epochs: 4}}}
data_reader:
  - digits: {role: train, num_samples: 49, size: 16, shuffle: true}
  - digits: {role: validate, num_samples: 9, size: 16}
model:
  AMP
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - convolution: {name: conv, parents: images, out_channels: 8, kernel_size: 3, padding: 1}
    - batch_normalization: {name: norm}
    - relu: {name: bent}
    - convolution: {name: apart, out_channels: 16, kernel_size: 3, stride: 2, groups: 2, has_bias: false}
    - pooling: {name: pooled, pool_dims: [2, 2], pool_strides: [2, 2]}
    - reshape: {name: rows, dims: [16, 9]}
    - matmul: {name: pairs, parents: [rows, rows], transpose_b: true}
    - reshape: {name: flat, dims: [256]}
    - layer_norm: {name: even}
    - dropout: {name: some, keep_prob: 0.9}
    - fully_connected: {name: hidden, num_neurons: 24}
    - tanh: {name: code}
    - sum: {name: both, parents: [code, hidden]}
    - fully_connected: {name: scores, num_neurons: 10}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
    - categorical_accuracy: {name: correct, parents: [probabilities, labels]}
  objective_function: [{layer_term: {layer: loss}}]
  metrics: [{layer_metric: {name: accuracy, layer: correct, unit: "%"}}]
  callbacks: [CALLBACKS]
optimizer: {adam: {learn_rate: 0.003, eps: 1.0e-6}}
"""


def compiled(root, name, amp="amp: {type: bf16}", callbacks=""):
    folder = root / name
    folder.mkdir()
    text = NETWORK.replace("AMP", amp).replace("[CALLBACKS]", f"[{callbacks}]")
    (folder / "experiment.yaml").write_text(text)
    return RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)


def activations(experiment):
    done = subprocess.run([compiler, experiment.folder / "experiment.yaml", "--report", "memory"], capture_output=True, text=True)
    found = re.search(r"activations +([\d,]+)\n", done.stdout)
    if not found:
        fail(f"no activations in\n{done.stdout}{done.stderr}")
    return int(found[1].replace(",", ""))


def objectives(top):
    return [event["objective"] for event in events(top)]


def compare_losses(what, top, other, first, mean):
    """Of the first step, which differs by rounding, and their mean: what is rounded apart now and then grows from step to step."""
    (found, expected), count = map(objectives, (top, other)), len(objectives(top))
    apart = [abs(found[0] - expected[0]) / expected[0], abs(sum(found) - sum(expected)) / sum(expected)]
    print(f"{what}: first loss {apart[0]:.2g}, mean of {count} {apart[1]:.2g}")
    if not (apart[0] <= first and apart[1] <= mean):
        fail(f"{what}: more than {first}, {mean} apart")
    return apart[0]


with tempfile.TemporaryDirectory() as name:
    root = pathlib.Path(name)
    narrow, wide = compiled(root, "bf16"), compiled(root, "float", "name: float")
    top = narrow.run_on(1, "--threads", 1)
    compare_runs("two threads", narrow.run_on(1, "--threads", 2), top, 0, 0)
    if compare_losses("float", top, wide.run_on(1, "--threads", 1), 0.01, 0.03) == 0:
        fail("bf16 is float")
    losses = objectives(top)
    if not sum(losses[-5:]) < 0.7 * sum(losses[:5]):
        fail(f"nothing is learnt: {losses}")
    if not activations(narrow) < 0.9 * activations(wide):
        fail(f"activations: {activations(narrow)} of {activations(wide)}")
    compare_losses("reference kernels", narrow.run_on(1, "--threads", 1, "--kernels", "reference"), top, 1e-3, 0.03)
    for ranks in several:
        compare_losses(f"{ranks} ranks", narrow.run_on(ranks, "--threads", 1), top, 1e-3, 0.03)

    # Weights split over rows and columns, or sharded, are converted by the ranks that hold them.
    if several:
        text = (narrow.folder / "experiment.yaml").read_text()
        text = text.replace("fully_connected: {", "fully_connected: {data_layout: model_parallel, ")
        text = text.replace("{name: apart,", "{name: apart, weights: {name: apart_kernel, sharded: true, initializer: {he_normal_initializer: }},")
        (split_folder := root / "split").mkdir()
        (split_folder / "experiment.yaml").write_text(text)
        split = RankedExperiment(compiler, runner, split_folder / "experiment.yaml", split_folder)
        alone = split.run_on(1, "--threads", 1)
        for mesh in ((1, 2, 1), (1, 1, 2), (1, 3, 1), (2, 2, 1)):
            options = ("--mesh", f"data={mesh[0]},rows={mesh[1]},columns={mesh[2]}")
            compare_losses(f"mesh {mesh}", split.run_on(mesh[0] * mesh[1] * mesh[2], "--threads", 1, *options), alone, 1e-3, 0.03)

    # fp16 has three more bits, and the loss scale.
    half = compiled(root, "fp16", "amp: {type: fp16, init_scale: 1024}")
    half_top = half.run_on(1, "--threads", 1)
    compare_runs("fp16, two threads", half.run_on(1, "--threads", 2), half_top, 0, 0)
    if compare_losses("fp16 and float", half_top, wide.run_on(1, "--threads", 1), 0.001, 0.01) == 0:
        fail("fp16 is float")
    if not activations(half) < activations(wide):
        fail(f"fp16 activations: {activations(half)} of {activations(wide)}")
    compare_losses("fp16, reference kernels", half.run_on(1, "--threads", 1, "--kernels", "reference"), half_top, 1e-3, 0.01)
    for ranks in several:
        compare_losses(f"fp16, {ranks} ranks", half.run_on(ranks, "--threads", 1), half_top, 1e-3, 0.01)

    # A factor of 2^40 is beyond fp16: steps without an update halve it, until two good ones double it.
    text = NETWORK.replace("AMP", "amp: {type: fp16, init_scale: 1099511627776, growth_interval: 2}").replace("[CALLBACKS]", "[]")
    for old, new in (("mini_batch_size: 8", "mini_batch_size: 49"), ("max_epochs: 4", "max_epochs: 60"),
                     ("dropout: {name: some, keep_prob: 0.9}", "identity: {name: some}")):
        text = text.replace(old, new)
    (folder := root / "moving").mkdir()
    (folder / "experiment.yaml").write_text(text)
    moving = RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)
    if "not finite in fp16" not in (moving.run_on(1, "--check-finite") / "latest/log").read_text():
        fail("--check-finite: no step was left out")
    outcomes = []
    for ranks in [1] + several:
        seen = moving.run_on(ranks, "--threads", 1)
        steps = [event for event in events(seen) if event["event"] == "step"]
        scales = [event["loss_scale"] for event in steps]
        first = next(i for i, scale in enumerate(scales[1:]) if scale >= scales[i])
        if not 5 <= first <= 40 or scales[:first + 1] != [2.0 ** (40 - i) for i in range(first + 1)]:
            fail(f"loss scales with {ranks} ranks: {scales}")
        outcomes.append(scales[:first + 1])
        # One mini-batch: as long as nothing is updated the loss stays but for the order of its samples, and then it falls.
        losses = [event["objective"] for event in steps]
        if max(abs(loss - losses[0]) for loss in losses[:first + 1]) > 1e-3 * losses[0] or not losses[-1] < 0.7 * losses[0]:
            fail(f"losses with {ranks} ranks: {losses}")
        for before, after in zip(scales, scales[1:]):
            if after not in (before / 2, before, 2 * before):
                fail(f"loss scales with {ranks} ranks: {scales}")
        if max(scales[first + 1:]) <= scales[first]:
            fail(f"loss scales with {ranks} ranks do not grow: {scales}")
        log = (seen / "latest/log").read_text()
        if "gradients of 1 of 1 steps of epoch 0 were not finite in fp16" not in log:
            fail(f"no word of steps left out in\n{log}")
    if outcomes.count(outcomes[0]) != len(outcomes):
        fail(f"ranks leave out other steps: {outcomes}")

    # A run that ends while the factor falls, and goes on from its checkpoint, is the run that does not end.
    (folder := root / "stopped").mkdir()
    (folder / "experiment.yaml").write_text(text.replace("max_epochs: 60", "max_epochs: 10"))
    stopped = RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)
    resumed, whole = stopped.run_on(1, "--threads", 1, "--checkpoint-every", "1 epoch"), moving.run_on(1, "--threads", 1)
    compare_runs("resumed", moving.run_on(1, "--threads", 1, "--resume", name=resumed), whole, 0, 0)
    scales = [[event.get("loss_scale") for event in events(run)] for run in (resumed, whole)]
    if scales[0] != scales[1]:
        fail(f"loss scales of a resumed run: {scales}")

    # What callbacks and users read is float.
    observed = compiled(root, "observed", callbacks="{dump_outputs: {layers: [conv, hidden], format: npy}}, "
                                                    "{dump_error_signals: {basename: of_}}")
    seen = observed.run_on(1, "--threads", 1)
    compare_runs("observed", seen, top, 0, 0)
    dumped = sorted(seen.rglob("*step.0_*conv_output0*.npy"))
    if not dumped or not any(numbers(dumped[0])):
        fail(f"no outputs: {dumped}")
    if any(struct.pack("<f", value)[:2] != bytes(2) for value in numbers(dumped[0])):
        fail("outputs hold more than bf16 does")

    # Gradients are checked in float: differences are far below what 8 bits tell apart.
    checked = compiled(root, "checked", callbacks="{check_gradients: }")
    program = subprocess.run([compiler, checked.folder / "experiment.yaml", "--dump-after", "emit_gradient_checks"],
                             capture_output=True, text=True, check=True).stdout
    types = dict(re.findall(r"tensor (\S+): \w+ (\w+)", program))
    for entry, narrow_ones in (("evaluate", True), ("gradients.evaluate", False)):
        body = re.search(rf"entry {entry}:\n(.*?)(?=entry |\Z)", program, re.DOTALL)[1]
        made = {name for line in body.splitlines() for name in line.split(" = ")[0].strip().split(", ")}
        if any(types.get(name) == "bf16" for name in made) != narrow_ones:
            fail(f"types of {entry}:\n{body}")
