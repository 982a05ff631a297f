"""Attention written as products and a softmax, as LBANN's transformers write it, trains as the layer of its own does.

  recognised_attention_test.py COMPILER RUNNER
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

from run_experiment import Experiment, fail

compiler, runner = sys.argv[1:3]

BEFORE = """
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 2}}}
data_reader:
  - synthetic: {role: train, num_samples: 7, synth_dimensions: [6, 5]}
model:
  datatype: double
  layers:
    - input: {name: x, data_field: samples}
    - channelwise_fully_connected: {name: qkv, output_channel_dims: [24]}
    - slice: {name: parts, axis: 1, slice_points: [0, 8, 16, 24]}
    - weights_layer: {name: bias, dims: [2, 6, 6], weights: [bias]}
"""
AFTER = """
    - l2_norm2: {name: loss}
  weights:
    - name: bias
      initializer: {normal_initializer: {standard_deviation: 1}}
      %(optimizer)s
  objective_function:
    - layer_term: {layer: loss}
  callbacks:
    - dump_outputs: {layers: [%(observed)s], directory: outputs}
    - dump_weights: {directory: weights}
    - check_gradients: {error_on_failure: true}
optimizer: {sgd: {learn_rate: 0.01}}
"""
LAYER = """
    - scaled_dot_product_attention: {name: attention, parents: [parts.0, parts.1, parts.2, bias], num_heads: 2}
"""
PRODUCTS = """
    - scale: {name: scaled, parents: parts.0, constant: 0.5}
    - tensor_permute: {axes: [1, 0]}
    - reshape: {name: queries, dims: [2, 4, 6]}
    - tensor_permute: {parents: parts.1, axes: [1, 0]}
    - reshape: {name: keys, dims: [2, 4, 6]}
    - tensor_permute: {parents: parts.2, axes: [1, 0]}
    - reshape: {name: values, dims: [2, 4, 6]}
    - matmul: {name: scores, parents: [queries, keys], transpose_a: true}
    - add: {name: masked, parents: [scores, bias]}
    - channelwise_softmax: {name: probabilities, dim: -1, single_dim_mode: true}
    - matmul: {name: means, parents: [probabilities, values], transpose_b: true}
    - tensor_permute: {axes: [1, 0, 2]}
    - reshape: {name: attention, dims: [6, 8]}
"""


def run(folder, layers, observed, optimizer, recognised):
    """Trains, and gives what the layer `attention` put out and the weights after each epoch."""
    folder.mkdir()
    source = folder / "experiment.yaml"
    source.write_text(BEFORE + layers + AFTER % {"observed": observed, "optimizer": optimizer})
    text = subprocess.run([compiler, source, "--emit", "plan-text"], capture_output=True, text=True).stdout
    train = text[text.index("entry train:"):].split("\nentry ")[0]
    if (" = attention(" in train) != recognised or ("softmax(" in train) == recognised:
        fail(f"in {folder.name} attention is {'not ' * recognised}one operator:\n{train}")
    Experiment(compiler, runner, source, folder).run("run")
    files = sorted(folder.rglob("*_attention_output0.csv")) + sorted(folder.rglob("*.txt"))
    numbers = []
    for path in files:
        if path.suffix == ".csv" or "weights" in path.name:
            with open(path) as file:
                numbers += [float(value) for row in csv.reader(file, delimiter="," if path.suffix == ".csv" else " ")
                            for value in row if value]
    return numbers


with tempfile.TemporaryDirectory() as place:
    for optimizer in ("", "optimizer: {no_optimizer: {}}"):
        folder = pathlib.Path(place) / ("frozen" if optimizer else "trained")
        folder.mkdir()
        layer = run(folder / "layer", LAYER, "attention", optimizer, True)
        products = run(folder / "products", PRODUCTS, "attention", optimizer, True)
        observed = run(folder / "observed", PRODUCTS, "attention, probabilities", optimizer, False)
        if len(layer) < 700:
            fail(f"only {len(layer)} numbers were compared")
        for name, other in (("products", products), ("observed", observed)):
            if len(other) != len(layer):
                fail(f"{folder.name} {name}: {len(other)} numbers, not {len(layer)}")
            worst = max(abs(a - b) for a, b in zip(layer, other))
            if not worst < 1e-5 * max(map(abs, layer)):
                fail(f"{folder.name} {name}: {worst} away")
    print("masks that learn and masks that do not: the layer, recognised products and observed ones agree")
