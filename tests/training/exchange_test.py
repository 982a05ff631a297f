"""Weights leave for other programs in one file and come back: what is exported, read in plain Python and
loaded again is equal bit by bit; files as PyTorch writes them are read by its names and layouts.

  exchange_test.py COMPILER RUNNER [--ranks]
"""
import array
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from ranks import RankedExperiment, fail, mpirun, numbers, require_mpirun
from run_experiment import call

EXPERIMENT = """
trainer: {mini_batch_size: 8, random_seed: 7, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 32, shuffle: false}
model:
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - convolution: {name: conv, parents: images, out_channels: 2, kernel_size: 9, stride: 9}
    - fully_connected: {name: square, num_neurons: 18, transpose: TRANSPOSE}
    - fully_connected: {name: narrow, num_neurons: 10, transpose: TRANSPOSE}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
  callbacks: [CALLBACKS]
optimizer: {sgd: {learn_rate: RATE}}
"""
# Dims of the weights where `transpose` is false, and their names in PyTorch.
SIZES = {"conv_kernel": [2, 1, 9, 9], "conv_bias": [2], "square_linearity_weights": [18, 18],
         "square_bias_weights": [18], "narrow_linearity_weights": [10, 18], "narrow_bias_weights": [10]}
TORCH = {"conv_kernel": "conv.weight", "conv_bias": "conv.bias", "square_linearity_weights": "square.weight",
         "square_bias_weights": "square.bias", "narrow_linearity_weights": "narrow.weight",
         "narrow_bias_weights": "narrow.bias"}
TYPECODES = {"F32": "f", "I64": "q"}

compiler, runner = sys.argv[1:3]


def read_safetensors(path):
    """Names with (dims, values), by the format's own words."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    if end % 64 != 0:
        fail(f"{path}: data begin at {end}")
    tensors = {}
    for name, entry in json.loads(data[8:end]).items():
        begin, stop = entry["data_offsets"]
        values = array.array(TYPECODES[entry["dtype"]])
        values.frombytes(data[end + begin:end + stop])
        tensors[name] = (entry["shape"], values)
    return tensors


def write_safetensors(path, tensors):
    header, data = {}, b""
    for name, (dims, values) in tensors.items():
        letters = next(key for key, value in TYPECODES.items() if value == values.typecode)
        end = len(data) + values.itemsize * len(values)
        header[name] = {"dtype": letters, "shape": dims, "data_offsets": [len(data), end]}
        data += values.tobytes()
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read_npz(path, folder):
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            fail(f"{path}: damaged")
        archive.extractall(folder)
    return {file.name: numbers(file) for file in folder.iterdir()}


def transposed(values, rows, columns):
    return array.array("f", [values[row * columns + column] for column in range(columns) for row in range(rows)])


def equal(found, expected, what):
    if {name: values.tobytes() for name, values in found.items()} != \
            {name: values.tobytes() for name, values in expected.items()}:
        fail(f"{what}: other bits, or other names: {sorted(found)} and {sorted(expected)}")


def compiled(root, name, transpose=False, callbacks="", rate=0.1):
    folder = root / name
    folder.mkdir()
    text = EXPERIMENT.replace("TRANSPOSE", str(transpose).lower()).replace("RATE", str(rate))
    file = folder / "experiment.yaml"
    file.write_text(text.replace("CALLBACKS", callbacks))
    return RankedExperiment(compiler, runner, file, folder)


def run(experiment, *options):
    top = experiment.folder / f"run{len(list(experiment.folder.glob('run*')))}"
    return call([experiment.runner, experiment.plan, "--work-dir", top, *options], experiment.folder)


def refused(experiment, code, words, *options):
    top = experiment.folder / "refused"
    done = subprocess.run([str(word) for word in (experiment.runner, experiment.plan, "--work-dir", top, *options)],
                          capture_output=True, text=True)
    if done.returncode != code or not re.search(words, done.stderr) or "training epoch" in done.stdout:
        fail(f"{options}: exit code {done.returncode} instead of {code}, or not `{words}`\n{done.stdout}{done.stderr}")


def exported_and_loaded(root):
    """What training leaves is exported in both formats, read here, and loaded without a change."""
    trained = compiled(root, "trained")
    output = run(trained, "--save-model", trained.folder / "model", "--export", "m.safetensors")
    run(trained, "--export", "m.npz")
    if "weights exported to m.safetensors" not in output:
        fail(f"the export is not told\n{output}")
    saved = {path.stem: numbers(path) for path in (trained.folder / "model").glob("*.npy")}
    tensors = read_safetensors(trained.folder / "m.safetensors")
    if {name: dims for name, (dims, values) in tensors.items()} != SIZES:
        fail(f"exported {tensors.keys()}")
    equal({name: values for name, (dims, values) in tensors.items()}, saved, "safetensors")
    archive = read_npz(trained.folder / "m.npz", trained.folder / "npz")
    equal({name.removesuffix(".npy"): values for name, values in archive.items()}, saved, "npz")
    still = compiled(root, "still", rate=0)
    for file in ("m.safetensors", "m.npz", "model"):
        output = run(still, "--load-model", trained.folder / file, "--export", "again.safetensors")
        if f"weights loaded from {trained.folder / file}: 6 of 6\n" not in output:
            fail(f"the log does not tell what was loaded\n{output}")
        if (still.folder / "again.safetensors").read_bytes() != (trained.folder / "m.safetensors").read_bytes():
            fail(f"{file}: what is loaded and exported has other bytes")
    return saved


def loaded_from_torch(root, saved):
    """A state dict gives the same weights whichever way a layer keeps its matrix."""
    state = {TORCH[name]: (SIZES[name], values) for name, values in saved.items()}
    write_safetensors(root / "torch.safetensors", {**state, "norm.num_batches_tracked": ([], array.array("q", [3]))})
    for transpose in (False, True):
        experiment = compiled(root, f"torch{transpose}", transpose, rate=0)
        output = run(experiment, "--load-model", root / "torch.safetensors", "--export", "m.safetensors")
        if "6 of 6 (not used: `norm.num_batches_tracked`)" not in output:
            fail(output)
        expected = dict(saved)
        if transpose:
            expected["square_linearity_weights"] = transposed(saved["square_linearity_weights"], 18, 18)
            expected["narrow_linearity_weights"] = transposed(saved["narrow_linearity_weights"], 10, 18)
        found = {name: values for name, (dims, values) in read_safetensors(experiment.folder / "m.safetensors").items()}
        equal(found, expected, f"PyTorch's names with transpose {transpose}")
    write_safetensors(root / "module.safetensors",
                      {f"module.{name}": tensor for name, tensor in state.items() if not name.startswith("narrow")})
    load = f"load_model: {{dirs: [{root / 'module.safetensors'}], partial: true, rename: {{'module.*': '*'}}}}"
    output = run(compiled(root, "renamed", callbacks=load))
    words = "4 of 6 (not in it: `narrow_linearity_weights`, `narrow_bias_weights`)"
    options = ["--load-model", root / "module.safetensors", "--load-partial", "--rename", "module.* -> *"]
    if words not in output or words not in run(compiled(root, "renamed_by_option"), *options):
        fail(output)


def mistakes(root):
    plan = compiled(root, "mistakes")
    module = root / "module.safetensors"
    refused(plan, 2, r"m\.pt: weights are exported to \.safetensors or \.npz", "--export", "m.pt")
    refused(plan, 2, "--load-model", "--load-partial")
    refused(plan, 2, "--load-model", "--rename", "a -> b")
    for rule in ("module.conv", "a* -> b", "nothing -> anything"):
        refused(plan, 3, re.escape(rule), "--load-model", module, "--load-partial", "--rename", rule)
    refused(plan, 3, "there is no folder", "--export", root / "nowhere" / "m.npz")
    refused(plan, 3, "has none of the model's weights(.|\n)*is it `module.conv.weight`", "--load-partial",
            "--load-model", module)
    refused(plan, 3, "weights `conv_kernel`: .* has no array of this name", "--load-model", module)
    (root / "cut.safetensors").write_bytes(module.read_bytes()[:-1])
    refused(plan, 3, "is the file complete", "--load-model", root / "cut.safetensors")


def several_trainers(root):
    plan = compiled(root, "trainers")
    still = compiled(root, "still_trainers", rate=0)
    for experiment, options in ((plan, ()), (still, ("--load-model", plan.folder / "m.npz"))):
        done = mpirun(2, [runner, experiment.plan, "--work-dir", experiment.folder / "runs", "--procs-per-trainer", "1",
                          "--export", experiment.folder / "m.npz", *options])
        if done.returncode != 0:
            fail(f"{done.stdout}{done.stderr}")
    files = [[(experiment.folder / trainer / "m.npz").read_bytes() for trainer in ("trainer0", "trainer1")]
             for experiment in (plan, still)]
    if files[0] != files[1] or files[0][0] == files[0][1]:
        fail("trainers do not export and load models of their own")


def read_by_torch(path, saved):
    if importlib.util.find_spec("torch") is None:
        print("reading with PyTorch is skipped: there is no PyTorch here")
        return
    import torch
    data = bytearray(path.read_bytes())
    end = 8 + int.from_bytes(data[:8], "little")
    for name, entry in json.loads(data[8:end]).items():
        begin, stop = (end + offset for offset in entry["data_offsets"])
        tensor = torch.frombuffer(data, dtype=torch.float32, offset=begin, count=(stop - begin) // 4)
        if tensor.reshape(entry["shape"]).flatten().tolist() != list(saved[name]):
            fail(f"PyTorch reads other numbers of {name}")


with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch)
    saved = exported_and_loaded(root)
    loaded_from_torch(root, saved)
    mistakes(root)
    read_by_torch(root / "trained" / "m.safetensors", saved)
    if "--ranks" in sys.argv:
        require_mpirun()
        several_trainers(root)
