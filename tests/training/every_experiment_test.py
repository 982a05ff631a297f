"""Every experiment is listed, compiles as it is written, data or not, and trains a few steps.

  every_experiment_test.py COMPILER RUNNER EXPERIMENTS

Experiments on MNIST's files, on photographs, texts and others run on files made here, of the same formats.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import small_experiments
from hdf5_files import make_shots
from molecule_files import make_molecules
from mnist_files import make_mnist
from picture_files import make_pictures
from run_experiment import Experiment, call, fail, losses

compiler, runner, top = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

# Editors find the schema of the language by the first line.
found = sorted(path for ending in ("yaml", "toml") for path in top.glob(f"*/*.{ending}"))
for path in found:
    modeline = path.read_text().splitlines()[0]
    prefix = "#:schema " if path.suffix == ".toml" else "# yaml-language-server: $schema="
    if not modeline.startswith(prefix) or not (path.parent / modeline[len(prefix):]).is_file():
        fail(f"{path}: the first line names no schema: {modeline}")

listed = [line.strip().strip("',") for line in (top / "meson.build").read_text().splitlines()
          if line.strip().endswith((".yaml',", ".toml',"))]
if sorted(listed) != sorted(str(path.relative_to(top)) for path in found):
    fail(f"experiments/meson.build lists {sorted(listed)}, there are {found}")

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    make_mnist(folder / "mnist")
    for part, each in (("train", 4), ("val", 1)):
        make_pictures(folder / "pictures" / part, 10, each)
    (folder / "text.txt").write_text("the cat chat " * 60)
    molecules = make_molecules(folder, 44)
    shots = make_shots(pathlib.Path(compiler).resolve(), pathlib.Path(runner).resolve(), folder, 22)
    for number, name in enumerate(listed):
        text = small_experiments.text_of(top / name)
        settings = small_experiments.settings(name)
        if "- mnist:" in text:
            settings.append(f"variables.data={folder / 'mnist'}")
        if "- image_folder:" in text:
            settings.append(f"variables.data={folder / 'pictures'}")
        if "- text:" in text:
            settings.append(f"variables.text={folder / 'text.txt'}")
        if "- smiles:" in text:
            settings += molecules
        if "- hdf5:" in text:
            settings += shots
        call([pathlib.Path(compiler).resolve(), (top / name).resolve(), "-o", "written.bin"], folder)
        place = folder / str(number)
        place.mkdir()
        # Steps of one work go on from the weights of the step before.
        if "\n  pretrained:" in text:
            settings.append(f"variables.pretrained={saved}")
        events, _, run = Experiment(compiler, runner, top / name, place, settings).run(
            "run", "--steps", "5", "--data-root", folder)
        saved = run / "model"
        values = losses(events)
        if len(values) < 3 or any(value is None for value in values) or values[0] == values[-1]:
            fail(f"{name}: losses {values}")
        print(f"{name}: {len(values)} steps, objective {values[0]:.4g} to {values[-1]:.4g}")
