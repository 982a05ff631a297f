"""Metrics that a program and a Python function give: their values with every phase, and failures.

    external_metrics_test.py lbann-compile lbann-run
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from ranks import RankedExperiment, events, mpirun
from run_experiment import fail

EXPERIMENT = """
trainer: {{mini_batch_size: 4, training_algorithm: {{sgd: {{max_epochs: 2}}}}}}
data_reader:
  - digits: {{role: train, num_samples: 8, size: 8}}
  - digits: {{role: test, num_samples: 8, size: 8}}
model:
  layers:
    - input: {{data_field: samples}}
    - fully_connected: {{num_neurons: 2}}
    - l2_norm2: {{name: loss}}
  objective_function:
    - layer_term: {{layer: loss}}
  metrics:
    - executable_metric: {{filename: sh, other_args: "{folder}/count.sh 'of runs'"}}
    - layer_metric: {{name: size, layer: loss}}
    - python_metric: {{name: mean of weights, module: counted, module_dir: {folder}}}
  callbacks:
    - print:
    - dump_outputs: {{layers: loss}}
optimizer: {{sgd: {{learn_rate: 0.01}}}}
"""
# Counts the times it is asked, beside the log of the run.
COUNT = 'test "$1:$2" = "of runs:trainer0/model0" && test -f log && echo x >> count && wc -l < count\n'
# What LBANN calls a function with: a path that files of the model lie below, as dumped outputs do.
COUNTED = """import pathlib
def evaluate(path, rank):
    assert (path, rank) == ('trainer0/model0', 0) and any(pathlib.Path(path).glob('*loss_output0.csv')), path
    return len(open('count').read()) / 8
"""


def main(compiler, runner):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "experiment.yaml").write_text(EXPERIMENT.format(folder=folder))
        (folder / "count.sh").write_text(COUNT)
        (folder / "counted.py").write_text(COUNTED)
        experiment = RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)
        for ranks in (1, 2) if shutil.which("mpirun") else (1,):
            top = experiment.run_on(ranks)
            phases = [event["metrics"] for event in events(top) if event["event"] != "step"]
            found = [(phase["sh"], phase["mean of weights"]) for phase in phases]
            if found != [(1, 0.25), (2, 0.5), (3, 0.75)]:
                fail(f"on {ranks} ranks the metrics are {found}")
            if not all(phase["size"] > 0 for phase in phases):
                fail(f"the metric of a layer is lost: {phases}")
            log = next(top.glob("latest/log")).read_text()
            if "test mean of weights : 0.75" not in log:
                fail(f"no line of the last metric in\n{log}")

        (folder / "counted.py").write_text("def evaluate(folder, rank):\n    raise OSError('lost')\n")
        for ranks in (1, 2) if shutil.which("mpirun") else (1,):
            command = [experiment.runner, experiment.plan, "--work-dir", folder / f"broken{ranks}"]
            done = (subprocess.run(list(map(str, command)), capture_output=True, text=True)
                    if ranks == 1 else mpirun(ranks, command))
            words = "experiment.yaml:16:7: metric `mean of weights` failed with exit code 1:"
            if done.returncode != 3 or words not in done.stderr or "OSError: lost" not in done.stderr:
                fail(f"on {ranks} ranks a failure gives exit code {done.returncode} and\n{done.stderr}")
            if done.stderr.count("OSError: lost") != 1:
                fail(f"said more than once on {ranks} ranks:\n{done.stderr}")

        # A batch system signals the run and its programs, in any order; a signal to the program alone is its failure.
        (folder / "counted.py").write_text("def evaluate(folder, rank):\n    return 1\n")
        # The run is the parent of the shell that runs the command.
        later = "run=$(cut -d' ' -f4 /proc/$PPID/stat); (sleep 0.2; kill -USR1 $run) > /dev/null 2>&1 &"
        for name, line, code in (("warned", later + " kill -USR1 $$", 75), ("killed", "kill -USR1 $$", 3)):
            (folder / "count.sh").write_text(line + "\n")
            done = subprocess.run([str(word) for word in (experiment.runner, experiment.plan, "--work-dir", folder / name)],
                                  capture_output=True, text=True)
            if done.returncode != code or (code == 3) != ("failed with exit code 138" in done.stderr):
                fail(f"{name}: exit code {done.returncode}\n{done.stderr}")
    print("metrics of other programs: values and failures on one rank and on two")


if __name__ == "__main__":
    main(*sys.argv[1:])
