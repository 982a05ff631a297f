#!/bin/bash
# Written by lbann-run --batch-script flux.
#flux: --job-name=lenet
#flux: --nodes=4
#flux: --time-limit=30m
#flux: --signal=USR1@90s

# A turn before this one may have left a model to go on from.
load=()
if [ -d model ]; then load=(--load-model model); fi
flux run --nodes=4 --ntasks=8 lbann-run 'a plan.bin' --save-model model "${load[@]}"
status=$?
# 75: warned of its end, it has saved the model; ask for another turn.
if [ $status = 75 ]; then flux batch "$0"; fi
exit $status
