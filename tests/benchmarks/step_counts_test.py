"""What a training step of each network of docs/performance.md does, counted: a guard against slower programs that needs
no clock. A count of step_counts.txt that falls is to be accepted as well as one that rises, so that gains are kept.

  step_counts_test.py COMPILER RUNNER EXCHANGED_BYTES

The last column are bytes that change hands between two threads (exchanged_bytes.cpp); those of large networks would take
half a minute.
Synchronisations and these bytes depend on the extents of register tiles: they are compared where vectors have 512 bits,
and of networks in bf16 where there are no tile registers (AMX), with which other kernels run.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "support")]
from training_benchmark import compile_both, networks  # noqa: E402
from expected import difference  # noqa: E402

HEAD = "network instructions operations bytes synchronisations exchanged"
compiler, runner, exchanged_bytes = sys.argv[1:]
large = ("resnet50", "resnet50_bf16")
expected = here / "step_counts.txt"


def counts(name, network, folder):
    """A line of `step_counts.txt`."""
    plans, _ = compile_both(compiler, runner, network, name, folder)
    # No validation or test is reached.
    _, output, _ = plans["ours"].run("run", "--threads", "2", "--steps", "2", "--profile")
    found = re.search(r"profile of `train`, .* in (\d+) instructions, .*\n"
                      r"in a run: (\d+) operations, (\d+) bytes of inputs and outputs, (\d+) synch", output)
    if not found:
        sys.exit(f"{name}: no counts in\n{output}")
    return " ".join([name, *found.groups(), "-" if name in large else exchanged(plans["ours"].plan, network.batch)])


def exchanged(plan, batch):
    told = subprocess.run([exchanged_bytes, plan, str(batch), "2"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return str(sum(int(count) for count in re.search(r"(\d+) bytes read, (\d+) overwritten", told).groups()))


def about_equal(a, b):
    """Whether bytes that change hands differ by a few pages, as where a single number has got another place."""
    return a.isdigit() and b.isdigit() and abs(int(a) - int(b)) <= 16 * 4096


def wide_vectors():
    """Whether the kernels of this build use them."""
    versions = subprocess.run([runner, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return " avx512f" in re.search(r"instruction set: .*", versions).group()


def tile_registers():
    return "amx_bf16" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")


lines = [HEAD]
for name, network in networks.items():
    with tempfile.TemporaryDirectory() as folder:
        lines.append(counts(name, network, pathlib.Path(folder)))
        print(lines[-1], flush=True)
wide, tiles = wide_vectors(), tile_registers()
known = {line.split()[0]: line.split()[-2:] for line in expected.read_text(encoding="utf-8").splitlines()}
for i, line in enumerate(lines[1:], 1):
    name, *numbers = line.split()
    if not wide or (tiles and name.endswith("_bf16")):
        print(f"{name}: synchronisations and exchanged bytes are not compared on this processor")
        lines[i] = " ".join([name, *numbers[:-2], *known.get(name, "??")])
    elif about_equal(numbers[-1], known.get(name, "-?")[-1]):
        lines[i] = " ".join([name, *numbers[:-1], known[name][-1]])
sys.exit(difference(expected, "\n".join(lines) + "\n") or 0)
