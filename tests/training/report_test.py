"""`lbann-run --report` writes one page of several runs, whose numbers, matrices and pictures are those of their files.

  report_test.py COMPILER RUNNER

The page is read as XML; report_picture_test.py has it drawn.
"""
import base64
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from run_experiment import Experiment, call, expect

TEXT = """
variables: {rate: 0.1}
trainer: {mini_batch_size: 16, training_algorithm: {sgd: {max_epochs: 8}}}
data_reader:
  - digits: {role: train, num_samples: 400, size: 8}
  - digits: {role: validate, num_samples: 40, size: 8}
  - digits: {role: test, num_samples: 30, size: 8}
model:
  name: a<b & "c"
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - fully_connected: {name: hidden, parents: images, num_neurons: 64}
    - relu:
    - reshape: {name: code, dims: [8, 8]}
    - fully_connected: {num_neurons: 10}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
    - categorical_accuracy: {name: correct, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
  metrics:
    - layer_metric: {name: accuracy, layer: correct, unit: "%"}
  callbacks:
    - confusion_matrix: {prediction: probabilities, label: labels, prefix: matrices/m_}
    - save_images: {layers: [images, code], image_prefix: images/}
    - save_images: {layers: [images], image_prefix: "jpeg_", image_format: jpg}
optimizer: {sgd: {learn_rate: "${rate}"}}
"""
SVG = "{http://www.w3.org/2000/svg}"
HTML = "{http://www.w3.org/1999/xhtml}"


def text_of(element):
    return "".join(element.itertext())


def check_curves(page, name, events):
    """Points of the chart of the objective: their values, and places in proportion to them."""
    section = next(each for each in page.iter(f"{HTML}section") if text_of(each).startswith("Objective"))
    svg = section.find(f"{SVG}svg[@class='linear']")
    points = {}
    for circle in svg.iter(f"{SVG}circle"):
        label, value, epochs = re.fullmatch(r"(.*): (\S+) at (\S+)", circle.find(f"{SVG}title").text).groups()
        points[label, int(epochs)] = float(value), float(circle.get("cy"))
    for event in events:
        if event["event"] == "step" or event["mode"] == "testing":
            continue
        value, _ = points[f"{name}, {event['mode']}", event["epoch"] + 1]
        expect(abs(value - event["objective"]) <= 1e-5 * abs(value), f"{name}: {value}, not {event}")
    (low, low_at), (high, high_at) = min(points.values()), max(points.values())
    for value, at in points.values():
        wanted = low_at + (value - low) / (high - low) * (high_at - low_at)
        expect(abs(at - wanted) < 0.2, f"{value} lies at {at}, not {wanted}")


def check_files(page, folder):
    """Pictures are the bytes of the files, matrices their per cents."""
    pictures = [base64.b64decode(image.get("src").split(",")[1]) for image in page.iter(f"{HTML}img")]
    for path in ("images/epoch8-images.png", "images/epoch8-code.png", "images/test-code.png",
                 "jpeg_epoch8-images.jpg", "jpeg_test-images.jpg"):
        expect((folder / path).read_bytes() in pictures, f"{path} is not on the page")
    expect((folder / "images/epoch7-code.png").exists(), "no pictures of earlier epochs")
    tables = []
    for table in page.iter(f"{HTML}table"):
        if table.get("class") == "confusion":
            rows = [[text_of(cell) for cell in row.iter(f"{HTML}td")] for row in table.find(f"{HTML}tbody")]
            tables.append([[float(cell or 0) for cell in row] for row in rows])
    for path in ("train-epoch8", "validation-epoch8", "test"):
        parts = [[float(cell) for cell in row] for row in csv.reader(open(folder / f"matrices/m_{path}.csv"))]
        labels = [sum(column) or 1 for column in zip(*parts)]
        wanted = [[100 * cell / label for cell, label in zip(row, labels)] for row in parts]
        expect(any(all(abs(a - b) < 0.06 for row, other in zip(table, wanted) for a, b in zip(row, other))
                   for table in tables), f"the matrix {path} is not on the page")


def refused(runner, arguments, code, words):
    done = subprocess.run([runner, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect(done.returncode == code and words in done.stdout,
           f"{arguments}: exit code {done.returncode}, not {code} with `{words}`\n{done.stdout}")


def main(compiler, runner):
    runner = pathlib.Path(runner).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        (scratch / "experiment.yaml").write_text(TEXT)
        slow = Experiment(compiler, runner, scratch / "experiment.yaml", scratch)
        first, _, first_folder = slow.run("first")
        fast = Experiment(compiler, runner, scratch / "experiment.yaml", scratch, ["variables.rate=0.2"])
        second, _, second_folder = fast.run("second")
        folders = [first_folder.resolve(), second_folder.resolve()]
        path = scratch / "two runs.html"
        told = call([runner, "--report", scratch / "first/latest", *folders, "--page", path], scratch)
        expect(told == f"report in {path}\n", told)
        page = ElementTree.parse(path).getroot()
        expect(page.find(f"{HTML}head/{HTML}title").text == "2 runs", "one run has come twice")
        for folder, events in zip(folders, (first, second)):
            # Folders that began in the same second have the same name.
            same = folders[0].name == folders[1].name
            check_curves(page, f"{folder.parent.name}/{folder.name}" if same else folder.name, events)
            check_files(page, folder)
            start = json.loads((folder / "provenance.jsonl").read_text())
            for words in (start["program"], start["time"], " ".join(start["command"]), start["hosts"][0]):
                expect(words in text_of(page), f"the page does not say {words}")
        expect('a<b & "c"' in text_of(page), "the model's name is not on the page")
        expect(not any(page.iter(f"{HTML}script")) and "http://" not in path.read_text().replace("http://www.w3.org", ""),
               "the page needs scripts or other files")
        again = call([runner, "--report", *folders], scratch)
        expect(again == "report in report.html\n" and (scratch / "report.html").read_bytes() == path.read_bytes(),
               "the same runs give another page")

        refused(runner, ["--report", scratch], 3, "is not the folder of a run")
        refused(runner, ["--report", scratch / "nothing"], 3, "is not the folder of a run")
        refused(runner, [slow.plan, "--report", folders[0]], 2, "plan")
        refused(runner, ["--report", folders[0], "--steps", 3], 2, "--steps")
        refused(runner, ["--page", "a.html"], 2, "--report")
        refused(runner, [], 2, "plan is required")
        refused(runner, ["--report", folders[0], "--page", scratch / "no" / "page.html"], 3, "page.html")
        (folders[1] / "images/test-code.png").write_bytes(b"")
        refused(runner, ["--report", folders[1], "--page", path], 3, "test-code.png")
        (folders[0] / "plan.bin").write_bytes(b"of another version")
        call([runner, "--report", folders[0], "--page", path], scratch)
        page = ElementTree.parse(path).getroot()
        expect("plan.bin" in text_of(page), "the page does not say why it has no pictures")


if __name__ == "__main__":
    main(*sys.argv[1:])
