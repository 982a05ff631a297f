"""Transforms of samples: the same as the reader's own scaling, in the phases they are for, on any ranks and threads.

  transforms_test.py COMPILER RUNNER [--ranks]
"""
import pathlib
import sys
import tempfile

from mnist_files import make_mnist
from ranks import RankedExperiment, events, fail, require_mpirun, values_of, weights, worst_values, worst_weights

compiler, runner, *several = sys.argv[1:]
TEXT = """
trainer:
  mini_batch_size: 32
  training_algorithm: {{sgd: {{max_epochs: 2}}}}
  {trainer}
data_reader:
  - mnist: {{role: train, data_filedir: data, data_filename: train-images-idx3-ubyte.gz,
      label_filename: train-labels-idx1-ubyte.gz, shuffle: true, validation_fraction: 0.2, {reader}}}
  - mnist: {{role: test, data_filedir: data, data_filename: t10k-images-idx3-ubyte.gz,
      label_filename: t10k-labels-idx1-ubyte.gz, {reader}}}
model:
  layers:
    - input: {{name: images, data_field: samples}}
    - input: {{name: labels, data_field: labels}}
    - fully_connected: {{parents: images, num_neurons: 10}}
    - softmax: {{name: probabilities}}
    - cross_entropy: {{name: loss, parents: [probabilities, labels]}}
  objective_function:
    - layer_term: {{layer: loss}}
optimizer: {{sgd: {{learn_rate: {rate}}}}}
"""
RANDOM = """transforms: [random_affine: {rotate_min: -20, rotate_max: 20, translate_h: 0.1, translate_w: 0.1},
      random_resized_crop: {height: 20, width: 24}, color_jitter: {min_brightness_factor: 0.5, max_brightness_factor: 1.5},
      cutout: {num_holes: 2, length: 5}, vertical_flip: {p: 0.5}, to_lbann_layout: ]"""


def experiment(root, name, reader, trainer="", rate=0.05):
    folder = root / name
    folder.mkdir()
    path = folder / "experiment.yaml"
    path.write_text(TEXT.format(reader=reader, trainer=trainer, rate=rate))
    (folder / "data").symlink_to(root / "data")
    return RankedExperiment(compiler, runner, path, folder)


def run(made, ranks=1, *options, name=None):
    return made.run_on(ranks, "--threads", 1, "--data-root", made.folder, *options, name=name)


def phase_values(top, mode):
    return [event["objective"] for event in events(top) if event["event"] == "epoch" and event["mode"] == mode]


def scaled_alike(root):
    """LBANN's scale, its layouts and the reader's own factor."""
    expected = values_of(events(run(experiment(root, "own", "scale: 0.00392156862745098"))))
    for name, transforms in (("scale", "scale: {scale: 0.00392156862745098}"), ("layout", "to_lbann_layout: "),
                             ("normalize", "normalize_to_lbann_layout: {means: [0], stddevs: [1]}"),
                             ("flips", "horizontal_flip: {p: 1}, to_lbann_layout: , horizontal_flip: {p: 1}")):
        top = run(experiment(root, name, f"scale: 1, transforms: [{transforms}]"))
        distance = worst_values(values_of(events(top)), expected)
        print(f"{name}: values differ by {distance:.1e}")
        if distance > 1e-5:
            fail("that is more than rounding")


def lbann_text(root):
    """LBANN's own text: its mnist gives bytes, which `scale` divides."""
    folder = root / "prototext"
    folder.mkdir()
    (folder / "data").symlink_to(root / "data")
    readers = "".join(f'''reader {{ name: "mnist" role: "{role}" shuffle: {shuffle} data_filedir: "data"
        data_filename: "{prefix}-images-idx3-ubyte.gz" label_filename: "{prefix}-labels-idx1-ubyte.gz"
        fraction_of_data_to_use: 1.0 {more} transforms {{ scale {{ scale: 0.00392156862745098 }} }} }}
        ''' for role, prefix, shuffle, more in (("train", "train", "true", "validation_fraction: 0.2"), ("test", "t10k", "false", "")))
    (folder / "experiment.prototext").write_text(f'''
trainer {{ mini_batch_size: 32 training_algorithm {{ parameters {{
  [type.googleapis.com/lbann_data.SGD] {{ stopping_criteria {{ max_epochs: 2 }} }} }} }} }}
data_reader {{ {readers} }}
model {{
  objective_function {{ layer_term {{ scale_factor: 1.0 layer: "loss" }} }}
  layer {{ name: "images" input {{ data_field: "samples" }} }}
  layer {{ name: "labels" input {{ data_field: "labels" }} }}
  layer {{ name: "fc" parents: "images" fully_connected {{ num_neurons: 10 has_bias: true }} }}
  layer {{ name: "probabilities" parents: "fc" softmax {{ softmax_mode: "instance" }} }}
  layer {{ name: "loss" parents: ["probabilities", "labels"] cross_entropy {{}} }}
}}
optimizer {{ sgd {{ learn_rate: 0.05 }} }}
''')
    top = run(RankedExperiment(compiler, runner, folder / "experiment.prototext", folder))
    losses = phase_values(top, "training")
    expected = phase_values(run(experiment(root, "as_lbann", "scale: 0.00392156862745098")), "training")
    # Other layers' names, so other first weights.
    if len(losses) != 2 or any(abs(a - b) > 0.3 for a, b in zip(losses, expected)):
        fail(f"LBANN's text: {losses}, not about {expected}")
    print(f"LBANN's text: {losses}")


def phases(root):
    """What the data coordinator changes in training leaves the other phases as they are."""
    flips = "vertical_flip: {p: 1}"
    plain = run(experiment(root, "plain", "scale: 1, transforms: [to_lbann_layout: ]", rate=0))
    for phase, changed in (("train", {"training"}), ("validate", {"validation"}), ("test", {"testing"}),
                           ("all", {"training", "validation", "testing"})):
        trainer = "data_coordinator: {transforms: [{data_field: samples, execution_phase: " + phase + \
            ", transforms: [" + flips + "]}]}"
        top = run(experiment(root, f"flips_{phase}", "scale: 1, transforms: [to_lbann_layout: ]", trainer, rate=0))
        found = {mode for mode in ("training", "validation", "testing")
                 if phase_values(top, mode) != phase_values(plain, mode)}
        if found != changed:
            fail(f"execution_phase {phase} changes {found}")
    print("phases: as asked for")


def augmentation(root):
    """Random transforms: the same on any number of threads that prepare data, ranks, and after a resume."""
    made = experiment(root, "random", f"scale: 1, {RANDOM}")
    one = run(made)
    if values_of(events(run(made, 1, "--io-threads", 3))) != values_of(events(one)):
        fail("three threads for data: other values")
    still = phase_values(run(experiment(root, "still", f"scale: 1, {RANDOM}", rate=0)), "training")
    if still[0] == still[1]:
        fail("two epochs have the same samples")
    for ranks in (2, 3) if several else ():
        top = run(made, ranks)
        distance = max(worst_values(values_of(events(top)), values_of(events(one))),
                       worst_weights(weights(top), weights(one)))
        print(f"{ranks} ranks: values and weights differ by {distance:.1e}")
        if distance > 1e-4:
            fail("that is more than rounding")
    every = ("--checkpoint-every", "1 step")
    for stop in (3, 9):
        run(made, 1, "--steps", stop, *every, name=f"stopped{stop}")
        top = run(made, 1, "--resume", *every, name=f"stopped{stop}")
        if values_of(events(top)) != values_of(events(one)) or weights(top) != weights(one):
            fail(f"resumed after {stop} steps: other values")
    print("augmentation: the same")


with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch).resolve()
    if several:
        require_mpirun()
    make_mnist(root / "data")
    scaled_alike(root)
    lbann_text(root)
    phases(root)
    augmentation(root)
