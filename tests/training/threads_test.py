"""Where the threads of a run may run, for every way a job can restrict and bind them.

  threads_test.py COMPILER RUNNER EXPERIMENT [mpi]

Threads of a rank that are bound are on different cores, ranks of a node that are not bound by their launcher divide
its cores, threads for data may use all cores of their rank, and no way of binding changes how many cores are counted.
"""
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from run_experiment import Experiment, fail
from hang_guard import HANG_GUARD
from sanitized import is_sanitized

cores = sorted(os.sched_getaffinity(0))
# Variables of a user's own must not decide what is tested.
clean = {key: value for key, value in os.environ.items() if not re.match("(OMP|GOMP|KMP|OPENBLAS)_", key)}


def as_set(text):
    """"0-2,5" as {0, 1, 2, 5}."""
    found = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def threads_of(process):
    """Name of each thread, and the cores it may run on."""
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        status = (task / "status").read_text()
        name = re.search(r"^Name:\t(.*)$", status, re.M).group(1)
        found.append((name, as_set(re.search(r"^Cpus_allowed_list:\t(.*)$", status, re.M).group(1))))
    return found


def runners(top):
    """Processes of lbann-run with this work directory, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if str(top).encode() in words and words[0].endswith(b"lbann-run"):
            rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", environment)
            found[int(rank.group(1)) if rank else 0] = int(entry.name)
    return found


def look(run, name, ranks=1, before=(), environment=None, options=(), restrict=None):
    """Threads of each rank while it trains, and what it said of them."""
    top = run.folder / name.replace(" ", "_").replace("=", "_")
    launcher = ["mpirun", "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
    process = subprocess.Popen(
        [*before, *launcher, run.runner, run.plan, "--work-dir", top, *options], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env={**clean, **(environment or {})}, preexec_fn=restrict)
    deadline = time.monotonic() + HANG_GUARD
    while not any(path.stat().st_size > 0 for path in top.glob("latest/metrics.jsonl")):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            fail(f"{name}: no step was made\n{process.stdout.read()}")
        time.sleep(0.05)
    found = {rank: threads_of(number) for rank, number in runners(top).items()}
    for number in runners(top).values():
        os.kill(number, signal.SIGINT)
    text = process.communicate(timeout=HANG_GUARD)[0]
    if len(found) != ranks:
        fail(f"{name}: found ranks {sorted(found)}\n{text}")
    said = re.search(r"^threads : .*$", text, re.M)
    if said is None:
        fail(f"{name}: nothing was said of threads\n{text}")
    return found, said.group(0)


def computing(threads, process_name="lbann-run"):
    """Cores of the first thread and of those named after what they do; and cores of data threads."""
    compute = [cores for name, cores in threads if name.startswith("compute")]
    data = [cores for name, cores in threads if name.startswith("data")]
    return compute, data


def check_bound(name, threads, count, within):
    compute, data = computing(threads)
    first = [allowed for thread, allowed in threads if len(allowed) == 1 and thread == "lbann-run"]
    places = compute + first[:1]
    if len(places) != count or any(len(place) != 1 for place in places) or len(set().union(*places)) != count:
        fail(f"{name}: {count} threads are bound to {places}")
    if any(not place <= within for place in places) or not data or any(allowed != within for allowed in data):
        fail(f"{name}: within {within}, computing on {places}, data on {data}")


def check_free(name, threads, count, within):
    compute, data = computing(threads)
    if len(compute) != count - 1 or any(allowed != within for allowed in compute + data):
        fail(f"{name}: {count} threads within {within}, but {compute}, data {data}")


def main():
    compiler, runner, experiment, *rest = sys.argv[1:]
    if len(cores) < 2:
        print("skipped: threads are bound to different cores, and this process may use one only")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        run = Experiment(compiler, runner, experiment, folder, ["variables.epochs=1000000"])
        count = min(len(cores), 3)
        everything, two = set(cores), set(cores[:2])
        options = ["--threads", count]
        options = [str(option) for option in options]

        free = {"nothing said": {}, "OMP_PROC_BIND=false": {"OMP_PROC_BIND": "false"}}
        if b"libomp.so" not in pathlib.Path(runner).read_bytes():  # the OpenMP that heeds it
            free["KMP_AFFINITY"] = {"KMP_AFFINITY": "granularity=fine,compact"}
        for name, environment in free.items():
            found, said = look(run, name, environment=environment, options=options)
            check_free(name, found[0], count, everything)
            print(f"{name}: {said}")
        for name, environment in (
                ("OMP_PROC_BIND=true", {"OMP_PROC_BIND": "true"}),
                ("OMP_PROC_BIND=close", {"OMP_PROC_BIND": "close"}),
                ("OMP_PROC_BIND=spread", {"OMP_PROC_BIND": "spread"}),
                ("OMP_PLACES=threads", {"OMP_PLACES": "threads"}),
                ("OMP_PLACES with OMP_PROC_BIND", {"OMP_PLACES": "cores", "OMP_PROC_BIND": "spread"})):
            found, said = look(run, name, environment=environment, options=options)
            check_bound(name, found[0], count, everything)
            if f"of {len(cores)} cores" not in said:
                fail(f"{name}: {len(cores)} cores are there: {said}")
            print(f"{name}: {said}")
        listed = "{%d},{%d}" % tuple(cores[:2])
        name = f"OMP_PLACES={listed}"
        found, said = look(run, "listed places", environment={"OMP_PLACES": listed, "OMP_PROC_BIND": "true"},
                           options=["--threads", "2"])
        check_bound(name, found[0], 2, two)
        print(f"{name}: {said}")

        for bind in ("false", "true"):
            name = f"taskset and OMP_PROC_BIND={bind}"
            found, said = look(run, name, environment={"OMP_PROC_BIND": bind},
                               before=["taskset", "-c", str(cores[1])])
            if any(allowed != {cores[1]} for _, allowed in found[0]) or "1 rank on this node of 1 core," not in said:
                fail(f"{name}: {said} {found[0]}")
            print(f"{name}: {said}")

        once = run.folder / "once"
        once.mkdir()
        extremes(Experiment(compiler, runner, experiment, once, ["variables.epochs=1"]))
        control_groups(run)
        if rest == ["mpi"]:
            several_ranks(run)


def extremes(run):
    """Numbers of threads that no machine has, and ones that the system does not give."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    for name, options, environment, limits, code, words in (
            ("4096 threads", ["--threads", "4096"], {}, None, 0, "each 4096 to compute"),
            ("4097 threads", ["--threads", "4097"], {}, None, 2, "4096"),
            ("OMP_NUM_THREADS=1000000", [], {"OMP_NUM_THREADS": "1000000"}, None, 2, "at most 4096"),
            ("1000 threads in 3 GiB", ["--threads", "1000"], {}, limited, 1, "no 1000 threads can be started")):
        if limits and is_sanitized(run.runner):
            continue  # sanitizers map terabytes
        done = subprocess.run([run.runner, run.plan, "--work-dir", run.folder / "extremes", "--steps", "1",
                               *options], capture_output=True, text=True,
                              env={**clean, **environment}, preexec_fn=limits, timeout=HANG_GUARD)
        if done.returncode != code or words not in done.stdout + done.stderr:
            fail(f"{name}: exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr}")
        print(f"{name}: exit code {code}")


def control_groups(run):
    """A group of one core, and one of one core's time; where this machine lets us make some."""
    for name, base, values, words in (
            ("cpuset", "cpuset", {"cpuset.cpus": cores[1], "cpuset.mems": 0}, "of 1 core,"),
            ("cpu time", "cpu", {"cpu.cfs_period_us": 100000, "cpu.cfs_quota_us": 100000}, "of 1 core,")):
        group = pathlib.Path("/sys/fs/cgroup") / base / f"lbann_test_{os.getpid()}"
        try:
            group.mkdir()
        except OSError as error:
            print(f"a control group of {name} was not tried: {error}")
            continue
        try:
            for file, value in values.items():
                (group / file).write_text(f"{value}\n")
            tasks = group / "cgroup.procs"
            found, said = look(run, f"control group of {name}", environment={"OMP_PROC_BIND": "true"},
                               restrict=lambda: tasks.write_text(f"{os.getpid()}\n"))
            if words not in said:
                fail(f"control group of {name}: {said}")
            print(f"control group of {name}: {said}")
        finally:
            group.rmdir()


def several_ranks(run):
    """Two ranks that their launcher has not bound."""
    half = len(cores) // 2
    for name, environment in (("nothing said", {}), ("OMP_PROC_BIND=true", {"OMP_PROC_BIND": "true"})):
        found, said = look(run, f"two ranks {name}", ranks=2, environment=environment,
                           options=["--threads", str(half)])
        within = [set(cores[:half]), set(cores[half:2 * half])]
        for rank, threads in found.items():
            own = set().union(*(allowed for thread, allowed in threads if thread.startswith(("compute", "data"))))
            if len(cores) % 2 == 0 and own != within[rank]:
                fail(f"two ranks, {name}: rank {rank} on {own}, not {within[rank]}")
            others = set().union(*(allowed for thread, allowed in found[1 - rank] if thread.startswith(("compute", "data"))))
            if own & others:
                fail(f"two ranks, {name}: both use {own & others}")
        print(f"two ranks, {name}: {said}")


main()
