"""Jobs on a real Slurm that are cancelled, pre-empted, out of time, on a node that fails, or at fault
themselves: who is to come back does, and ends with the weights of the run that nothing happened to.

  interrupted_jobs_test.py COMPILER RUNNER EXPERIMENT

All of it is Slurm's own but for two things: the time limit is shortened while the job runs, since
Slurm counts whole minutes, and jobs that are back need not wait for two minutes until they start.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from ranks import RankedExperiment, fail  # noqa: E402
from batch_job import BatchJob  # noqa: E402
from virtual_cluster import VirtualCluster, reason_to_skip  # noqa: E402

compiler, runner, experiment = sys.argv[1:]
if reason := reason_to_skip():
    print(f"skipped: {reason}")
    sys.exit(77)


def weights(place):
    files = {path.name: path.read_bytes() for path in (place / "model").glob("*.npy")}
    if not files:
        fail(f"no weights in {place}")
    return files


def uninterrupted(cluster, run):
    place = run.folder / "whole"
    place.mkdir()
    (place / "go").touch()
    done = cluster.call("srun", "--mpi=pmix", "-N2", "--ntasks-per-node=1", run.runner, run.plan,
                        "--threads", 1, "--work-dir", place / "work", "--save-model", place / "model")
    if done.returncode != 0:
        fail(f"srun: {done.returncode}\n{done.stdout}{done.stderr}")
    return weights(place)


def shorten_time(cluster, job):
    """90 seconds before this limit lies in the past: Slurm warns when it looks next."""
    cluster.call("scontrol", "update", f"JobId={job.number}", "TimeLimit=2")


def cancel(cluster, job):
    cluster.call("scancel", job.number)


def pre_empt(cluster, job):
    """A job of a partition with a higher priority takes the nodes."""
    done = cluster.call("sbatch", "--partition=urgent", "--exclusive", "--output=/dev/null",
                        f"--nodelist={','.join(job.nodes())}", "--wrap=true")
    if done.returncode != 0:
        fail(f"sbatch: {done.stderr}")


def fail_node(cluster, node):
    """Slurm is told at once what it would find out after SlurmdTimeout."""
    cluster.call("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=test")


def lose_node(cluster, job):
    fail_node(cluster, job.nodes()[1])


def switch_off_node(cluster, job):
    """Slurm does not know of it: the step fails first."""
    cluster.switch_off(job.nodes()[1])


def be_at_fault(cluster, job):
    (job.place / "fail").touch()


KEPT = ("--checkpoint-every", "1 epoch")
COME_BACK = {"out of time": (shorten_time, ()), "pre-empted": (pre_empt, KEPT),
             "pre-empted with a grace time": (pre_empt, (*KEPT, "--partition", "graced")),
             "on a node that is down": (lose_node, KEPT),
             "on a node that is switched off": (switch_off_node, KEPT)}
END = {"cancelled": (cancel, "CANCELLED"), "at fault": (be_at_fault, "FAILED")}


def submit(cluster, run, name, *options):
    return BatchJob(cluster, run, name, *options, ranks=1, sbatch=["--exclusive"])


def check_end(job, state):
    job.wait_for(state)
    if job.asked("Restarts") != "0" or "resumed from" in job.output():
        fail(f"has come back: {job}")
    if state == "CANCELLED" and not job.checkpoints():
        fail(f"has left no checkpoint: {job}")
    print(f"a job that is {job.name} ends {state}")


def check_return(job, before, expected):
    (job.place / "go").touch()
    job.wait_for("COMPLETED")
    if "resumed from" not in job.output() or len(job.runs()) != 1:
        fail(f"has not gone on in its folder: {job.runs()} {job}")
    if weights(job.place) != expected:
        fail(f"ends with other weights: {job}")
    print(f"a job that is {job.name} comes back and ends equal; first on {before}, then on {job.nodes()}")


def main(cluster, run):
    back = {name: submit(cluster, run, name, *options) for name, (_, options) in COME_BACK.items()}
    end = {name: submit(cluster, run, name) for name in END}
    for name, job in {**back, **end}.items():
        job.wait_until(job.checkpoints if KEPT[0] in COME_BACK.get(name, ((), ()))[1] else job.trains,
                       "does not train")
    before = {name: job.nodes() for name, job in back.items()}
    for name, job in {**back, **end}.items():
        {**COME_BACK, **END}[name][0](cluster, job)
    for name, job in end.items():
        check_end(job, END[name][1])
    expected = uninterrupted(cluster, run)
    for name in reversed(back):  # the time limit takes longest
        back[name].comes_back()
        if name == "on a node that is switched off":
            fail_node(cluster, before[name][1])
    for name in reversed(back):
        check_return(back[name], before[name], expected)


with tempfile.TemporaryDirectory() as folder:
    top = pathlib.Path(folder)
    (top / "cluster").mkdir()
    (top / "run").mkdir()
    run = RankedExperiment(compiler, runner, experiment, top / "run")
    with VirtualCluster(top / "cluster", nodes=16) as cluster:
        main(cluster, run)
