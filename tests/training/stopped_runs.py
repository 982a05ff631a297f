"""Runs of resume.yaml that are stopped and resumed: how they are started, what they leave, whether that is right."""
import json
import subprocess

from ranks import fail, mpirun
from hang_guard import HANG_GUARD


def launch(count, command):
    if count == 1:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=HANG_GUARD)
    return mpirun(count, command)


def run_folder(base):
    # A turn that was killed before its first checkpoint has left a folder without one.
    folders = [path for path in base.glob("resumed_*") if checkpoints_of(path)]
    if len(folders) != 1:
        fail(f"expected one run in {base}, found {folders}")
    return folders[0]


def checkpoints_of(folder):
    """In the folder of the run, or where --ckpt_dir of this test says."""
    places = [folder / "checkpoints", folder.parent / "elsewhere" / folder.name]
    return sorted(path for place in places for path in place.glob("step_*")
                  if path.name[5:].isdigit() and (path / "manifest.json").exists())


def checkpoints(base):
    return checkpoints_of(run_folder(base))


def lines(base):
    """The lines of metrics.jsonl, without times."""
    events = [json.loads(line) for line in (run_folder(base) / "metrics.jsonl").read_text().splitlines()]
    for event in events:
        event.pop("seconds")
        event.pop("waited")
    return events


def outcome(base):
    """All that a run leaves: files of callbacks, weights, metrics, the state it ended with."""
    run = run_folder(base)
    files = {str(path.relative_to(top)): path.read_bytes() for top in (run, base / "model")
             for path in sorted(top.rglob("*")) if path.is_file()
             and path.relative_to(top).parts[0] not in ("log", "metrics.jsonl", "provenance.jsonl", "plan.bin", "checkpoints")}
    if not any("dumped" in name for name in files) or not any(name.startswith("confusion_") for name in files):
        fail(f"no files of callbacks: {sorted(files)}")
    return files, lines(base), (checkpoints(base)[-1] / "state.safetensors").read_bytes()


def compare(name, base, expected):
    for what, got, wanted in zip(("files of callbacks or weights", "metrics.jsonl", "state"), outcome(base), expected):
        if got != wanted:
            detail = sorted(got.items() ^ wanted.items())[:1] if isinstance(got, dict) else ""
            fail(f"{name}: {what} differ from those of the run that was not stopped {detail}")


def command(run, base, *options):
    return [run.runner, run.plan, "--threads", 1, "--work-dir", base, "--save-model", base / "model", *options]
