#!/usr/bin/env python3
"""What a user of lbann-run meets: exit codes, one message, the work directory, signals, equal runs."""
import json, os, pathlib, pty, random, re, signal, subprocess, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'support'))
from hang_guard import HANG_GUARD

lbann_run, write_plan = (os.path.abspath(path) for path in sys.argv[1:3])
failures = 0


def check(what, good, *details):
    global failures
    if not good:
        failures += 1
        print('FAILED:', what, *details, sep='\n  ')


def run(*arguments, env=None, cwd=None):
    environment = {**os.environ, **(env or {})}
    return subprocess.run([lbann_run, *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
                          env=environment, timeout=HANG_GUARD)


def plan(path, *arguments):
    subprocess.run([write_plan, path, *map(str, arguments)], check=True)
    return path


def one_message(result):
    return result.stderr.startswith('lbann-run: error: ') and result.stderr.count('error:') == 1


def only_folder(base):
    folders = list(pathlib.Path(base).glob('regression_*'))
    assert len(folders) == 1, folders
    return folders[0]


def bad_files(scratch):
    good = plan(scratch / 'good.bin').read_bytes()
    bad = scratch / 'bad.bin'
    generator = random.Random(1)
    contents = {'empty': b'', 'random': generator.randbytes(5000), 'text': b'model: {}\n' * 50}
    for size in (1, 15, 16, 40, len(good) // 2, len(good) - 1):
        contents[f'first {size} bytes'] = good[:size]
    for _ in range(20):
        at = generator.randrange(len(good))
        contents[f'byte {at} flipped'] = good[:at] + bytes([good[at] ^ 0x40]) + good[at + 1:]
    for name, content in contents.items():
        bad.write_bytes(content)
        result = run(bad, '--work-dir', scratch / 'never')
        check(f'{name}: exit code 3 and one message that names the file',
              result.returncode == 3 and one_message(result) and str(bad) in result.stderr,
              result.returncode, result.stderr)
    check('no work directory for a bad plan', not (scratch / 'never').exists())
    result = run(scratch / 'nowhere.bin')
    check('no such file: 3', result.returncode == 3 and one_message(result), result.stderr)


def command_line(scratch):
    good = scratch / 'good.bin'
    for arguments in ([], [good, '--dance'], [good, '--threads', '0'], [good, '--kernels', 'magic'],
                      [good, '--steps', '-1']):
        result = run(*arguments)
        check(f'{arguments}: exit code 2', result.returncode == 2, result.returncode, result.stderr)
    result = run('--help')
    check('--help: exit code 0', result.returncode == 0 and '--work-dir' in result.stdout)
    result = run(good, '--describe')
    check('--describe prints the model', result.returncode == 0 and 'line: fully_connected' in result.stdout,
          result.stdout)


def launchers(scratch):
    good = scratch / 'good.bin'
    for env, words in (({'PMI_SIZE': '3', 'PMI_RANK': '0'}, 'one of 3 processes'),
                       ({'SLURM_STEP_ID': '0', 'SLURM_NTASKS': '4'}, '--mpi=pmix'),
                       ({'SLURM_NTASKS': '4'}, '--mpi=pmix')):
        result = run(good, env=env)
        check(f'{env}: refused', result.returncode == 2 and one_message(result)
              and words in result.stderr, result.returncode, result.stderr)
    result = run(good, env={'SLURM_NTASKS': '4', 'SLURM_PROCID': '3'})
    check('one rank speaks for all', result.returncode == 2 and result.stderr == '', result.stderr)
    result = run(good, '--procs-per-trainer', '2')
    check('a trainer of two in one process is refused', result.returncode == 2 and one_message(result),
          result.stderr)


def work_directory(scratch):
    path = plan(scratch / 'full.bin', 'print', 1, 'timer', 1, 'save', 'weights')
    result = run(path, '--work-dir', scratch / 'runs')
    check('a run ends well', result.returncode == 0 and result.stderr == '', result.returncode, result.stderr)
    model = scratch / 'runs' / 'weights'
    check('weights lie beside it', [file.name for file in model.iterdir()] == ['slope.npy'])
    folder = only_folder(scratch / 'runs')
    check('named after model and time', re.fullmatch(r'regression_\d{8}_\d{6}', folder.name), folder.name)
    check('it holds the plan', (folder / 'plan.bin').read_bytes() == path.read_bytes())
    log = (folder / 'log').read_text()
    for line in result.stdout.splitlines():
        check('the log has what the console has', line in log, line)
    lines = [json.loads(line) for line in (folder / 'metrics.jsonl').read_text().splitlines()]
    check('a line per step', sum(line['event'] == 'step' for line in lines) == 9)
    check('a line per pass', [line['mode'] for line in lines if line['event'] == 'epoch']
          == ['training', 'validation'] * 3 + ['testing'])
    check('memory is told', re.search(r'memory : .*peak resident [0-9.]+ MB', result.stdout), result.stdout)
    quiet = run(path, '--quiet', env={'LBANN_EXPERIMENT_DIR': str(scratch / 'quiet')})
    check('--quiet prints nothing', quiet.returncode == 0 and quiet.stdout == '', quiet.stdout)
    check('$LBANN_EXPERIMENT_DIR is used', 'test objective function' in (only_folder(scratch / 'quiet') / 'log').read_text())
    (scratch / 'file').write_text('x')
    result = run(path, '--work-dir', scratch / 'file')
    check('a work directory that cannot be made: 3', result.returncode == 3 and one_message(result), result.stderr)


def equal_runs(scratch):
    path = plan(scratch / 'equal.bin')
    weights = []
    for name, threads in (('a', 1), ('b', 1), ('c', 2)):
        result = run(path, '--work-dir', scratch / 'runs', '--save-model', scratch / name, '--threads', threads)
        check('a run ends well', result.returncode == 0, result.stderr)
        weights.append((scratch / name / 'slope.npy').read_bytes())
    check('two runs are bit-equal', weights[0] == weights[1])
    check('one and two threads are bit-equal', weights[0] == weights[2])
    result = run(path, '--work-dir', scratch / 'runs', '--save-model', scratch / 'd', '--load-model', scratch / 'a',
                 '--steps', 1)
    check('training goes on from loaded weights', result.returncode == 0
          and (scratch / 'd' / 'slope.npy').read_bytes() != weights[0], result.stderr)


def loading(scratch):
    path = plan(scratch / 'load.bin', 'load', 'nowhere')
    result = run(path, '--work-dir', scratch / 'runs')
    check('a missing folder names the YAML line', result.returncode == 3 and one_message(result)
          and 'regression.yaml:2:3: nowhere' in result.stderr, result.stderr)


def terminal(scratch):
    path = plan(scratch / 'bar.bin', 'epochs', 2, 'print', 1, 'progress', 1)
    master, slave = pty.openpty()
    process = subprocess.Popen([lbann_run, path, '--work-dir', scratch / 'runs'], stdout=slave)
    os.close(slave)
    shown = b''
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            part = b''
        if not part:
            break
        shown += part
    check('a run on a terminal ends well', process.wait(timeout=HANG_GUARD) == 0)
    shown = shown.decode()
    check('a bar is redrawn in place', shown.count('\r\x1b[Ktraining epoch 1 [') == 3, shown)
    check('lines replace the bar', '\r\x1b[Kregression (instance 0) training epoch 1 objective' in shown, shown)
    log = (only_folder(scratch / 'runs') / 'log').read_text()
    check('the log has no bar', '\x1b' not in log and '/3)' not in log, log)


def signals(scratch):
    path = plan(scratch / 'long.bin', 'epochs', 10**9, 'save', 'weights')
    for number, code in ((signal.SIGTERM, 75), (signal.SIGINT, 130)):
        base = scratch / f'signal{number}'
        process = subprocess.Popen([lbann_run, path, '--work-dir', base, '--quiet'])
        deadline = time.monotonic() + HANG_GUARD
        while not list(base.glob('*/metrics.jsonl')) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(number)
        check(f'signal {number}: exit code {code}', process.wait(timeout=HANG_GUARD) == code, process.returncode)
        check('weights are saved', (base / 'weights' / 'slope.npy').exists())
        folder = only_folder(base)
        last = (folder / 'metrics.jsonl').read_text().splitlines()[-1]
        check('the last line is whole', json.loads(last)['event'] == 'epoch', last)


with tempfile.TemporaryDirectory() as folder:
    for test in (bad_files, command_line, launchers, work_directory, equal_runs, loading, terminal, signals):
        scratch = pathlib.Path(folder) / test.__name__
        scratch.mkdir()
        plan(scratch / 'good.bin')
        test(scratch)
print('failures:', failures)
sys.exit(1 if failures else 0)
