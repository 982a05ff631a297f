"""A real Slurm on four virtual nodes: steps of srun, a job of sbatch, one that is warned and requeued.

  slurm_test.py COMPILER RUNNER EXPERIMENT
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from ranks import RankedExperiment, events, fail, values_of, weights, worst_values  # noqa: E402
from ranks import worst_weights  # noqa: E402
from virtual_cluster import VirtualCluster, reason_to_skip  # noqa: E402

compiler, runner, experiment = sys.argv[1:]
if reason := reason_to_skip():
    print(f"skipped: {reason}")
    sys.exit(77)


def srun_equals_one_rank(cluster, run):
    alone = run.run_on(1, "--threads", 1)
    top = run.folder / "srun"
    done = cluster.call("srun", "--mpi=pmix", "-N4", "--ntasks-per-node=2", run.runner, run.plan,
                        "--threads", 1, "--work-dir", top, "--save-model", top / "model")
    if done.returncode != 0:
        fail(f"srun: {done.returncode}\n{done.stdout}{done.stderr}")
    worst = max(worst_values(values_of(events(top)), values_of(events(alone))),
                worst_weights(weights(top), weights(alone)))
    print(f"8 ranks on 4 nodes: {worst:.2g} from one rank")
    if not worst <= 1e-9:
        fail("more than 1e-9 from one rank")


def refused_without_pmix(cluster, run):
    done = cluster.call("srun", "--mpi=none", "-N2", "-n2", run.runner, run.plan,
                        "--work-dir", run.folder / "never")
    told = [line for line in done.stderr.splitlines() if "lbann-run: error:" in line]
    if done.returncode == 0 or len(told) != 1 or "srun --mpi=pmix -n 2" not in told[0]:
        fail(f"without pmix: {done.returncode}\n{done.stderr}")
    print(told[0])


def batch_job(cluster, run, name, *options):
    """Submits the script that lbann-run writes; gives its number and its folder."""
    place = run.folder / name
    place.mkdir()
    script = cluster.call(run.runner, run.plan, "--batch-script", "slurm", "--nodes", 2,
                          "--procs-per-node", 2, "--time-limit", 10, "--threads", 1, "--work-dir",
                          place / "work", "--save-model", place / "model", *options)
    if script.returncode != 0:
        fail(script.stderr)
    (place / "job.sh").write_text(script.stdout)
    done = cluster.call("sbatch", "--parsable", "--output", place / "output", place / "job.sh",
                        cwd=place)
    if done.returncode != 0:
        fail(f"sbatch: {done.stderr}")
    return done.stdout.strip(), place


def state(cluster, job):
    for word in cluster.call("scontrol", "show", "job", job).stdout.split():
        if word.startswith("JobState="):
            return word[9:]
    return ""


def job_completes(cluster, run):
    job, place = batch_job(cluster, run, "batch")
    if not cluster.wait_until(lambda: state(cluster, job) in ("COMPLETED", "FAILED")) or \
            state(cluster, job) != "COMPLETED" or not list((place / "model").glob("*.npy")):
        fail(f"job {job}: {state(cluster, job)}\n{(place / 'output').read_text()}")
    print("a job of sbatch has saved its model")


def job_is_requeued(cluster, run):
    endless = run.folder / "endless"
    endless.mkdir()
    long = RankedExperiment(compiler, runner, experiment, endless,
                            ["trainer.training_algorithm.sgd.max_epochs=1000000"])
    job, place = batch_job(cluster, long, "warned")
    runs = lambda: list(place.glob("work/*_*/metrics.jsonl"))  # noqa: E731
    if not cluster.wait_until(lambda: runs() and runs()[0].stat().st_size > 0):
        fail(f"the job does not start: {cluster.jobs()}")
    cluster.call("scancel", "--signal=USR1", job)  # as pre-emption does
    waits = lambda: "Restarts=1" in cluster.call("scontrol", "show", "job", job).stdout  # noqa: E731
    cluster.wait_until(waits)
    # Slurm lets a job that comes again wait for two minutes; within the second it ended in, nodes
    # would still refuse it.
    cluster.call("scontrol", "update", f"JobId={job}", "StartTime=now+3")
    again = lambda: all(words in (place / "output").read_text()  # noqa: E731
                        for words in ("ended early by signal", "resumed from"))
    if not cluster.wait_until(again, 120):
        fail(f"no second turn: {state(cluster, job)}\n{(place / 'output').read_text()[-3000:]}")
    if not list((place / "model").glob("*.npy")):
        fail("the first turn has saved no model")
    cluster.call("scancel", job)
    cluster.wait_until(lambda: state(cluster, job) == "CANCELLED", 30)
    if len(runs()) != 1:
        fail(f"the second turn has a folder of its own: {runs()}")
    print("a job warned by USR1 has saved its model, come again and resumed")


with tempfile.TemporaryDirectory() as folder:
    top = pathlib.Path(folder)
    (top / "cluster").mkdir()
    (top / "run").mkdir()
    run = RankedExperiment(compiler, runner, experiment, top / "run", ["model.datatype=double"])
    with VirtualCluster(top / "cluster") as cluster:
        srun_equals_one_rank(cluster, run)
        refused_without_pmix(cluster, run)
        job_completes(cluster, run)
        job_is_requeued(cluster, run)
