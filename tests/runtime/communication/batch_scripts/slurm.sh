#!/bin/bash
# Written by lbann-run --batch-script slurm.
#SBATCH --job-name=lenet
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=30
#SBATCH --signal=USR1@90
#SBATCH --requeue
#SBATCH --open-mode=append

# A turn before this one may have left a model to go on from.
load=()
if [ -d model ]; then load=(--load-model model); fi
srun --mpi=pmix lbann-run 'a plan.bin' --save-model model "${load[@]}"
status=$?
# 75: warned of its end, it has saved the model; ask for another turn.
if [ $status = 75 ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit $status
