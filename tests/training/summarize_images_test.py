"""Callback summarize_images: which samples of a validation it shows, and their pixels, on one rank and on several.

  summarize_images_test.py COMPILER RUNNER [--ranks]

Skipped where there is no protoc, numpy or Pillow.
"""
import io
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from event_files import events_of, image_of  # noqa: E402
from with_modules import need_modules  # noqa: E402

need_modules('numpy', 'PIL')
import numpy  # noqa: E402
from PIL import Image  # noqa: E402
from ranks import RankedExperiment, require_mpirun  # noqa: E402
from run_experiment import Experiment, expect  # noqa: E402

SAMPLES, BATCH, EPOCHS = 22, 8, 4
# The validation has another order in each epoch.
TEXT = f"""
trainer: {{mini_batch_size: {BATCH}, random_seed: 5, training_algorithm: {{sgd: {{max_epochs: {EPOCHS}}}}}}}
data_reader:
  - digits: {{role: train, num_samples: 40, size: 8}}
  - digits: {{role: validate, num_samples: {SAMPLES}, size: 8, shuffle: true}}
model:
  layers:
    - input: {{name: images, data_field: samples}}
    - input: {{name: labels, data_field: labels}}
    - fully_connected: {{name: scores, parents: images, num_neurons: 10}}
    - softmax: {{name: probabilities}}
    - cross_entropy: {{name: loss, parents: [probabilities, labels]}}
    - categorical_accuracy: {{name: correct, parents: [probabilities, labels]}}
  objective_function:
    - layer_term: {{layer: loss}}
  callbacks:
    - summarize_images: {{image_source_layer_name: images, num_images: 11, dir: followed}}
    - summarize_images: {{image_source_layer_name: images, accuracy_layer_name: correct, num_images: 3, dir: wrong}}
    - summarize_images: {{image_source_layer_name: images, accuracy_layer_name: correct, match_type: match,
                         num_images: 5, epoch_interval: 2, dir: right}}
    - summarize_images: {{image_source_layer_name: images, accuracy_layer_name: correct, match_type: all, dir: all}}
    - dump_outputs: {{layers: [images, correct], execution_modes: [validation], directory: values, format: npy}}
    - dump_mb_indices: {{basename: indices}}
optimizer: {{sgd: {{learn_rate: 0.3}}}}
"""


def shown(run, folder):
    """By epoch, the index of each sample and its picture, in order."""
    found = {}
    for event in events_of(run / "latest" / folder / "images"):
        for summary in event.get("summary", []):
            for value in summary["value"]:
                layer, sample = value["tag"][0].split("/sample_")
                expect(layer == "images", value["tag"])
                found.setdefault(int(event["step"][0]), []).append((int(sample), image_of(value)))
    return found


def validations(run, ranks):
    """By epoch, indices in the data, images and whether they were recognised, in order."""
    passes = {}
    for epoch in range(EPOCHS):
        indices, images, correct = [], [], []
        for step in range(-(-SAMPLES // BATCH)):
            for rank in range(ranks):
                text, = (run / "latest").glob(f"indices/**/validation_e{epoch}_s{step}_r{rank}-*.txt")
                indices += map(int, text.read_text().split())
            for layer, values in (("images", images), ("correct", correct)):
                path, = (run / "latest").glob(f"values/**/*validation.epoch.{epoch}.step.{step}_{layer}_output0.npy")
                values += list(numpy.load(path))
        expect(sorted(indices) == list(range(SAMPLES)), f"epoch {epoch}: {indices}")
        passes[epoch + 1] = list(zip(indices, images, numpy.ravel(correct)))
    return passes


def check(run, ranks):
    passes = validations(run, ranks)
    order = [index for index, _, _ in passes[1]]
    expect([index for index, _, _ in passes[2]] != order, "validations have one order")
    first = set(order[:11])
    wanted = {
        "followed": {epoch: [i for i, _, _ in each if i in first] for epoch, each in passes.items()},
        "wrong": {epoch: [i for i, _, correct in each if correct == 0][:3] for epoch, each in passes.items()},
        "right": {epoch: [i for i, _, correct in each if correct == 1][:5] for epoch, each in passes.items() if epoch % 2 == 0},
        "all": {epoch: [i for i, _, _ in each][:10] for epoch, each in passes.items()},
    }
    expect(any(wanted["wrong"].values()) and any(wanted["right"].values()), f"nothing to see: {wanted}")
    for folder, expected in wanted.items():
        found = shown(run, folder)
        expected = {epoch: samples for epoch, samples in expected.items() if samples}
        expect({epoch: [index for index, _ in pictures] for epoch, pictures in found.items()} == expected,
               f"{folder} on {ranks} ranks: {found.keys()}, not {expected}")
        for epoch, pictures in found.items():
            images = {index: image for index, image, _ in passes[epoch]}
            for index, picture in pictures:
                pixels = numpy.asarray(Image.open(io.BytesIO(picture)).convert("L"), dtype=float)
                image = images[index].reshape(8, 8)
                grey = 255 * (image - image.min()) / (image.max() - image.min())
                expect(numpy.abs(pixels - grey).max() <= 0.5001, f"{folder}: sample {index} in epoch {epoch}")


def refuses_a_file(compiler, runner, scratch):
    """The folder of the images is a file that another callback has written."""
    (scratch / "blocked.yaml").write_text(TEXT.replace("    - dump_mb_indices", "    - dump_model_graph: {basename: blocked}\n"
                                                       "    - dump_mb_indices").replace("dir: followed", "dir: blocked/images"))
    (scratch / "blocked").mkdir()
    experiment = Experiment(compiler, runner, scratch / "blocked.yaml", scratch / "blocked")
    done = subprocess.run([experiment.runner, experiment.plan, "--work-dir", scratch / "blocked"], capture_output=True, text=True)
    expect(done.returncode == 3 and "blocked.yaml:17:" in done.stderr and "blocked" in done.stderr, f"{done.returncode} {done.stderr}")


def main(compiler, runner, *ranked):
    if ranked:
        require_mpirun()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "experiment.yaml").write_text(TEXT)
        experiment = RankedExperiment(compiler, runner, scratch / "experiment.yaml", scratch)
        for ranks in (2, 3) if ranked else (1,):
            check(experiment.run_on(ranks, "--threads", "1"), ranks)
            print(f"{ranks} ranks: the samples that are meant, and their pixels")
        if not ranked:
            refuses_a_file(compiler, runner, scratch)


if __name__ == "__main__":
    main(*sys.argv[1:])
