"""Event files of callback `summary`, decoded by protoc, hold what metrics.jsonl, the weights and save_images say.

  summary_test.py COMPILER RUNNER

Skipped where there is no protoc.
"""
import math
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from event_files import events_of, image_of, values_of  # noqa: E402
from with_modules import need_modules  # noqa: E402

need_modules('numpy')
import numpy  # noqa: E402
from run_experiment import Experiment, expect  # noqa: E402

TEXT = """
trainer: {mini_batch_size: 16, random_seed: 7, training_algorithm: {sgd: {max_epochs: 3}}}
data_reader:
  - digits: {role: train, num_samples: 100, size: 8}
  - digits: {role: validate, num_samples: 40, size: 8}
  - digits: {role: test, num_samples: 30, size: 8}
model:
  name: digits
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - fully_connected: {name: hidden, parents: images, num_neurons: 12}
    - relu: {name: active}
    - fully_connected: {name: scores, num_neurons: 10}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
    - categorical_accuracy: {name: correct, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
  metrics:
    - layer_metric: {name: accuracy, layer: correct, unit: "%"}
  callbacks:
    - step_learning_rate: {step: 1, amt: 0.5}
    - summary: {batch_interval: 2, mat_interval: 20, layers: [active], images: [images]}
    - save_images: {layers: [images], image_prefix: images/}
    - dump_outputs: {layers: [active], directory: out, batch_interval: 20, execution_modes: [train], format: npy}
    - save_model: {dir: model}
optimizer: {sgd: {learn_rate: 0.25}}
"""


def scalars_of(events, tag):
    return {step: float(value.get("simple_value", ["0"])[0]) for step, value in values_of(events, tag).items()}


def same(found, wanted, what):
    expect(found.keys() == wanted.keys() and all(math.isclose(found[step], wanted[step], rel_tol=1e-6) for step in found),
           f"{what}: {found}, not {wanted}")


def check_histogram(histogram, values, what):
    histogram, values = histogram["histo"][0], numpy.asarray(values, dtype=float).ravel()
    number = {name: float(histogram.get(name, ["0"])[0]) for name in ("min", "max", "num", "sum", "sum_squares")}
    wanted = {"min": values.min(), "max": values.max(), "num": len(values), "sum": values.sum(),
              "sum_squares": (values ** 2).sum()}
    for name, value in wanted.items():
        expect(math.isclose(number[name], value, rel_tol=1e-6, abs_tol=1e-9), f"{what} {name}: {number[name]}, not {value}")
    limits = numpy.array(list(map(float, histogram["bucket_limit"])))
    counts = list(map(float, histogram["bucket"]))
    expect(sum(counts) == len(values) and len(limits) == len(counts) == 30, f"{what}: {counts}")
    below = [int((values <= limit * (1 + 1e-9) if limit > 0 else values <= limit + 1e-12).sum()) for limit in limits]
    expect(numpy.abs(numpy.cumsum(counts) - below).max() <= 2, f"{what}: {counts} up to {limits}")


def main(compiler, runner):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "experiment.yaml").write_text(TEXT)
        lines, _, folder = Experiment(compiler, runner, scratch / "experiment.yaml", scratch).run("run")
        events = {phase: events_of(folder / "events" / phase) for phase in ("train", "validation", "test")}
        for phase, all_events in events.items():
            expect(all_events[0].get("file_version") == ["brain.Event:2"], f"{phase} begins with {all_events[0]}")

        steps = [line for line in lines if line["event"] == "step" and line["step"] % 2 == 0]
        for tag, value in {"batch_objective": lambda line: line["objective"],
                           "batch_accuracy": lambda line: line["metrics"]["accuracy"],
                           "learning_rate": lambda line: line["learning_rates"]["all"]}.items():
            same(scalars_of(events["train"], tag), {line["step"]: value(line) for line in steps}, tag)
        expect(scalars_of(events["train"], "learning_rate")[18] == 0.0625, "the rate of the third epoch")
        expect(scalars_of(events["train"], "step_seconds").keys() == scalars_of(events["train"], "waited_seconds").keys(), "times")
        for phase, mode in (("train", "training"), ("validation", "validation"), ("test", "testing")):
            passes = {line["epoch"] + (mode != "testing"): line for line in lines
                      if line["event"] == "epoch" and line["mode"] == mode}
            same(scalars_of(events[phase], "epoch_objective"), {e: p["objective"] for e, p in passes.items()}, phase)
            same(scalars_of(events[phase], "epoch_accuracy"),
                 {e: p["metrics"]["accuracy"] for e, p in passes.items()}, phase)

        graph = {node["name"][0]: node for event in events["train"] for each in event.get("graph_def", []) for node in each["node"]}
        expect(graph["active"]["op"] == ["relu"] and graph["active"]["input"] == ["hidden"], f"the graph: {graph}")
        started = values_of(events["train"], "_hparams_/session_start_info")[0]["metadata"][0]["plugin_data"][0]
        settings = {each["key"][0]: each["value"][0] for each in started["content"][0]["session_start_info"][0]["hparams"]}
        expect(started["plugin_name"] == ["hparams"] and settings["optimizer"] == {"string_value": ["sgd"]}
               and settings["learning_rate"] == {"number_value": ["0.25"]}
               and settings["mini_batch_size"] == {"number_value": ["16"]}, f"hyperparameters: {started}")

        outputs = {int(re.search(r"step\.(\d+)_", path.name)[1]): numpy.load(path) for path in folder.glob("out/**/*.npy")}
        found = values_of(events["train"], "outputs/active/0")
        expect(found.keys() == outputs.keys() == {0, 20}, f"histograms of steps {found.keys()}, not {outputs.keys()}")
        for step, values in outputs.items():
            check_histogram(found[step], values, f"outputs of step {step}")
        # Step 20 is the last one: its weights are those of the model.
        for path in (folder / "model").glob("*.npy"):
            weights = values_of(events["train"], f"weights/{path.stem}")
            check_histogram(weights[20], numpy.load(path), path.stem)
            expect(values_of(events["train"], f"gradients/{path.stem}").keys() == {0, 20}, f"gradients of {path.stem}")

        for phase, count, name in (("validation", {1, 2, 3}, "epoch{}"), ("test", {3}, "test")):
            pictures = values_of(events[phase], "images")
            expect(pictures.keys() == count, f"images of {phase}: {pictures.keys()}")
            for step, picture in pictures.items():
                image = picture["image"][0]
                data = image_of(picture)
                path = folder / "images" / f"{name.format(step)}-images.png"
                expect(data == path.read_bytes(), f"the image of step {step} of {phase} is not {path.name}")
                expect((image["height"], image["width"]) == (["12"], ["82"]), f"{image['height']} {image['width']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
