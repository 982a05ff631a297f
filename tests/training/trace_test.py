"""The trace of two ranks shows that gradients travel while the backward pass goes on.

  trace_test.py COMPILER RUNNER EXPERIMENT
"""
import collections
import json
import sys
import tempfile

from ranks import RankedExperiment, fail, mpirun, require_mpirun

compiler, runner, experiment = sys.argv[1:]
require_mpirun()
steps = 3
with tempfile.TemporaryDirectory() as folder:
    run = RankedExperiment(compiler, runner, experiment, folder)
    done = mpirun(2, [run.runner, run.plan, "--threads", 1, "--steps", steps, "--no-shared-memory", "--trace",
                      run.folder / "trace.json", "--work-dir", run.folder / "work"])
    if done.returncode != 0:
        fail(done.stdout + done.stderr)
    events = json.loads((run.folder / "trace.json").read_text())["traceEvents"]

if {event["pid"] for event in events} != {0, 1}:
    fail("events of both ranks were expected")
for rank in (0, 1):
    own = [event for event in events if event["pid"] == rank]
    if not any(event.get("cat") == "data" for event in own):
        fail(f"rank {rank} has read nothing")
    runs = collections.defaultdict(lambda: collections.defaultdict(list))
    for event in own:
        if event.get("args", {}).get("entry") == "train":
            runs[event["args"]["run"]][event["cat"] + event["ph"]].append(event)
    if len(runs) != steps:
        fail(f"rank {rank}: {len(runs)} training steps instead of {steps}")
    for number, of in sorted(runs.items()):
        posted = {event["id"]: event for event in of["messageb"]}
        ended = {event["id"]: event for event in of["messagee"]}
        if not posted or posted.keys() != ended.keys():
            fail(f"rank {rank}, step {number}: messages do not begin and end")
        gradients = [event for event in of["instructionX"]
                     if event["name"].startswith(("convolution_kernel_gradient", "matmul"))]
        last = max(gradients, key=lambda event: event["ts"])
        buckets = [event for event in posted.values() if "weights" in event["name"] or "fc" in event["name"]]
        early = [event for event in buckets if event["ts"] < last["ts"]
                 and ended[event["id"]]["args"] == event["args"]]
        if not early:
            fail(f"rank {rank}, step {number}: no bucket is posted before {last['name']}")
        # Something is computed between posting a bucket and waiting for it.
        for event in early:
            waits = [wait for wait in of["waitX"]
                     if wait["args"]["instruction"] == event["args"]["instruction"]]
            between = [other for other in of["instructionX"]
                       if event["ts"] <= other["ts"] <= waits[0]["ts"]] if waits else []
            if len(waits) != 1 or not between:
                fail(f"rank {rank}, step {number}: {event['name']} is waited for at once")
        if rank == 0 and number == 0:
            print(f"{len(posted)} messages, {len(early)} buckets posted before {last['name']}, "
                  f"while {len(between)} instructions ran")
