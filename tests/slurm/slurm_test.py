"""A real Slurm on four virtual nodes: steps of srun, a job of sbatch, one that is warned and requeued.

  slurm_test.py COMPILER RUNNER EXPERIMENT
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from ranks import RankedExperiment, events, fail, values_of, weights, worst_values  # noqa: E402
from ranks import worst_weights  # noqa: E402
from batch_job import BatchJob  # noqa: E402
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


def job_completes(cluster, run):
    job = BatchJob(cluster, run, "batch", "--job-name", "small-job", "--partition", "debug")
    job.wait_for("COMPLETED")
    if not list((job.place / "model").glob("*.npy")) or job.asked("JobName") != "small-job" or \
            job.asked("Partition") != "debug":
        fail(f"no model, or another job: {job}")
    print("a job of sbatch has saved its model")


def job_is_requeued(cluster, run):
    endless = run.folder / "endless"
    endless.mkdir()
    long = RankedExperiment(compiler, runner, experiment, endless,
                            ["trainer.training_algorithm.sgd.max_epochs=1000000"])
    job = BatchJob(cluster, long, "warned")
    job.wait_until(job.trains, "does not train")
    cluster.call("scancel", "--full", "--signal=USR1", job.number)  # the shell of the script, too
    job.comes_back()
    job.wait_until(lambda: "ended early by signal" in job.output() and "resumed from" in job.output(),
                   "has no second turn")
    if not list((job.place / "model").glob("*.npy")):
        fail("the first turn has saved no model")
    cluster.call("scancel", job.number)
    job.wait_for("CANCELLED")
    if len(job.runs()) != 1:
        fail(f"the second turn has a folder of its own: {job.runs()}")
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
