"""Callbacks that follow a run: debug, debug_io, disp_io_stats, timeline, evaluate_progress, on one rank and on several.

  following_test.py COMPILER RUNNER [--ranks]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from ranks import events, mpirun, only
from run_experiment import call, fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
SAMPLES, MINI_BATCH, EPOCHS, TESTED = 11, 4, 2, 3
TEXT = f"""
trainer: {{mini_batch_size: {MINI_BATCH}, training_algorithm: {{sgd: {{max_epochs: {EPOCHS}}}}}}}
data_reader:
  - digits: {{role: train, num_samples: {SAMPLES}, size: 8}}
  - digits: {{role: test, num_samples: {TESTED}, size: 8}}
model:
  layers:
    - input: {{name: images, data_field: samples}}
    - fully_connected: {{name: hidden, num_neurons: 3, weights: [w, b]}}
    - relu: {{name: positive}}
    - l2_norm2: {{name: length}}
  objective_function:
    - layer_term: {{layer: length}}
  weights: [{{name: w, initializer: {{he_normal_initializer: }}}}, {{name: b}}]
  callbacks:
%s
optimizer: {{sgd: {{learn_rate: 0.001}}}}
"""
STEPS = (SAMPLES + MINI_BATCH - 1) // MINI_BATCH


def run(top, name, callbacks, ranks, *options, code=0, change=('', '')):
    folder = top / f'{name}{ranks}'
    folder.mkdir()
    (folder / 'experiment.yaml').write_text((TEXT % '\n'.join(f'    - {callback}' for callback in callbacks)).replace(*change))
    call([compiler, 'experiment.yaml', '-o', 'plan.bin'], folder)
    command = [runner, folder / 'plan.bin', '--threads', '1', '--work-dir', folder / 'runs', *options]
    if ranks > 1:
        # Files of their own: mpirun forwards what ranks print in parts, which may stand inside of another rank's line.
        done = mpirun(ranks, ['--output-filename', folder / 'printed', *command])
        done.stderr = ''.join(file.read_text() for file in sorted((folder / 'printed').glob('*/rank.*/stderr')))
    else:
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != code:
        fail(f'{name}: exit code {done.returncode} on {ranks} ranks\n{done.stdout}{done.stderr}')
    return done, folder / 'runs'


def own_lines(done, rank):
    start = f'lbann-run: rank {rank} of trainer 0 '
    return [line[len(start):] for line in done.stderr.splitlines() if line.startswith(start)]


def check_debug(top, ranks):
    done, _ = run(top, 'debug', ['debug:'], ranks)
    for rank in range(ranks):
        lines = own_lines(done, rank)
        began = [line for line in lines if re.fullmatch(r'begins training mini-batch \d+ \(epoch \d\)', line)]
        if began != [f'begins training mini-batch {step} (epoch {step // STEPS})' for step in range(EPOCHS * STEPS)]:
            fail(f'debug: mini-batches {began}')
        for words in ('matmul of `hidden`', 'begins testing mini-batch 0'):
            if not any(words in line for line in lines):
                fail(f'debug: no line of rank {rank} has `{words}`\n' + '\n'.join(lines))
        opened = []
        for line in lines:
            verb, thing = line.split(' ', 1)
            if verb == 'begins':
                opened.append(thing)
            elif not opened or opened.pop() != thing:
                fail(f'debug: `{line}` ends what has not begun')
        if opened:
            fail(f'debug: {opened} never end')
    done, _ = run(top, 'debug_test', ['debug: {phase: test}'], ranks)
    if 'training' in done.stderr or 'begins testing mini-batch 0' not in done.stderr:
        fail(f'debug of the test alone\n{done.stderr}')


def check_debug_io(top, ranks):
    done, _ = run(top, 'debug_io', ['debug_io: {lvl: 1}'], ranks)
    read = [0] * (EPOCHS + 1)
    for rank in range(ranks):
        lines = own_lines(done, rank)
        for epoch in range(EPOCHS):
            if lines.count(f'begins training of epoch {epoch}: 11 samples in 3 mini-batches of 4, the last of 3') != 1:
                fail(f'debug_io: epoch {epoch}\n' + '\n'.join(lines))
        counts = [int(found[1]) for line in lines if (found := re.match(r'has read (\d+) samples', line))]
        if len(counts) != EPOCHS * STEPS + 1:
            fail(f'debug_io: {counts}')
        for epoch in range(EPOCHS):
            read[epoch] += sum(counts[epoch * STEPS:(epoch + 1) * STEPS])
        read[EPOCHS] += counts[-1]
    if read != [SAMPLES] * EPOCHS + [TESTED]:
        fail(f'debug_io: {read} samples')
    done, _ = run(top, 'debug_io_passes', ['debug_io:'], ranks)
    if 'mini-batch ' in done.stderr or 'begins testing of epoch' not in done.stderr:
        fail(f'debug_io of passes alone\n{done.stderr}')


def check_disp_io_stats(top, ranks):
    done, _ = run(top, 'stats', ['disp_io_stats: {layers: images}'], ranks)
    found = re.findall(r'rank 0\.(\d+) read (\d+) of (\d+) (training|testing) samples for `images`, (\d+) since', done.stdout)
    if len(found) != ranks * (EPOCHS + 1):
        fail(f'disp_io_stats\n{done.stdout}')
    for passes in range(EPOCHS + 1):
        rows = found[passes * ranks:(passes + 1) * ranks]
        samples = SAMPLES if passes < EPOCHS else TESTED
        if [int(row[0]) for row in rows] != list(range(ranks)) or sum(int(row[1]) for row in rows) != samples:
            fail(f'disp_io_stats: pass {passes} {rows}')
        times = passes + 1 if passes < EPOCHS else 1
        if sum(int(row[4]) for row in rows) != times * samples:
            fail(f'disp_io_stats: since the run began, pass {passes} {rows}')
    done, _ = run(top, 'accumulated', ['disp_io_stats:'], ranks, change=('mini_batch_size: 4,', 'mini_batch_size: 4, accumulate: 2,'))
    read = [int(count) for count in re.findall(r'read (\d+) of \d+ training samples', done.stdout)]
    if sum(read) != EPOCHS * SAMPLES:
        fail(f'disp_io_stats with micro-batches: {read}')


def check_timeline(top, ranks):
    _, runs = run(top, 'timeline', ['timeline: {directory: times}'], ranks)
    for rank in range(ranks):
        lines = only(runs.glob(f'latest/times/timeline.m0.{rank}.txt'), 'timeline').read_text().splitlines()
        names, last = {}, 0.0
        for line in lines:
            name, begin, end = line.rsplit(':', 2)
            if not last <= float(begin) <= float(end):
                fail(f'timeline: `{line}` begins before the line above it ends, at {last}')
            last = float(end)
            names[name] = names.get(name, 0) + 1
        if not {'fp-hidden', 'bp-hidden', 'opt-b'} <= set(names):
            fail(f'timeline: {sorted(names)}')
        if names['fp-hidden'] % (EPOCHS * STEPS + 1) or names['opt-b'] % (EPOCHS * STEPS):
            fail(f'timeline: {names}')


def check_evaluations(top, ranks):
    """Evaluations within epochs change nothing, and are those of the same weights after an epoch."""
    validated = ('role: test', 'role: validate')
    _, plain = run(top, 'plain', ['print:'], ranks, change=validated)
    done, runs = run(top, 'progress', ['evaluate_progress: {batch_interval: 1, metric: objective}', 'check_dataset:'], ranks,
                     change=validated)
    told = events(runs)

    def objectives(lines, **wanted):
        return [line['objective'] for line in lines if all(line.get(key) == value for key, value in wanted.items())]

    for kind in ({'event': 'step'}, {'event': 'epoch'}):
        if objectives(told, **kind) != objectives(events(plain), **kind):
            fail(f'evaluate_progress changes training: {objectives(told, **kind)}')
    lines = [line for line in told if line['event'] == 'progress']
    if [(line['steps'], line['epoch'], line['samples']) for line in lines] != [
            (step + 1, step // STEPS, TESTED) for step in range(EPOCHS * STEPS)]:
        fail(f'evaluate_progress: {lines}')
    after = objectives(told, event='epoch', mode='validation')
    if [line['objective'] for line in lines][STEPS - 1::STEPS] != after or len({line['objective'] for line in lines}) != len(lines):
        fail(f'evaluate_progress: {lines}, after epochs {after}')
    words = f'validation after step 2 objective function : {lines[1]["objective"]:g}'
    if words not in done.stdout:
        fail(f'no line `{words}`\n{done.stdout}')
    _, runs = run(top, 'progress_test', ['evaluate_progress: {batch_interval: 4}'], ranks)
    tested = [line for line in events(runs) if line['event'] == 'progress']
    _, runs = run(top, 'four_steps', ['print:'], ranks, '--steps', '4')
    after = objectives(events(runs), event='epoch', mode='testing')
    if [(line['mode'], line['steps'], line['objective']) for line in tested] != [('testing', 4, *after)]:
        fail(f'evaluate_progress on test data: {tested}')


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    for ranks in (2, 3, 5) if '--ranks' in sys.argv else (1,):
        for check in (check_debug, check_debug_io, check_disp_io_stats, check_timeline, check_evaluations):
            check(top, ranks)
    if '--ranks' not in sys.argv:
        done, _ = run(top, 'both', ['timeline:'], 1, '--profile', code=2)
        if 'look at every instruction' not in done.stderr:
            fail(done.stderr)
