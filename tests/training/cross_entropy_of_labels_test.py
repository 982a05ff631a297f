"""A softmax with the cross entropy of labels trains as both one after the other do, wherever the classes lie.

  cross_entropy_of_labels_test.py COMPILER RUNNER
"""
import pathlib
import subprocess
import sys
import tempfile

from run_experiment import Experiment, fail

compiler, runner = sys.argv[1:3]

EXPERIMENT = """
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 2}}}
data_reader:
  - synthetic: {role: train, num_samples: 7, synth_dimensions: [5, 6]}
model:
  datatype: double
  layers:
    - input: {name: x, data_field: samples}
    # Some below 0 or beyond the last class, which name none.
    - channelwise_fully_connected: {name: classes, parents: x, output_channel_dims: [1], weights: [classes], bias: false}
    - add_constant: {name: shifted, constant: 1}
    - scale: {name: spread, constant: 2}
    - reshape: {name: labels, dims: [1, 5]}
%(scores)s
    - softmax: {name: probabilities, softmax_mode: channel}
%(between)s
    - cross_entropy: {name: loss, parents: [%(compared)s, labels], use_labels: true}
  weights:
    - name: classes
      optimizer: {no_optimizer: {}}
      initializer: {normal_initializer: {standard_deviation: 0.5}}
  objective_function:
    - layer_term: {layer: loss}
  callbacks:
    - dump_weights: {directory: weights}
    - check_gradients: {error_on_failure: true}
optimizer: {sgd: {learn_rate: 0.1}}
"""
FIRST = """
    - fully_connected: {name: scores, parents: x, num_neurons: 15}
    - reshape: {name: by_class, dims: [3, 5]}
"""
LAST = """
    - channelwise_fully_connected: {name: scores, parents: x, output_channel_dims: [3]}
    - tensor_permute: {name: by_class, axes: [1, 0]}
"""
CLAMP = "    - clamp: {name: clamped, min: 0, max: 1}"


def run(folder, scores, between, joined):
    """Trains, and gives the weights after each epoch."""
    folder.mkdir()
    source = folder / "experiment.yaml"
    compared = "clamped" if between else "probabilities"
    source.write_text(EXPERIMENT % {"scores": scores, "between": between, "compared": compared})
    told = subprocess.run([compiler, source, "--emit", "plan-text"], capture_output=True, text=True)
    if told.returncode != 0:
        fail(told.stderr)
    train = told.stdout[told.stdout.index("entry train:"):].split("\nentry ")[0]
    if ("sparse_softmax_cross_entropy(" in train) != joined or ("= softmax(" in train) == joined:
        fail(f"in {folder.name} softmax and cross entropy are {'not ' * joined}one operator:\n{train}")
    if joined and "permute" in train:
        fail(f"in {folder.name} scores are moved:\n{train}")
    Experiment(compiler, runner, source, folder).run("run")
    return [float(value) for path in sorted(folder.rglob("*.txt")) if "weights" in path.name
            for value in path.read_text().split()]


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    for where, scores in (("first", FIRST), ("last", LAST)):
        one = run(place / f"{where}_joined", scores, "", True)
        two = run(place / f"{where}_apart", scores, CLAMP, False)
        if len(one) != len(two) or len(one) < 20:
            fail(f"{len(one)} and {len(two)} numbers of weights")
        largest = max(abs(a - b) for a, b in zip(one, two))
        if not largest < 1e-12:
            fail(f"classes {where}: weights differ by {largest}")
