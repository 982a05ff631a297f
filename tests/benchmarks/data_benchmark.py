"""How fast data is read, beside others that read the same files.

  data_benchmark.py COMPILER RUNNER READ_BENCHMARK [jpeg|waits|npy|hdf5]...
  meson test -C BUILD --benchmark --verbose data [--test-args 'PART...']

jpeg   JPEGs, random_resized_crop to 224 x 224, flip and normalisation on 2 threads, beside PyTorch's DataLoader with
       Pillow and 2 workers (torch_images.py), in alternating pairs
waits  a ResNet-18 on 2,000 JPEGs: the part of its time that steps wait for data
npy    an .npy file larger than what is kept in memory, in its order and not in the page cache, beside `dd`
hdf5   the same of a dataset of an HDF5 file, contiguous and not packed

LBANN_BENCHMARK_ROUNDS=N   pairs; LBANN_BENCHMARK_PYTHON=PYTHON   one with PyTorch and Pillow (/usr/bin/python3)
"""
import array
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

compiler, runner, read_benchmark, *parts = sys.argv[1:]
rounds = int(os.environ.get("LBANN_BENCHMARK_ROUNDS", "5"))
python = os.environ.get("LBANN_BENCHMARK_PYTHON", "/usr/bin/python3")
here = pathlib.Path(__file__).resolve().parent
PICTURES = """
import pathlib, sys, numpy
from PIL import Image
for number in range(int(sys.argv[2])):
    random = numpy.random.RandomState(number)
    height, width = random.randint(320, 420), random.randint(420, 560)
    coarse = random.randint(0, 256, (height // 12, width // 12, 3)).astype('uint8')
    smooth = numpy.asarray(Image.fromarray(coarse).resize((width, height), Image.BICUBIC)).astype(int)
    folder = pathlib.Path(sys.argv[1], f'class{number % 10}')
    folder.mkdir(parents=True, exist_ok=True)
    noisy = (smooth + random.randint(-6, 7, smooth.shape)).clip(0, 255).astype('uint8')
    Image.fromarray(noisy).save(folder / f'{number}.jpg', quality=90)
"""
READER = """
  - image_folder:
      role: train
      data_filedir: pictures
      shuffle: true
      transforms:
        - random_resized_crop: {height: 224, width: 224}
        - horizontal_flip: {p: 0.5}
        - normalize_to_lbann_layout: {means: [0.485, 0.456, 0.406], stddevs: [0.229, 0.224, 0.225]}
"""
SMALL_MODEL = """
model:
  layers:
    - input: {name: values, data_field: samples}
    - fully_connected: {name: sum, num_neurons: 1}
    - identity: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0}}
"""


def has(module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def compiled(folder, text, *settings):
    (folder / "experiment.yaml").write_text(text)
    plan = folder / "plan.bin"
    subprocess.run([compiler, folder / "experiment.yaml", "--data-root", folder, *settings, "-o", plan], check=True)
    return plan


def result_of(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def make_pictures(folder, count):
    subprocess.run([python, "-c", PICTURES, folder / "pictures", str(count)], check=True)
    size = sum(file.stat().st_size for file in (folder / "pictures").rglob("*.jpg"))
    print(f"{count} JPEGs of {size / count / 1000:.0f} KB, about 490 x 370 pixels")


def pairs_of(one, other, value):
    """Runs both in turn, in the opposite order every other round: the values of each."""
    found = ([], [])
    for number in range(rounds):
        order = ((0, one), (1, other)) if number % 2 == 0 else ((1, other), (0, one))
        for which, command in order:
            found[which].append(result_of(*command)[value])
    return found


def say_pairs(ours, theirs, unit, whose):
    ratios = sorted(a / b for a, b in zip(ours, theirs))
    print(f"ours {statistics.median(ours):.0f} {unit}, {whose} {statistics.median(theirs):.0f}; ratio "
          f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} pairs)")


def jpeg(folder):
    if not has("torch, PIL, numpy"):
        print(f"skipped: {python} has no PyTorch and Pillow")
        return
    make_pictures(folder, 400)
    plan = compiled(folder, "trainer: {mini_batch_size: 32, training_algorithm: {sgd: {max_epochs: 1}}}\ndata_reader:"
                    + READER + SMALL_MODEL)
    ours, theirs = pairs_of((read_benchmark, plan, folder, 2, 3),
                            (python, here / "torch_images.py", folder / "pictures", 2, 32), "samples_s")
    say_pairs(ours, theirs, "images/s", "PyTorch")


def waits(folder):
    if not has("PIL, numpy"):
        print(f"skipped: {python} has no Pillow")
        return
    make_pictures(folder, 2000)
    resnet = (here.parent.parent / "experiments" / "resnet" / "experiment.yaml").read_text()
    begin, end = resnet.index("data_reader:"), resnet.index("model:\n")
    plan = compiled(folder, resnet[:begin] + "data_reader:" + READER + resnet[end:], "--set", "variables.depth=18",
                    "--set", "variables.classes=10", "--set", "trainer.training_algorithm.sgd.max_epochs=1")
    done = subprocess.run([runner, plan, "--data-root", folder, "--work-dir", folder / "runs"], text=True, check=True,
                          stdout=subprocess.PIPE)
    for line in done.stdout.splitlines():
        if re.match("threads|data  |steps waited", line):
            print(line)


def beside_dd(folder, path, reader):
    size = path.stat().st_size
    plan = compiled(folder, "trainer: {mini_batch_size: 64, training_algorithm: {sgd: {max_epochs: 1}}}\ndata_reader:\n"
                    + reader + SMALL_MODEL)

    def forget():
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def ours():
        forget()
        return size / result_of(read_benchmark, plan, folder, 2, 1)["seconds"] / 1e6

    def theirs():
        forget()
        begin = time.perf_counter()
        subprocess.run(["dd", f"if={path}", "of=/dev/null", "bs=1M"], check=True, stderr=subprocess.DEVNULL)
        return size / (time.perf_counter() - begin) / 1e6

    found = ([], [])
    for number in range(rounds):
        for which, read in ((0, ours), (1, theirs)) if number % 2 == 0 else ((1, theirs), (0, ours)):
            found[which].append(read())
    print(f"{path.name} of {size / 1e6:.0f} MB")
    say_pairs(*found, "MB/s", "dd")


def npy(folder):
    rows, columns = 1 << 13, 1 << 14
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    with open(folder / "values.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
        row = array.array("f", range(columns)).tobytes()
        for _ in range(rows):
            file.write(row)
    beside_dd(folder, folder / "values.npy", "  - numpy: {role: train, data_filename: values.npy}\n")


def hdf5(folder):
    if not has("h5py, numpy"):
        print(f"skipped: {python} has no h5py")
        return
    write = ("import h5py, numpy, sys\n"
             "with h5py.File(sys.argv[1], 'w') as file:\n"
             "    data = file.create_dataset('full', (8192, 16384), 'f4')\n"
             "    for i in range(8192): data[i] = numpy.arange(16384)\n")
    subprocess.run([python, "-c", write, folder / "values.h5"], check=True)
    beside_dd(folder, folder / "values.h5", "  - hdf5: {role: train, data_file_pattern: values.h5, "
              "one_sample_per_file: false, disable_responses: true}\n")


for part in parts or ["jpeg", "waits", "npy", "hdf5"]:
    print(f"--- {part}")
    with tempfile.TemporaryDirectory(dir=os.environ.get("LBANN_BENCHMARK_FOLDER")) as scratch:
        {"jpeg": jpeg, "waits": waits, "npy": npy, "hdf5": hdf5}[part](pathlib.Path(scratch))
