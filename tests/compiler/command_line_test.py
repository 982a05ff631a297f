# lbann-compile as a command: exit codes, what it writes and what it leaves alone.
import os
import subprocess
import sys
import tempfile
from pathlib import Path

program = Path(sys.argv[1]).resolve()
failures = []

LAYERS = '''trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8}
model:
  layers:
    - input: {data_field: samples}
%s    - l2_norm2: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.1}}
'''
GOOD = LAYERS % '    - fully_connected: {num_neurons: 3}\n'


def check(condition, words):
    if not condition:
        failures.append(words)
        print('wrong:', words)


def run(*arguments, code, stdin=None, env=None, cwd):
    outcome = subprocess.run([program, *arguments], cwd=cwd, input=stdin, text=True, capture_output=True,
                             env={**os.environ, **(env or {})})
    what = 'lbann-compile ' + ' '.join(map(str, arguments))
    check(outcome.returncode == code,
          f'{what}: exit code {outcome.returncode}, not {code}\n{outcome.stdout}{outcome.stderr}')
    check(outcome.returncode != 0 or outcome.stderr == '', f'{what}: says {outcome.stderr}')
    check(outcome.returncode == 0 or outcome.stderr != '', f'{what}: says nothing')
    return outcome


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    good, bad = folder / 'good.yaml', folder / 'bad.yaml'
    good.write_text(GOOD)
    bad.write_text(GOOD.replace('num_neurons', 'num_neuron'))

    def files():
        return sorted(p.name for p in folder.iterdir())

    before = files()
    # 1: the experiment is wrong; nothing is left behind.
    outcome = run('bad.yaml', code=1, cwd=folder)
    check('bad.yaml:7:25: error[unknown-field]' in outcome.stderr, outcome.stderr)
    check('\033[' not in outcome.stderr, 'colour in a file')
    # 2: the command line is wrong.
    run('good.yaml', '--nonsense', code=2, cwd=folder)
    run('good.yaml', '--set', 'trainer.mini_batch_size=x', code=2, cwd=folder)
    run('good.yaml', '--set', 'trainer.mini_batch_siz=3', code=2, cwd=folder)
    run('good.yaml', '--field', 'samples=x', code=2, cwd=folder)
    run('good.yaml', '--stop-after', 'nowhere', code=2, cwd=folder)
    run(code=2, cwd=folder)
    # 3: files.
    run('missing.yaml', code=3, cwd=folder)
    run('.', code=3, cwd=folder)
    run('good.yaml', '-o', 'no/such/folder/plan.bin', code=3, cwd=folder)
    run('good.yaml', '-o', '.', code=3, cwd=folder)
    if Path('/dev/full').exists():
        run('good.yaml', '-o', '/dev/full', code=3, cwd=folder)
        with open('/dev/full', 'w') as full:
            outcome = subprocess.run([program, 'good.yaml', '--check', '--dump-after', 'graph'], cwd=folder, stdout=full,
                                     stderr=subprocess.PIPE)
            check(outcome.returncode == 3, f'/dev/full as standard output: {outcome.returncode}')
    check(files() == before, f'left behind: {files()}')
    # 0: good.
    run('good.yaml', '--check', code=0, cwd=folder)
    run('good.yaml', '--stop-after', 'experiment', code=0, cwd=folder)
    check(files() == before, f'written although nothing was asked for: {files()}')
    run('good.yaml', code=0, cwd=folder)
    check(files() == sorted([*before, 'plan.bin']), f'files: {files()}')
    first = (folder / 'plan.bin').read_bytes()
    run('-', '-o', 'other.bin', code=0, stdin=GOOD, cwd=folder)
    run('good.yaml', '--set', 'model.layers.fully_connected.num_neurons=5', '-o', 'plan.bin', code=0, cwd=folder)
    check((folder / 'plan.bin').read_bytes() != first, 'an override changes nothing')
    run('good.yaml', '-o', 'again.bin', code=0, cwd=folder)
    check((folder / 'again.bin').read_bytes() == first, 'two compilations differ')
    elsewhere = folder / 'elsewhere'
    elsewhere.mkdir()
    (elsewhere / 'good.yaml').write_text(GOOD)
    run('good.yaml', code=0, cwd=elsewhere, env={'TZ': 'Asia/Tokyo', 'LC_ALL': 'C'})
    check((elsewhere / 'plan.bin').read_bytes() == first, 'the plan depends on its folder')
    # A plan that cannot be made leaves the old one alone.
    run('bad.yaml', code=1, cwd=folder)
    check((folder / 'plan.bin').exists(), 'the old plan is gone')

    # A warning lets the plan pass unless it may not.
    (folder / 'odd.yaml').write_text(GOOD.replace('  objective_function:\n    - layer_term: {layer: loss}\n', ''))
    for arguments, code in ((['--check'], 0), (['--check', '--warnings-as-errors'], 1), (['-o', 'odd.bin', '--warnings-as-errors'], 1),
                            (['--check', '--warnings-as-errors', '--format', 'json'], 1)):
        outcome = subprocess.run([program, 'odd.yaml', *arguments], cwd=folder, text=True, capture_output=True)
        check(outcome.returncode == code and 'no-objective' in outcome.stderr + outcome.stdout, f'{arguments}: {outcome.returncode}\n{outcome.stderr}')
        check(('1 warning, and --warnings-as-errors lets none pass' in outcome.stderr) == (code == 1 and 'json' not in arguments),
              f'{arguments}: {outcome.stderr}')
    check(not (folder / 'odd.bin').exists(), 'a plan in spite of --warnings-as-errors')
    (folder / 'odd.yaml').unlink()
    run('good.yaml', '--check', '--warnings-as-errors', code=0, cwd=folder)

    # Stages and passes by name; each dump shows something.
    stages = [line.split()[0] for line in run('--list-stages', code=0, cwd=folder).stdout.splitlines()
              if line and line[0] != ' ']
    passes = [line.split()[0] for line in run('--list-passes', code=0, cwd=folder).stdout.splitlines()]
    on_ranks = [line.split()[0] for line in run('--list-passes', code=0, cwd=folder).stdout.splitlines()
                if ' On each rank: ' in line]
    check(on_ranks[0] == 'bind' and on_ranks[-1] == 'place', f'passes on ranks: {on_ranks}')
    check(stages == ['source', 'experiment', 'graph', 'plan'], f'stages: {stages}')
    check(len(passes) > 5, f'passes: {passes}')
    for place in [*stages, *passes]:
        dump = run('good.yaml', '--check', '--dump-after', place, code=0, cwd=folder).stdout
        check('loss' in dump, f'--dump-after {place}: {dump[:200]}')
        (folder / 'stopped.bin').unlink(missing_ok=True)
        if place in on_ranks:
            result = run('good.yaml', '--stop-after', place, '-o', 'stopped.bin', code=2, cwd=folder)
            check('runs on each rank' in result.stderr, f'--stop-after {place}: {result.stderr}')
            continue
        run('good.yaml', '--stop-after', place, '-o', 'stopped.bin', code=0, cwd=folder)
        check((folder / 'stopped.bin').exists() == (place == 'plan'), f'--stop-after {place} -o')
    dump = run('good.yaml', '--dump-after', 'experiment', '--check', code=0, cwd=folder).stdout
    again = run('-', '--dump-after', 'experiment', '--check', code=0, stdin=dump, cwd=folder).stdout
    check(again == dump, 'the experiment printed and read again is another one')

    # The program of one rank of a run, from an experiment or from its plan.
    run('good.yaml', '-o', 'ranks.bin', code=0, cwd=folder)
    where = ('--dump-after', 'place', '--ranks', '4', '--rank', '3', '--procs-per-trainer', '2')
    result = run('ranks.bin', *where, code=2, cwd=folder)
    check('there is no rank 3 in a trainer of 2; the last is 1' in result.stderr, result.stderr)
    dumps = [run(file, '--check', '--dump-after', 'place', '--ranks', '2', '--rank', '1', '--mini-batch', '7', code=0,
                 cwd=folder).stdout for file in ('good.yaml', 'ranks.bin')]
    check(dumps[0] == dumps[1] and 'largest local batch 3\n' in dumps[0], dumps)
    check('train: sum posted by instruction' in dumps[0], dumps[0])
    run('good.yaml', '--check', '--dump-after', 'place', '--rank', '1', code=2, cwd=folder)

    # Odd files end in one message, never in a crash.
    for odd in (b'', b'\0' * 100, os.urandom(4096), b'[' * 100000, b'a: ' * 50000, b'- ' * 50000,
                b'\xef\xbb\xbf', b'\xff\xfe\x00', b'x: &x [*x]', b'{' * 300, b'a\r\nb\r\n' * 1000,
                b'"' + b'a' * 1000000, b'? ' * 10000, b'!' * 10000, b'%YAML 9.9\n---\na: b\n'):
        (folder / 'odd.yaml').write_bytes(odd)
        run('odd.yaml', code=1, cwd=folder)

    # Text that is lost is an error, text that nobody wants to read is not; plans are written all the same.
    def shell(line, code):
        outcome = subprocess.run(['bash', '-c', line, program], cwd=folder, text=True, capture_output=True)
        check(outcome.returncode == code, f'{line}: exit code {outcome.returncode}, not {code}\n{outcome.stderr}')
        return outcome.stderr

    (folder / 'good.yaml').write_text(GOOD)
    for printing in ('--print-schema', '--help', '--list-passes', '--list-stages', '--reference layers',
                     '--explain unknown-field', 'good.yaml --emit yaml', 'good.yaml --check --dump-after graph',
                     'good.yaml --report memory'):
        for lost in ('> /dev/full', '>&-'):
            words = shell(f'"$0" {printing} {lost}', 3)
            check(words.count('standard output cannot be written') == 1, f'{printing} {lost}: {words}')
        words = shell(f'"$0" {printing} | true; exit ${{PIPESTATUS[0]}}', 0)
        check(words == '', f'{printing}, which nobody reads: {words}')
    for closed in ('<&-', '>&-', '<&- >&-', '<&- >&- 2>&-'):
        shell(f'"$0" good.yaml -o closed.bin {closed} && cmp closed.bin <("$0" good.yaml -o /dev/stdout)', 0)
    words = shell('ulimit -f 1; "$0" good.yaml -o limited.bin', 3)
    check('File too large' in words and not list(folder.glob('limited.bin*')), f'a file that may not grow: {words}')

    # A step of every process in files, or nothing.
    run('good.yaml', '--replay', 'steps', '--ranks', '2', code=0, cwd=folder)
    names = (folder / 'steps' / 'replay.txt').read_text().split()
    check([Path(name).name for name in names] == ['rank0.txt', 'rank1.txt'], f'replayed: {names}')
    for rank, name in enumerate(names):
        lines = Path(name).read_text().splitlines()
        check((lines[0], lines[-1]) == (f'{rank} init', f'{rank} finalize'), f'{name}: {lines}')
    run('good.yaml', '--replay', 'good.yaml', code=3, cwd=folder)
    run('good.yaml', '--replay', 'none', '--ranks', '3', '--procs-per-trainer', '2', code=2, cwd=folder)
    check(not (folder / 'none').exists(), 'a folder for steps of an impossible run')

    # Pipes and devices are not waited for, unless the shell has opened them.
    os.mkfifo(folder / 'pipe.yaml')
    (folder / 'includes.yaml').write_text('include: pipe.yaml\n' + GOOD)
    for path in ('pipe.yaml', '/dev/zero', '/dev/full', '.'):
        run(path, code=3, cwd=folder)
    run('includes.yaml', code=1, cwd=folder)
    for given in ('< good.yaml "$0" /dev/stdin', '"$0" <(cat good.yaml)', 'cat good.yaml | "$0" -',
                  '(exec 7< good.yaml; "$0" /dev/fd/7)'):
        shell(f'{given} --check' if not given.startswith('(') else given.replace('fd/7', 'fd/7 --check'), 0)
    shell('"$0" good.yaml -o /dev/stdout | "$0" - --report memory', 0)

    # 10,000 layers; a quadratic way would take minutes: no end before the test's own.
    (folder / 'large.yaml').write_text(LAYERS % ''.join(
        f'    - fully_connected: {{name: fc{i}, num_neurons: 8}}\n    - relu:\n' for i in range(5000)))
    run('large.yaml', '-o', 'large.bin', code=0, cwd=folder)

print(f'{len(failures)} complaints')
sys.exit(1 if failures else 0)
