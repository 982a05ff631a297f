#!/bin/bash
# Written by lbann-run --batch-script lsf.
#BSUB -J lenet
#BSUB -nnodes 4
#BSUB -W 30
#BSUB -wa USR1 -wt 2
#BSUB -r

# The warning may reach this shell, too, which has to wait for the run.
trap : USR1
mpirun -n 8 --map-by ppr:2:node lbann-run 'a plan.bin' --save-model model --resume
status=$?
# 75: warned of its end, it has written a checkpoint; ask for another turn. Without a step gained
# it fails instead, and a cancelled job (143) is not requeued.
if [ $status = 75 ]; then brequeue "$LSB_JOBID"; fi
exit $status
