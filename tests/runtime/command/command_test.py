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
    # Sound in its bytes, but of values that no compiler lets through.
    result = run(plan(bad, 'bar_width', -1), '--work-dir', scratch / 'never')
    check('a bar of negative width: exit code 3 and a message that names place, callback, field and remedy',
          result.returncode == 3 and one_message(result) and 'regression.yaml:2:3: callback `progress_bar`: `bar_width` '
          'must be at least 1 and at most 1000, not -1; compile the experiment again' in result.stderr, result.stderr)
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
    folder = only_folder(scratch / 'runs')
    model = folder / 'weights'
    check('weights lie in it', [file.name for file in model.iterdir()] == ['slope.npy'])
    latest = scratch / 'runs' / 'latest'
    check('latest leads to it', latest.is_symlink() and latest.resolve() == folder.resolve())
    check('named after model and time', re.fullmatch(r'regression_\d{8}_\d{6}', folder.name), folder.name)
    check('it holds the plan', (folder / 'plan.bin').read_bytes() == path.read_bytes())
    log = (folder / 'log').read_text()
    for line in result.stdout.splitlines():
        check('the log has what the console has', line in log, line)
    check('what keeps the weights is not missing', 'warning: nothing keeps' not in result.stdout, result.stdout)
    result = run(path, '--work-dir', scratch / 'runs', '--layout', 'lbann', '--save-model', scratch / 'model')
    check('LBANN\'s layout: beside the runs', result.returncode == 0
          and [file.name for file in (scratch / 'runs' / 'weights').iterdir()] == ['slope.npy'], result.stderr)
    result = run(plan(scratch / 'bare.bin'), '--work-dir', scratch / 'bare')
    check('that nothing keeps the weights is told', 'warning: nothing keeps' in result.stdout, result.stdout)
    (scratch / 'taken' / 'latest').mkdir(parents=True)
    result = run(scratch / 'bare.bin', '--work-dir', scratch / 'taken')
    check('a folder `latest` stays', result.returncode == 0 and not (scratch / 'taken/latest').is_symlink()
          and 'latest is no link' in next((scratch / 'taken').glob('*_*/log')).read_text(), result.stderr)
    lines = [json.loads(line) for line in (folder / 'metrics.jsonl').read_text().splitlines()]
    check('a line per step', sum(line['event'] == 'step' for line in lines) == 9)
    check('a line per pass', [line['mode'] for line in lines if line['event'] == 'epoch']
          == ['training', 'validation'] * 3 + ['testing'])
    check('a validation has the number of its epoch, the test that of epochs trained',
          [line['epoch'] for line in lines if line['event'] == 'epoch'] == [0, 0, 1, 1, 2, 2, 3])
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


def own_files(scratch):
    """Files of the user are never removed, and that is said before anything is trained."""
    path = plan(scratch / 'plan.bin')
    model = scratch / 'model'
    model.mkdir()
    for name in ('x.npy', 'slope.npy', 'notes.txt'):
        (model / name).write_text('years of work')
    for name in ('x.npy', 'notes.txt'):
        result = run(path, '--work-dir', scratch / 'runs', '--save-model', model)
        check('a folder with other files is refused: 3', result.returncode == 3 and one_message(result)
              and str(model) in result.stderr, result.returncode, result.stderr)
        check('all files are there', all(file.read_text() == 'years of work' for file in model.iterdir()))
        check('nothing was trained', not any('"step"' in file.read_text()
              for file in (scratch / 'runs').glob('latest/metrics.jsonl')))
        (model / sorted(file.name for file in model.iterdir() if file.name != 'slope.npy')[-1]).unlink()
    left = scratch / 'model.saving-4711'
    left.mkdir()
    (left / 'slope.npy').write_text('half a model')
    old = time.time() - 48 * 3600
    os.utime(left / 'slope.npy', (old, old))
    os.utime(left, (old, old))
    result = run(path, '--work-dir', scratch / 'runs', '--save-model', model)
    check('its own files are replaced', result.returncode == 0 and
          (model / 'slope.npy').read_bytes().startswith(b'\x93NUMPY'), result.returncode, result.stderr)
    check('what a killed run has left is gone', sorted(file.name for file in scratch.iterdir() if 'model' in file.name)
          == ['model'], list(scratch.iterdir()))
    path = plan(scratch / 'save.bin', 'save', '.')
    result = run(path, '--work-dir', scratch)
    check('a folder with runs is no folder of a model', result.returncode == 3 and one_message(result), result.stderr)


def places(scratch):
    """What a plan may write lies below the work directory, whatever its names are."""
    base = scratch / 'deep' / 'runs'
    for name in ('../../escaped', str(scratch / 'absolute'), '..', '.hidden', 'a/b'):
        path = plan(scratch / 'plan.bin', 'weights', name, 'dump', 'dumped', 'save', 'weights', 'epochs', 1)
        result = run(path, '--work-dir', base)
        check(f'{name}: written', result.returncode == 0, result.returncode, result.stderr)
        left = [str(file) for file in scratch.rglob('*') if base not in file.parents and file != base]
        check(f'{name}: nothing is written elsewhere', sorted(left) == sorted(map(str, (scratch / 'plan.bin',
              scratch / 'good.bin', base.parent))), left)
        dumped = list(base.glob('latest/dumped/trainer0/*/model0/*'))
        check(f'{name}: a file of each dump', len(dumped) == 2 and all(file.is_file() for file in dumped), dumped)
        subprocess.run(['rm', '-r', base], check=True)
    for folder in (str(scratch / 'absolute'), '../escaped', 'a/../../escaped'):
        for key in ('dump', 'save'):
            path = plan(scratch / 'plan.bin', key, folder)
            result = run(path, '--work-dir', base)
            check(f'{key} {folder}: refused', result.returncode == 3 and one_message(result)
                  and folder in result.stderr, result.returncode, result.stderr)
    check('no work directory for such a plan', not base.exists())
    for option in ('--work-dir', '--save-model', '--load-model', '--trace', '--data-root'):
        result = run(scratch / 'good.bin', option, '')
        check(f'{option} without a path: 2', result.returncode == 2 and 'is empty' in result.stderr, result.stderr)
    result = run(scratch / 'good.bin', '--steps', 1, cwd=scratch, env={'LBANN_EXPERIMENT_DIR': ''})
    check('an empty $LBANN_EXPERIMENT_DIR is none', result.returncode == 0 and only_folder(scratch), result.stderr)


def shell(line, *arguments, env=None):
    return subprocess.run(['bash', '-c', line, lbann_run, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, env={**os.environ, **(env or {})})


def streams(scratch):
    path = plan(scratch / 'plan.bin', 'print', 1)
    for closed in ('<&-', '>&-', '<&- >&-', '<&- >&- 2>&-'):
        base = scratch / f'runs{closed}'
        result = shell(f'"$0" "$1" --work-dir "$2" {closed}', path, base)
        lines = [json.loads(line) for line in (only_folder(base) / 'metrics.jsonl').read_text().splitlines()]
        check(f'{closed}: a run as any other', result.returncode == 0 and
              [line['event'] for line in lines].count('step') == 9, result.returncode, result.stderr)
    for name, lost in (('head', '| head -c 1; exit ${PIPESTATUS[0]}'), ('full', '> /dev/full')):
        base = scratch / name
        result = shell(f'"$0" "$1" --work-dir "$2" --save-model "$3" {lost}', path, base, scratch / f'model {name}')
        log = (only_folder(base) / 'log').read_text()
        check(f'{lost}: trained to the end', result.returncode == 0 and result.stderr == '' and
              (scratch / f'model {name}' / 'slope.npy').exists(), result.returncode, result.stderr)
        check(f'{lost}: the log has all', 'test objective function' in log and 'weights saved' in log, log)
    for arguments in ('--describe', '--batch-script slurm', '--dry-run-ranks 2', '--help'):
        result = shell(f'"$0" "$1" {arguments} > /dev/full', path)
        check(f'{arguments} on a full device: 3', result.returncode == 3 and one_message(result) and
              'standard output' in result.stderr, result.returncode, result.stderr)
        result = shell(f'"$0" "$1" {arguments} | true; exit ${{PIPESTATUS[0]}}', path)
        check(f'{arguments} nobody reads: 0', result.returncode == 0 and result.stderr == '', result.returncode)
    check('a full device has a log', 'No space left' in (only_folder(scratch / 'full') / 'log').read_text())


def no_files(scratch):
    """Pipes, devices and folders in the place of files are refused and not waited for."""
    path = scratch / 'good.bin'
    os.mkfifo(scratch / 'pipe')
    for other in ('/dev/zero', '/dev/full', scratch / 'pipe', scratch, '/dev/stdin'):
        result = run(other)
        check(f'{other} is no plan: 3', result.returncode == 3 and one_message(result) and 'is a' in result.stderr,
              result.returncode, result.stderr)
    # Looked at by its beginning: the rest would not fit in memory.
    with open(scratch / 'large.bin', 'wb') as file:
        file.truncate(1 << 40)
    result = run(scratch / 'large.bin')
    check('a large file is no plan: 3', result.returncode == 3 and 'not a plan' in result.stderr, result.stderr)
    for kind in ('pipe', 'folder', 'device'):
        model = scratch / kind
        if kind == 'pipe':
            model = scratch / 'model of pipes'
        model.mkdir()
        {'pipe': os.mkfifo, 'folder': os.mkdir,
         'device': lambda place: os.symlink('/dev/zero', place)}[kind](model / 'slope.npy')
        result = run(path, '--work-dir', scratch / 'runs', '--load-model', model)
        check(f'a {kind} is no file of weights: 3', result.returncode == 3 and one_message(result)
              and f'is a {kind}' in result.stderr, result.returncode, result.stderr)


def limits(scratch):
    path = plan(scratch / 'long.bin', 'epochs', 2000, 'print', 1)
    result = shell('ulimit -f 1; "$0" "$1" --work-dir "$2" --quiet', path, scratch / 'files')
    check('a file that may not grow: 3', result.returncode == 3 and one_message(result)
          and 'File too large' in result.stderr, result.returncode, result.stderr)
    if subprocess.run(['bash', '-c', 'ulimit -v 40000000; "$0" --help > /dev/null', lbann_run],
                      capture_output=True).returncode != 0:
        return  # sanitizers map more than any limit
    for kibibytes in range(100_000, 900_001, 50_000):
        # With a processor's worth of time a product that waits for memory would go on for ever.
        result = shell(f'ulimit -v {kibibytes} -t 60; "$0" "$1" --steps 1 --work-dir "$2"', path, scratch / 'memory')
        check(f'ulimit -v {kibibytes}: a run or a message', result.returncode in (0, 1, 3) and
              (result.returncode == 0) == (result.stderr == ''), result.returncode, result.stderr)


def terminal(scratch):
    path = plan(scratch / 'bar.bin', 'epochs', 2, 'print', 1, 'progress', 1)
    master, slave = pty.openpty()
    process = subprocess.Popen([lbann_run, path, '--work-dir', scratch / 'runs', '--log-style', 'lbann'], stdout=slave)
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
    for number, code in ((signal.SIGTERM, 143), (signal.SIGUSR1, 75), (signal.SIGINT, 130)):
        base = scratch / f'signal{number}'
        process = subprocess.Popen([lbann_run, path, '--work-dir', base, '--quiet'])
        deadline = time.monotonic() + HANG_GUARD
        while not list(base.glob('latest/metrics.jsonl')) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(number)
        check(f'signal {number}: exit code {code}', process.wait(timeout=HANG_GUARD) == code, process.returncode)
        check('weights are saved', (base / 'latest/weights/slope.npy').exists())
        folder = only_folder(base)
        last = (folder / 'metrics.jsonl').read_text().splitlines()[-1]
        check('the last line is whole', json.loads(last)['event'] == 'epoch', last)


with tempfile.TemporaryDirectory() as folder:
    for test in (bad_files, command_line, launchers, work_directory, equal_runs, loading, own_files, places, streams,
                 no_files, limits, terminal, signals):
        scratch = pathlib.Path(folder) / test.__name__
        scratch.mkdir()
        plan(scratch / 'good.bin')
        test(scratch)
print('failures:', failures)
sys.exit(1 if failures else 0)
