#!/bin/bash
# Written by lbann-run --batch-script flux.
#flux: --job-name=lenet
#flux: --nodes=4
#flux: --time-limit=30m
#flux: --signal=USR1@90s

# The warning may reach this shell, too, which has to wait for the run.
trap : USR1
flux run --nodes=4 --ntasks=8 lbann-run 'a plan.bin' --save-model model --resume
status=$?
# 75: warned of its end, it has written a checkpoint; ask for another turn. Without a step gained
# it fails instead, and a cancelled job (143) is not requeued.
if [ $status = 75 ]; then flux --parent batch "$0"; fi
exit $status
