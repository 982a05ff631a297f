#!/bin/bash
# Written by lbann-run --batch-script slurm.
#SBATCH --job-name=lenet
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=30
#SBATCH --signal=USR1@90
#SBATCH --requeue
#SBATCH --open-mode=append

# The warning may reach this shell, too, which has to wait for the run.
trap : USR1
srun --mpi=pmix lbann-run 'a plan.bin' --save-model model --resume
status=$?
# Whether the turn was ended from outside:
# 75: warned of its end, it has written a checkpoint. Without a step gained it fails instead.
# Others: pre-empted with a grace time, or a node does not answer. A cancelled job is not RUNNING.
ended_from_outside() {
  test $status = 0 && return 1
  test $status = 75 && return 0
  test "$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%T)" = RUNNING || return 1
  scontrol show job "$SLURM_JOB_ID" | grep -q 'PreemptTime=[0-9]' ||
    ! timeout 60 srun --overlap --mpi=none true
}
if ended_from_outside; then scontrol requeue "$SLURM_JOB_ID"; fi
exit $status
