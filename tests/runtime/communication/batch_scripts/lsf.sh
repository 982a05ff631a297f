#!/bin/bash
# Written by lbann-run --batch-script lsf.
#BSUB -J lenet
#BSUB -nnodes 4
#BSUB -W 30
#BSUB -wa USR1 -wt 2
#BSUB -r

# A turn before this one may have left a model to go on from.
load=()
if [ -d model ]; then load=(--load-model model); fi
mpirun -n 8 --map-by ppr:2:node lbann-run 'a plan.bin' --save-model model "${load[@]}"
status=$?
# 75: warned of its end, it has saved the model; ask for another turn.
if [ $status = 75 ]; then brequeue "$LSB_JOBID"; fi
exit $status
