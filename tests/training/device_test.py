"""--device goes on as the program that was built for it, with the same arguments, or says that there is none; --tf32 says
where it changes nothing.

  device_test.py RUNNER COMPILER
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from run_experiment import fail

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name).resolve()
    runner, other = folder / "lbann-run", folder / "lbann-run-cuda"
    shutil.copy(sys.argv[1], runner)

    def check(device, code, words):
        done = subprocess.run([runner, "--device", device, "no plan.bin", "--quiet"], capture_output=True, text=True)
        text = done.stdout + done.stderr
        if done.returncode != code or words not in text:
            fail(f"--device {device}: exit code {done.returncode} instead of {code}, {words!r} not in {text!r}")

    check("cuda", 2, f"--device cuda: there is no {other}; build it with -Ddevice=cuda")
    for device in ("cpu", "auto"):
        check(device, 3, "no plan.bin: cannot be opened")
    other.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n")
    other.chmod(0o755)
    check("cuda", 7, "<--device><cuda><no plan.bin><--quiet>")
    check("cpu", 3, "no plan.bin: cannot be opened")
    if not pathlib.Path("/dev/nvidiactl").exists():
        check("auto", 3, "no plan.bin: cannot be opened")
    other.write_text("neither a script nor a program")
    check("cuda", 2, f"{other} cannot be executed: Exec format error")

    experiment = pathlib.Path(__file__).resolve().parents[2] / "experiments/lenet_digits/experiment.yaml"
    subprocess.run([sys.argv[2], experiment, "-o", folder / "plan.bin"], check=True, capture_output=True)
    for options, told in ((["--tf32"], True), ([], False)):
        done = subprocess.run([runner, "--device", "cpu", "plan.bin", "--steps", "1", *options], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode != 0 or ("device : --tf32 changes nothing, CPUs compute in f32" in done.stdout) != told:
            fail(f"{options}: exit code {done.returncode}, {done.stdout}{done.stderr}")
