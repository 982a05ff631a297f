"""Layers and weights of types of their own: the same training as in one type, to what the coarser type can hold.

  mixed_types_test.py COMPILER RUNNER [--ranks]
"""
import array
import pathlib
import re
import subprocess
import sys
import tempfile

from ranks import RankedExperiment, compare_runs, events, numbers, values_of
from run_experiment import fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
several = [2, 3] if "--ranks" in sys.argv else []

# Every kind of boundary: float after double and double after float, layers of one type with weights of the other in
# both directions, weights of two layers of different types, samples of another type than the model's. The strided 1 x 1
# convolution has its gradients checked here as well: the compiler splits it into a copy and a dense product.
MIXED = """
trainer:
  mini_batch_size: 6
  training_algorithm: {sgd: {max_epochs: 3}}
  data_coordinator: {datatype: double}
data_reader:
  - digits: {role: train, num_samples: 28, size: 8, shuffle: true}
  - digits: {role: validate, num_samples: 9, size: 8}
model:
  datatype: float
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels, datatype: double}
    - convolution: {name: conv, parents: images, out_channels: 3, kernel_size: 3, has_bias: false, datatype: double}
    - batch_normalization: {name: norm, weights: [scale, shift, mean]}
    - softplus: {name: bent}
    - convolution: {name: sampled, out_channels: 4, kernel_size: 1, stride: 2}
    - fully_connected: {name: hidden, num_neurons: 12, weights: [w, b]}
    - tanh: {name: code, datatype: double}
    - fully_connected: {name: again, num_neurons: 12, weights: [u], datatype: double}
    - fully_connected: {name: once_more, num_neurons: 12, weights: [u], datatype: float}
    - sum: {name: both, parents: [code, again, once_more]}
    - fully_connected: {name: scores, num_neurons: 10, weights: [v], datatype: double}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels], datatype: double}
    - categorical_accuracy: {name: correct, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
    - l2_weight_regularization: {scale_factor: 0.01, weights: [w, v]}
  metrics:
    - layer_metric: {name: accuracy, layer: correct, unit: "%"}
  weights:
    - {name: scale, initializer: {constant_initializer: {value: 1}}}
    - {name: shift, datatype: double}
    - {name: mean, datatype: double}
    - {name: w, datatype: double, initializer: {he_normal_initializer: }}
    - {name: b}
    - {name: u, datatype: double, initializer: {he_normal_initializer: }}
    - {name: v, datatype: float, initializer: {he_normal_initializer: }}
  callbacks: [CALLBACKS]
optimizer: {adam: {learn_rate: 0.01, eps: 1.0e-3}}
"""
CHANGES = "clip_gradient_norm: {global_norm: true, value: 1}"
DOUBLES = {"conv_kernel", "shift", "mean", "w", "u", "again_bias_weights", "scores_bias_weights"}

# w = 1, and every step takes 1e-9 off it: less than float can tell from 1. v is a copy of the other type.
SMALL_STEPS = """
trainer: {mini_batch_size: 2, training_algorithm: {sgd: {max_epochs: 50}}}
data_reader:
  - digits: {role: train, num_samples: 4, size: 8}
model:
  layers:
    - weights_layer: {name: value, dims: [1], weights: [w]}
    - weights_layer: {name: copy, dims: [1], weights: [v]}
  objective_function:
    - layer_term: {layer: value}
  weights:
    - {name: w, datatype: TYPE, initializer: {constant_initializer: {value: 1}}}
    - {name: v, datatype: OTHER, optimizer: {no_optimizer: }}
  callbacks:
    - replace_weights: {source_layers: [value], destination_layers: [copy]}
optimizer: {sgd: {learn_rate: 1.0e-9}}
"""


def compiled(root, name, text, callbacks=CHANGES):
    folder = root / name
    folder.mkdir()
    (folder / "experiment.yaml").write_text(text.replace("CALLBACKS", "{" + callbacks + "}"))
    return RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)


def kind(path):
    return re.search(rb"'descr': '<(f[48])'", path.read_bytes())[1].decode()


def without_own_types(text, type):
    text = re.sub(r", datatype: (float|double)", "", text).replace("  data_coordinator: {datatype: double}\n", "")
    return text.replace("datatype: float", f"datatype: {type}")


def all_set_to(text, model, type):
    """A model of one type, all of whose parts are set to another."""
    text = re.sub(r", datatype: (float|double)", "", text).replace("datatype: float", f"datatype: {model}")
    text = text.replace("data_coordinator: {datatype: double}", f"data_coordinator: {{datatype: {type}}}")
    text = re.sub(r"(    - {name: \w+)", rf"\1, datatype: {type}", text)
    return text.replace("  objective_function:", f"  settings: {{\"*\": {{datatype: {type}}}}}\n  objective_function:")


with tempfile.TemporaryDirectory() as name:
    root = pathlib.Path(name)
    mixed = compiled(root, "mixed", MIXED)
    top = mixed.run_on(1, "--threads", 1)
    double = compiled(root, "double", without_own_types(MIXED, "double"))
    doubles = double.run_on(1, "--threads", 1)
    if len(set(values_of(events(doubles)))) < 10:
        fail("nothing is trained")
    compare_runs("mixed and double", top, doubles, 1e-6, 1e-5)
    compare_runs("mixed, by reference kernels", mixed.run_on(1, "--threads", 1, "--kernels", "reference"), top, 1e-6, 1e-5)
    for ranks in several:
        compare_runs(f"mixed on {ranks} ranks", mixed.run_on(ranks, "--threads", 1), top, 1e-6, 1e-5)
    found = {path.stem: kind(path) for path in (top / "model").glob("*.npy")}
    expected = {each: "f8" if each in DOUBLES else "f4" for each in found}
    if found != expected or not DOUBLES <= found.keys():
        fail(f"types of weights: {found}")

    # A model of one type all of whose parts are of another is a model of that type, to the bit.
    for model, type, plain in (("float", "double", doubles),
                               ("double", "float", compiled(root, "float", without_own_types(MIXED, "float")).run_on(
                                   1, "--threads", 1))):
        every = compiled(root, f"{model} set to {type}", all_set_to(MIXED, model, type)).run_on(1, "--threads", 1)
        compare_runs(f"{model} set to {type}", every, plain, 0, 0)

    # Gradients, and what observers write, of either type.
    checks = compiled(root, "checks", MIXED, "check_gradients: {error_on_failure: true}}, {dump_outputs: {layers: "
                      "[conv, norm, code], format: npy}}, {dump_gradients: {basename: of_}}, "
                      "{memory_profiler: {detailed_first_step: true}")
    for ranks in [1, *several[:1]]:
        printed = (checked := checks.run_on(ranks, "--threads", 1, name=f"on{ranks}")).glob("latest/log")
        lines = next(printed).read_text()
        if not re.search(r"training gradient check: 0 of \d+ gradients wrong", lines):
            fail(f"{ranks} ranks:\n{lines}")
        # 6 samples of 3 x 6 x 6 numbers, and 3 kernels of 3 x 3.
        for layer, sizes in {"conv": "5.2 kB, weights 216 B", "norm": "2.6 kB, weights 72 B"}.items():
            if ranks == 1 and f"memory profile : {layer} outputs {sizes}" not in lines:
                fail(f"memory of {layer}:\n{lines}")
        dumped = {re.search(r"step\.0_(\w+)_output0", path.name)[1]: kind(path)
                  for path in checked.rglob("sgd.training.epoch.0.step.0_*.npy")}
        if dumped != {"conv": "f8", "norm": "f4", "code": "f8"}:
            fail(f"types of outputs: {dumped}")

    # Steps below what float can tell: weights of double keep them, whatever computes with them.
    for type, other, expected in (("double", "float", 1 - 100e-9), ("float", "double", 1.0)):
        small = compiled(root, f"small {type}", SMALL_STEPS.replace("TYPE", type).replace("OTHER", other))
        for ranks in [1, *several[1:]]:
            model = small.run_on(ranks, "--threads", 1) / "model"
            last, copy = numbers(model / "w.npy")[0], numbers(model / "v.npy")[0]
            if abs(last - expected) > 1e-13:
                fail(f"weights of {type} on {ranks} ranks: {last!r} instead of {expected!r}")
            if copy != array.array("f", [last])[0]:
                fail(f"a copy of {last!r} is {copy!r}")

    # Factors of large gradients are gathered in either type.
    if several:
        folder = root / "wide"
        folder.mkdir()
        wide = RankedExperiment(compiler, runner, pathlib.Path(__file__).with_name("rank_autoencoder.yaml"), folder,
                                ["variables.hidden=300", "model.layers.decoder.datatype=double"])
        alone = wide.run_on(1, "--threads", 1)
        for ranks in several:
            together = wide.run_on(ranks, "--threads", 1)
            compare_runs(f"wide on {ranks} ranks", together, alone, 1e-6, 1e-5)
            log = next(together.glob("latest/log")).read_text()
            # Devices share no memory.
            if "device : " not in log and "factors of 2 gradients are gathered" not in log:
                fail("no factors are gathered")

    # Weights are loaded in the types they were saved in; others are refused, in words.
    load = f"load_model: {{dirs: [{top / 'model'}]}}"
    loaded = events(compiled(root, "loaded", MIXED, load).run_on(1, "--threads", 1))
    if not values_of(loaded)[0] < values_of(events(top))[0]:
        fail("nothing was loaded")
    load = compiled(root, "refused", without_own_types(MIXED, "float"), load)
    done = subprocess.run([runner, load.plan, "--work-dir", root / "run"], capture_output=True, text=True)
    if done.returncode != 3 or not re.search(r"holds f64 \[.*\]", done.stdout + done.stderr):
        fail(f"loading weights of another type: {done.returncode}\n{done.stdout}{done.stderr}")
