"""What the console shows: a table of epochs on a terminal, LBANN's lines elsewhere and where they are asked for.

  console_test.py COMPILER RUNNER

The numbers of the table are those of metrics.jsonl. The log file has LBANN's lines in either style.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios

from run_experiment import call, expect

TEXT = """
trainer: {mini_batch_size: 16, training_algorithm: {sgd: {max_epochs: 4}}}
data_reader:
  - digits: {role: train, num_samples: 3000, size: 12}
%s  - digits: {role: test, num_samples: 30, size: 12}
model:
  name: digits
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - fully_connected: {name: hidden, parents: images, num_neurons: 200}
    - relu:
    - fully_connected: {num_neurons: 10}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
    - categorical_accuracy: {name: correct, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
  metrics:
    - layer_metric: {name: accuracy, layer: correct, unit: "%%"}
    - layer_metric: {name: a long name of a metric, layer: loss}
  callbacks:
    - print:
    - timer:
    - progress_bar:
optimizer: {sgd: {learn_rate: 0.01}}
"""
VALIDATION = "  - digits: {role: validate, num_samples: 40, size: 12}\n"
LBANN_LINE = "digits (instance 0) training epoch 1 objective function : "


def on_terminal(command, columns, locale):
    """What a terminal of so many columns gets."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {**os.environ, "LC_ALL": locale}
    process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=child, stderr=child, env=environment)
    os.close(child)
    output = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        output += part
    expect(process.wait() == 0, output.decode())
    return output.decode().replace("\r\n", "\n")


def lines_on_screen(text):
    """Lines as they stay: what is erased is gone."""
    return [line.split("\x1b[K")[-1] for line in text.split("\n")]


def check_rows(lines, folder, validates, columns):
    """Every epoch has a row, with the numbers of metrics.jsonl."""
    events = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    passes = {(event["mode"], event["epoch"]): event for event in events if event["event"] == "epoch"}
    rows = [line.split() for line in lines if re.match(r" +\d+ ", line)]
    epochs = sum(mode == "training" for mode, _ in passes)
    expect(len(rows) == epochs, f"not a row for each epoch: {lines}")
    for epoch, row in enumerate(rows):
        modes = ["training", "validation"] if validates else ["training"]
        wanted = [f"{passes[mode, epoch]['objective']:.4g}" for mode in modes]
        wanted += [f"{passes[mode, epoch]['metrics']['accuracy']:.4g}%" for mode in modes]
        expect(row[0] == str(epoch + 1) and row[1:1 + len(wanted)] == wanted, f"{row}, not {epoch + 1} {wanted}")
    test = passes["testing", epochs]
    told = f"   test objective {test['objective']:.4g}, accuracy {test['metrics']['accuracy']:.4g}%"
    expect(any(line.startswith(told) for line in lines), f"no line of the test {told}: {lines}")
    table = [line for line in lines if re.match(r" +\d+ | +epoch ", line)]
    expect(all(len(line) <= columns for line in table), f"wider than {columns} columns: {table}")


def main(compiler, runner):
    compiler, runner = pathlib.Path(compiler).resolve(), pathlib.Path(runner).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for validates in (True, False):
            experiment, plan = scratch / "experiment.yaml", scratch / "plan.bin"
            experiment.write_text(TEXT % (VALIDATION if validates else ""))
            call([compiler, experiment, "-o", plan], scratch)
            for columns, locale in ((100, "C.UTF-8"), (80, "C"), (200, "C.UTF-8")):
                work = scratch / f"{validates}{columns}"
                told = on_terminal([runner, plan, "--work-dir", work], columns, locale)
                lines = lines_on_screen(told)
                check_rows(lines, work / "latest", validates, columns)
                bars = [line for line in told.split("\x1b[K") if " steps, " in line]
                expect(bars and all(re.match(r" +\d [█░#.]{10,24} \d+/188 steps, objective .* left", bar)
                                    and len(bar.rstrip("\r")) < columns for bar in bars), f"bars: {bars}")
                expect(told.isascii() == (locale == "C"), f"{locale}: {told}")
                expect(LBANN_LINE not in told, "LBANN's lines are on the terminal, too")
                expect(LBANN_LINE in (work / "latest/log").read_text(), "the log lacks LBANN's lines")
        wide = next(line for line in lines if "objective" in line)
        expect("accuracy" in wide and "a long na." in wide, f"the header of a wide terminal: {wide}")

        for limit in ("--steps", 3), ("--quiet",):
            plan_of_both = scratch / "both.bin"
            experiment.write_text(TEXT % VALIDATION)
            call([compiler, experiment, "-o", plan_of_both], scratch)
            told = call([runner, plan_of_both, "--work-dir", scratch / limit[0], "--log-style", "table", *limit], scratch)
            if limit[0] == "--steps":
                check_rows(told.split("\n"), scratch / "--steps/latest", True, 80)
            else:
                expect(told == "", f"--quiet: {told}")
        call([compiler, experiment, "-o", plan_of_both, "--set", "trainer.training_algorithm.sgd.max_epochs=1000000"], scratch)
        signalled = subprocess.Popen([runner, plan_of_both, "--work-dir", scratch / "signalled", "--log-style", "table"],
                                     stdout=subprocess.PIPE, text=True)
        shown = []
        while not shown or not re.match(r" +\d+ ", shown[-1]):
            shown.append(signalled.stdout.readline())
        signalled.send_signal(signal.SIGTERM)
        shown += signalled.communicate()[0].splitlines()
        rows = [line for line in shown if re.match(r" +\d+ ", line)]
        lines = [json.loads(line) for line in (scratch / "signalled/latest/metrics.jsonl").read_text().splitlines()]
        trained = sum(line.get("mode") == "training" for line in lines)
        expect(signalled.returncode == 143 and len(rows) == trained, f"a signal: {signalled.returncode}, {trained} epochs, {rows}")

        piped = call([runner, plan, "--work-dir", scratch / "piped"], scratch)
        expect(LBANN_LINE in piped and "training epoch 1 [" in piped, f"LBANN's lines in a pipe: {piped}")
        asked = on_terminal([runner, plan, "--work-dir", scratch / "asked", "--log-style", "lbann"], 80, "C")
        expect(LBANN_LINE in asked and "epoch  " not in asked, f"LBANN's lines on a terminal: {asked}")
        table = call([runner, plan, "--work-dir", scratch / "table", "--log-style", "table"], scratch)
        expect("\x1b" not in table and "\r" not in table, "control characters in a pipe")
        check_rows(table.split("\n"), scratch / "table/latest", False, 80)


if __name__ == "__main__":
    main(*sys.argv[1:])
