#!/bin/bash
# Written by lbann-run --batch-script slurm.
#SBATCH --job-name=lenet
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=30
#SBATCH --signal=USR1@90
#SBATCH --requeue
#SBATCH --open-mode=append

srun --mpi=pmix lbann-run 'a plan.bin' --save-model model --resume
status=$?
# 75: warned of its end, it has written a checkpoint; ask for another turn. Without a step gained
# it fails instead, and a cancelled job (143) is not requeued.
if [ $status = 75 ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit $status
