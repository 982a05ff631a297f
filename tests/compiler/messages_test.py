# What lbann-compile writes: pages, formats, colour, many files at once, and what it refuses in little memory.
import json
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

from smallest_experiment import GOOD

program, experiments = (Path(argument).resolve() for argument in sys.argv[1:3])
sanitized = b'__asan_init' in program.read_bytes()  # memory is counted in plain builds only
failures = []

BAD = GOOD.replace('num_neurons', 'num_neuron').replace('learn_rate', 'lr')


def check(condition, *words):
    if not condition:
        failures.append(words)
        print('wrong:', *words)


def run(*arguments, cwd, code=0, env=None):
    outcome = subprocess.run([program, *map(str, arguments)], cwd=cwd, text=True, capture_output=True,
                             env={**os.environ, **(env or {})})
    check(outcome.returncode == code, arguments, 'exit code', outcome.returncode, outcome.stdout, outcome.stderr)
    return outcome


def on_terminal(folder, **env):
    """What is written to a terminal."""
    leader, follower = pty.openpty()
    child = subprocess.Popen([program, 'bad.yaml'], cwd=folder, stderr=follower, stdout=subprocess.DEVNULL,
                             env={'PATH': os.environ['PATH'], 'TERM': 'xterm', **env})
    os.close(follower)
    text = b''
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(leader)
    check(child.wait() == 1, 'exit code on a terminal', child.returncode)
    return text.decode()


def pages(folder):
    page = run('--explain', 'slice-point', cwd=folder).stdout
    for part in ('## slice-point', 'experiment.yaml:7:29: error[slice-point]', 'Instead:', '- ', '+ '):
        check(part in page, 'the page lacks', part, page)
    layer = run('--explain', 'convolution', cwd=folder).stdout
    check(layer.startswith('## convolution\n') and '- convolution: {' in layer, 'page of a layer')
    check('did you mean `convolution`' in run('--explain', 'convolutoin', cwd=folder, code=2).stderr, 'nearest layer')
    check('did you mean `slice-point`?' in run('--explain', 'slice-pint', cwd=folder, code=2).stderr, 'nearest code')


def formats(folder):
    lines = run('bad.yaml', '--format', 'json', cwd=folder, code=1).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    check([d['code'] for d in found] == ['unknown-field'] * 2, found)
    place = found[0]['place']
    text = BAD.encode()
    check(text[place['begin']:place['end']] == b'num_neuron' and place['file'] == 'bad.yaml', place)
    check((place['line'], place['column'], place['end_column']) == (7, 35, 45), place)
    check(found[0]['suggestions'][0] == 'num_neurons' and found[1]['suggestions'][0] == 'learn_rate', found)
    lines = run('bad.yaml', '--format', 'github', cwd=folder, code=1).stdout.splitlines()
    check(len(lines) == 2 and lines[0].startswith('::error file=bad.yaml,line=7,col=35,'), lines)
    check(run('good.yaml', '--format', 'json', '--check', cwd=folder).stdout == '', 'good and not silent')
    run('bad.yaml', '--format', 'xml', cwd=folder, code=2)


def colour(folder):
    check('\033[' in on_terminal(folder), 'no colour on a terminal')
    check('\033[' not in on_terminal(folder, NO_COLOR='1'), 'colour in spite of NO_COLOR')
    check('\033[' in on_terminal(folder, NO_COLOR=''), 'no colour although NO_COLOR is empty')
    check('\033[' not in on_terminal(folder, TERM='dumb'), 'colour on a dumb terminal')


def many(folder):
    tree = folder / 'tree'
    (tree / 'sub').mkdir(parents=True)
    for name, text in (('a.yaml', GOOD), ('b.yaml', BAD), ('sub/c.yaml', '{'), ('sub/d.yml', GOOD),
                       ('sub/_part.yaml', 'x'), ('sub/e.toml', '['), ('sub/.hidden.yaml', 'x'), ('note.txt', 'x')):
        (tree / name).write_text(text)
    before = sorted(folder.rglob('*'))
    outcome = run('--check', 'tree', 'good.yaml', cwd=folder, code=1)
    check(outcome.stdout == '6 experiments checked, 3 wrong\n', outcome.stdout)
    check('tree/b.yaml:7:35: error[unknown-field]' in outcome.stderr and 'tree/sub/c.yaml:1:' in outcome.stderr,
          outcome.stderr)
    outcome = run('--check', 'good.yaml', 'none.yaml', 'bad.yaml', cwd=folder, code=3)
    check('none.yaml: cannot be opened' in outcome.stderr and 'bad.yaml:7:35' in outcome.stderr, outcome.stderr)
    check(sorted(folder.rglob('*')) == before, 'a check has written')
    run('good.yaml', 'bad.yaml', cwd=folder, code=2)


def measured(folder, *arguments):
    """Exit code and largest memory in MiB of a run."""
    child = subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024


def memory_of_many(folder):
    """Memory does not grow with the number of files."""
    text = (experiments / 'lenet_digits/experiment.yaml').read_text()
    amounts = {}
    for count in (20, 200):
        tree = folder / f'lenet{count}'
        tree.mkdir()
        for i in range(count):
            (tree / f'{i}.yaml').write_text(text)
        code, amounts[count] = measured(folder, '--check', tree.name)
        check(code == 0, 'LeNet is wrong')
    print(f'files of LeNet size: 200 take {amounts[200]:.0f} MiB, 20 take {amounts[20]:.0f} MiB')
    check(sanitized or amounts[200] < 1.2 * amounts[20] + 8, 'memory grows with the number of files', amounts)


def limits(folder):
    """What asks for too much is one message, in half a GiB. tests/compiler/experiment/expanding/growth_test.cpp counts the work."""
    layers = '    - fully_connected: {name: fc, num_neurons: 3}\n'

    def with_layers(text, head=''):
        return head + GOOD.replace(layers, text)

    deep = 'x: ' + '[' * 10000 + ']' * 10000 + '\n'
    bomb = ''.join(f'x-{i}: &a{i} [{", ".join([f"*a{i - 1}" if i else "1"] * 10)}]\n' for i in range(20))
    texts = {
        'repeat 10^12': with_layers('    - repeat: {times: 1000000000000, entries: [{relu: }]}\n'),
        'repeat in repeat': with_layers('    - repeat: {times: 1000, entries: [{repeat: {times: 1000, entries: '
                                        '[{repeat: {times: 1000, entries: [{relu: }]}}]}}]}\n'),
        'repeat of nothing': with_layers('    - repeat: {times: 1000000, entries: [{repeat: {times: 1000000, '
                                         'entries: []}}]}\n'),
        'calls in calls': with_layers('    - call: {module: m0}\n', 'modules:\n' + ''.join(
            f'  m{i}: {{layers: [{", ".join([f"{{call: {{module: m{i + 1}}}}}"] * 10)}]}}\n' for i in range(12)) +
            '  m12: {layers: [{relu: }]}\n'),
        'neurons': with_layers('    - fully_connected: {num_neurons: 9000000000000000000}\n'),
        'expression': with_layers('    - fully_connected: {num_neurons: "${9000000000 * 9000000000}"}\n'),
        'nested expression': with_layers(f'    - fully_connected: {{num_neurons: "${{{"(" * 5000}1{")" * 5000}}}"}}\n'),
        'choices': with_layers('    - fully_connected: {num_neurons: "${' + '1 if false else ' * 5000 + '1}"}\n'),
        'dims': GOOD.replace('num_samples: 8}', 'num_samples: 8, fields: {samples: {dims: [4000000000, 4000000000]}}}'),
        'deep nesting': deep + GOOD,
        'aliases': bomb + GOOD,
        'variables': 'variables:\n  a0: xxxxxxxxxx\n' + ''.join(
            f'  a{i}: "{f"${{a{i - 1}}}" * 10}"\n' for i in range(1, 10)) + GOOD,
        'long values': GOOD.replace('num_neurons: 3', f'num_neurons: {"x" * (10 << 20)}'),
    }
    for name, text in texts.items():
        (folder / 'limit.yaml').write_text(text)
        code, memory = measured(folder, 'limit.yaml', '--check')
        print(f'{name}: {memory:.0f} MiB')
        check(code == 1, name, 'exit code', code)
        check(sanitized or memory < 512, name, memory)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    (folder / 'good.yaml').write_text(GOOD)
    (folder / 'bad.yaml').write_text(BAD)
    for part in (pages, formats, colour, many, memory_of_many, limits):
        part(folder)
print(f'{len(failures)} complaints')
sys.exit(1 if failures else 0)
