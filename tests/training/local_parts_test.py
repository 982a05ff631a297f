"""Checkpoints whose parts lie on disks of nodes when a job ends: a resume brings them together.

  local_parts_test.py COMPILER RUNNER EXPERIMENT SHIM [--ranks]

The file system of checkpoints is full, so that parts stay where they are.
"""
import errno
import os
import re
import shutil
import sys
import tempfile

from ranks import RankedExperiment, fail
from stopped_runs import checkpoints_of, command, compare, launch, outcome

compiler, runner, experiment, shim, *several = sys.argv[1:]
EVERY = ["--checkpoint-every", "1 step"]


def check(name, done, code=0):
    if done.returncode != code:
        fail(f"{name}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def local(base):
    return ["--local-dir", base / "local"]


def parts(base):
    return sorted(path.relative_to(base / "local") for path in (base / "local").rglob("manifest.json"))


def leave_parts(run, ranks, base, steps=""):
    """There is no space in the folder of checkpoints for those of steps that begin with these digits."""
    base.mkdir()
    environment = {"LD_PRELOAD": shim, "STORAGE_ROOT": str(base), "STORAGE_ONLY": f"/checkpoints/step_{steps}",
                   "STORAGE_FAIL": f"0:1:1000000:{errno.ENOSPC}"}
    words = ["env", *(f"{name}={value}" for name, value in environment.items()), *command(run, base, *EVERY, *local(base))]
    return launch(ranks, words)


def resume(run, ranks, base, expected, words):
    text = check("resume", launch(ranks, command(run, base, "--resume", *EVERY, *local(base))))
    for wanted in words:
        if not re.search(wanted, text):
            fail(f"{ranks} ranks: no {wanted!r} in\n{text}")
    if expected:
        compare(f"{ranks} ranks", base, expected)
    if parts(base):
        fail(f"left behind: {parts(base)}")


def check_ranks(run, ranks):
    whole = run.folder / f"whole{ranks}"
    check("whole run", launch(ranks, command(run, whole, *EVERY)))
    expected = outcome(whole)

    # There is no older checkpoint: training stops, and the parts stay.
    base = run.folder / f"left{ranks}"
    text = check("no place for checkpoints", leave_parts(run, ranks, base), 3)
    if os.strerror(errno.ENOSPC) not in text or len(parts(base)) != ranks:
        fail(f"{ranks} ranks: {parts(base)}\n{text}")
    step = int(parts(base)[0].parent.name[5:])
    kept = run.folder / "kept"
    shutil.copytree(base, kept, symlinks=True)
    resume(run, ranks, base, expected, ["brought from local folders: ", f"resumed from .*: {step} steps"])

    def again():
        shutil.rmtree(base)
        shutil.copytree(kept, base, symlinks=True)

    if several:
        again()
        resume(run, 3 - ranks, base, None, ["brought from local folders: ", f"resumed from .*: {step} steps"])

    # A node that is gone takes its parts with it.
    again()
    shutil.rmtree(base / "local" / parts(base)[-1].parts[0] / f"rank_{ranks - 1}")
    text = check("a part is gone", launch(ranks, command(run, base, "--resume", *EVERY, *local(base))))
    if "nothing to resume" not in text:
        fail(text)

    # A damaged part is named.
    again()
    chunks = (base / "local" / parts(base)[0]).parent / "chunks.bin"
    content = bytearray(chunks.read_bytes())
    content[100] ^= 1
    chunks.write_bytes(content)
    text = check("a damaged part", launch(ranks, command(run, base, "--resume", *EVERY, *local(base))), 3)
    if f"{chunks}: is damaged" not in text:
        fail(text)
    shutil.rmtree(kept)

    # With an older checkpoint training goes on, and at most two of each rank are kept. Which steps have one depends on
    # timing; the first and the last always have.
    base = run.folder / f"older{ranks}"
    text = check("a full disk later", leave_parts(run, ranks, base, checkpoints_of((whole / "latest").resolve())[-1].name[5:-1]))
    if "training goes on" not in text or not ranks <= len(parts(base)) <= 2 * ranks:
        fail(f"{ranks} ranks: {parts(base)}\n{text}")
    if checkpoints_of((base / "latest").resolve())[-1].name == parts(base)[-1].parent.name:
        fail("the last part is drained")
    resume(run, ranks, base, expected, ["brought from local folders: "])
    print(f"{ranks} ranks: parts are brought together")


def check_no_local_folder(run, ranks):
    """Checkpoints go to their folder at once."""
    base = run.folder / f"none{ranks}"
    base.mkdir()
    (base / "local").write_text("a file")
    text = check("no local folder", launch(ranks, command(run, base, *EVERY, *local(base))))
    if "warning: the checkpoint is written without the local folder: " not in text:
        fail(text)
    compare(f"{ranks} ranks", base, outcome(run.folder / f"whole{ranks}"))


with tempfile.TemporaryDirectory() as scratch:
    run = RankedExperiment(compiler, runner, experiment, scratch)
    for count in (1, 2) if several else (1,):
        check_ranks(run, count)
        check_no_local_folder(run, count)
