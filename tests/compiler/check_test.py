# `lbann-compile --check` as CI uses it: what is looked at, formats, exit codes, and the hook, action and job that are shipped.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import yaml

from smallest_experiment import GOOD

program, root = (Path(argument).resolve() for argument in sys.argv[1:3])
failures = []

BAD = GOOD.replace('num_neurons', 'num_neuron')
WARNED = GOOD.replace('  objective_function:\n    - layer_term: {layer: loss}\n', '')
PART = 'optimizer: {sgd: {learn_rate: 0.1}}\n'
INCLUDES = 'include: _common.yaml\n' + GOOD.replace(PART, '')
UNKNOWN = GOOD.replace('digits: {role: train, num_samples: 8}', 'numpy: {role: train, data_filename: far.npy, disable_labels: true}')


def check(condition, *words):
    if not condition:
        failures.append(words)
        print('wrong:', *words)


def run(*arguments, cwd, code=0):
    outcome = subprocess.run([program, *map(str, arguments)], cwd=cwd, text=True, capture_output=True)
    check(outcome.returncode == code, arguments, 'exit code', outcome.returncode, outcome.stdout, outcome.stderr)
    return outcome


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def what_is_looked_at(folder):
    write(folder, {'good.yaml': GOOD, 'old/bad.yaml': BAD, 'old/kept.yaml': GOOD, 'sub/deep/bad.toml': '[', 'docs.yaml': 'a: 1',
                   '.lbannignore': '# not experiments\n/docs.yaml\nold/bad.*\n', 'sub/.lbannignore': '*.toml\n'})
    check(run('--check', '.', cwd=folder).stdout == '2 experiments checked, 0 wrong\n')
    check(run('--check', 'old', cwd=folder).stdout == '1 experiment checked, 0 wrong\n', 'patterns of the folder above')
    check(run('--check', folder / 'old', cwd=folder).stdout == '1 experiment checked, 0 wrong\n', 'an absolute path')
    run('--check', 'old/', cwd=folder / 'sub', code=3)
    run('--check', '.', cwd=folder / 'old', code=1)  # what lies above the working directory does not count
    run('--check', 'old/bad.yaml', cwd=folder, code=1)  # named, it is looked at
    outcome = run('--check', 'sub', cwd=folder, code=2)
    check('no experiment lies below sub' in outcome.stderr, outcome.stderr)
    (folder / 'sub/.lbannignore').unlink()
    (folder / '.lbannignore').write_text('*.yaml\n*.toml\n!good.yaml\n')
    check(run('--check', '.', cwd=folder).stdout == '1 experiment checked, 0 wrong\n', 'taken back')


def affected(folder):
    write(folder, {'good.yaml': GOOD, 'bad.yaml': BAD, 'a/_common.yaml': PART, 'a/includes.yaml': INCLUDES, 'a/unlike.yaml': GOOD,
                   'a/table.yaml': UNKNOWN})
    for files, examined in (([], 0), (['good.yaml'], 1), (['a/_common.yaml'], 1), (['./a/../a/_common.yaml', 'good.yaml'], 2),
                            (['README.md'], 0), ([folder / 'a' / 'unlike.yaml'], 1)):
        said = run('--check', '.', '--affected-by', *files, cwd=folder).stdout
        check(said.startswith(f'{examined} experiment'), files, said)
    (folder / 'a/_common.yaml').write_text(PART.replace('learn_rate', 'lr'))
    said = run('--check', '.', '--affected-by', 'a/_common.yaml', cwd=folder, code=1).stderr
    check('a/_common.yaml:1:' in said and 'bad.yaml' not in said, said)
    (folder / 'a/_common.yaml').unlink()
    said = run('--check', '.', '--affected-by', 'a/_common.yaml', cwd=folder, code=1).stderr
    check('a/includes.yaml:1:10: error[include-file]' in said, said)
    run('--check', '.', '--affected-by', 'a/far.npy', cwd=folder, code=5)
    run('good.yaml', '--affected-by', 'good.yaml', cwd=folder, code=2)


def without_data(folder):
    write(folder, {'good.yaml': GOOD, 'cluster/away.yaml': UNKNOWN, 'dims.txt': '# elsewhere\ncluster samples=28x28\n'})
    outcome = run('--check', '.', cwd=folder, code=5)
    check('cluster/away.yaml:3:41: unknown[missing-data-file]' in outcome.stderr, outcome.stderr)
    check('2 experiments checked, 0 wrong, 1 not to the end' in outcome.stdout, outcome.stdout)
    run('cluster/away.yaml', cwd=folder, code=5)
    check(run('--check', '.', '--fields-from', 'dims.txt', cwd=folder).stdout == '2 experiments checked, 0 wrong\n', 'dims given')
    run('--check', '.', '--affected-by', 'dims.txt', '--fields-from', 'dims.txt', cwd=folder)
    (folder / 'dims.txt').write_text('cluster samples=28xx28\n')
    check('dims.txt:1:9: error[field-syntax]' in run('--check', '.', '--fields-from', 'dims.txt', cwd=folder, code=1).stderr,
          'wrong dims in a file')
    (folder / 'dims.txt').write_text('\ncluster\n')
    check('dims.txt:2: a line is a pattern' in run('--check', '.', '--fields-from', 'dims.txt', cwd=folder, code=3).stderr, 'no dims')
    run('--check', '.', '--fields-from', 'none.txt', cwd=folder, code=3)
    write(folder, {'bad.yaml': BAD})
    run('--check', '.', cwd=folder, code=1)  # what is wrong weighs more


def sarif_is_valid(log, folder):
    """What SARIF 2.1.0 requires of the properties that are written."""
    check(log['version'] == '2.1.0' and log['$schema'].endswith('sarif-2.1.0.json'), 'version')
    (once,) = log['runs']
    rules = once['tool']['driver']['rules']
    check(len({rule['id'] for rule in rules}) == len(rules), 'rules twice')
    for result in once['results']:
        check(rules[result['ruleIndex']]['id'] == result['ruleId'], 'index of a rule')
        check(result['level'] == 'none' if result['kind'] != 'fail' else result['level'] in ('error', 'warning', 'note'), result['level'])
        check(result['message']['text'], 'no words')
        for place in result['locations'] + result.get('relatedLocations', []):
            place = place['physicalLocation']
            check((folder / place['artifactLocation']['uri'].replace('%20', ' ')).exists() or result['ruleId'] == 'unreadable-file', place)
            region = place['region']
            check(region['startLine'] >= 1 and region['startColumn'] >= 1 and region['endLine'] >= region['startLine'], region)


def formats(folder):
    write(folder, {'good.yaml': GOOD, 'a b/bad.yaml': BAD, 'warned.yaml': WARNED, 'far.yaml': UNKNOWN,
                   'twice.yaml': GOOD.replace('    - l2', '    - relu: {strid: 1}\n    - relu: {strid: 1}\n    - l2')})
    expected = {'twice.yaml': 'unknown-field', 'a b/bad.yaml': 'unknown-field', 'warned.yaml': 'no-objective', 'far.yaml': 'missing-data-file',
                'none.yaml': 'unreadable-file'}

    def all_files(format, *more):
        return run('--check', *sorted(expected), 'good.yaml', '--format', format, *more, cwd=folder, code=3)

    lines = [json.loads(line) for line in all_files('json').stdout.splitlines()]
    check({line['place']['file']: line['code'] for line in lines} == expected, lines)
    check({line['severity'] for line in lines} == {'error', 'warning', 'unknown'}, lines)
    lines = all_files('github').stdout.splitlines()
    check(len(lines) == 6 and all(re.match('::(error|warning|notice) file=', line) for line in lines), lines)

    log = json.loads(all_files('sarif').stdout)
    sarif_is_valid(log, folder)
    results = log['runs'][0]['results']
    check({result['ruleId']: result['kind'] for result in results}['missing-data-file'] == 'open', 'not known is open')
    place = next(result for result in results if 'a%20b' in str(result))['locations'][0]['physicalLocation']
    check(place == {'artifactLocation': {'uri': 'a%20b/bad.yaml'},
                    'region': {'startLine': 7, 'startColumn': 35, 'endLine': 7, 'endColumn': 45}}, place)

    report = json.loads(all_files('gitlab').stdout)
    check({entry['location']['path']: entry['check_name'] for entry in report} == expected, report)
    check(len({entry['fingerprint'] for entry in report}) == len(report) == 6, 'fingerprints')
    check({entry['severity'] for entry in report} == {'critical', 'minor', 'info'}, report)
    (folder / 'a b/bad.yaml').write_text('# a line more\n' + BAD)
    again = json.loads(all_files('gitlab').stdout)
    check({entry['fingerprint'] for entry in report} == {entry['fingerprint'] for entry in again}, 'a fingerprint moved with its line')

    suite = ElementTree.fromstring(all_files('junit').stdout).find('testsuite')
    check((suite.get('tests'), suite.get('failures'), suite.get('skipped')) == ('6', '3', '1'), suite.attrib)
    cases = {case.get('name'): [part.tag for part in case] for case in suite}
    check(cases == {'good.yaml': [], 'a b/bad.yaml': ['failure'], 'twice.yaml': ['failure'], 'none.yaml': ['failure'], 'far.yaml': ['skipped'],
                    'warned.yaml': ['system-err']}, cases)

    for format in ('human', 'json', 'github', 'sarif', 'gitlab', 'junit'):
        outcome = all_files(format, '-o', 'found')
        check(outcome.stderr == '' and 'none.yaml' in (folder / 'found').read_text(), format, outcome)
        check(outcome.stdout == '' or format == 'human', outcome.stdout)
    run('--check', 'good.yaml', '--format', 'json', '-o', 'no/where', cwd=folder, code=3)
    run('good.yaml', '--format', 'json', '--emit', 'yaml', cwd=folder, code=2)
    run('--check', 'good.yaml', '--format', 'json', '--emit', 'yaml', '-o', 'found', cwd=folder)
    check(json.loads(run('--check', '.', '--format', 'sarif', '--affected-by', cwd=folder).stdout)['runs'][0]['results'] == [], 'nothing found')


def repository(folder, **environment):
    """A git repository of experiments, the second commit of which breaks what one includes."""
    write(folder, {'good.yaml': GOOD, 'bad.yaml': BAD, 'a/_common.yaml': PART, 'a/includes.yaml': INCLUDES})

    def git(*arguments):
        subprocess.run(['git', '-c', 'user.name=x', '-c', 'user.email=x', *arguments], cwd=folder, check=True, capture_output=True)

    git('init', '-b', 'main')
    git('add', '.')
    git('commit', '-m', 'one')
    (folder / 'a/_common.yaml').write_text(PART.replace('learn_rate', 'lr'))
    return git


def hook(folder):
    if shutil.which('pre-commit') is None:
        return print('pre-commit is not installed: its hook is not run')
    git = repository(folder)
    hooks = yaml.safe_load((root / '.pre-commit-hooks.yaml').read_text())
    (folder / '.pre-commit-config.yaml').write_text(yaml.safe_dump({'repos': [{'repo': 'local', 'hooks': hooks}]}))
    git('add', 'a/_common.yaml')
    outcome = subprocess.run(['pre-commit', 'run'], cwd=folder, text=True, capture_output=True,
                             env={**os.environ, 'PATH': f'{program.parent}:{os.environ["PATH"]}', 'PRE_COMMIT_HOME': str(folder / '.home')})
    check(outcome.returncode == 1 and 'a/_common.yaml:1:' in outcome.stdout and 'bad.yaml' not in outcome.stdout, outcome)
    check(subprocess.run(['pre-commit', 'validate-manifest', root / '.pre-commit-hooks.yaml'], capture_output=True).returncode == 0,
          'pre-commit refuses the manifest')


def bash(script, cwd, **environment):
    return subprocess.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], cwd=cwd, text=True, capture_output=True,
                          env={**os.environ, **environment})


def action(folder):
    """The steps of the action, with inputs put in as GitHub does."""
    git = repository(folder)
    git('commit', '-am', 'two')
    action = yaml.safe_load((root / 'scripts/check/action.yml').read_text())
    (step,) = action['runs']['steps']

    def outcome(**inputs):
        values = {name: str(entry['default']) for name, entry in action['inputs'].items()} | inputs
        environment = {name: re.sub(r'\$\{\{ inputs\.([a-z-]+) \}\}', lambda found: values[found[1]], value)
                       for name, value in step['env'].items()}
        return bash(step['run'], folder, **environment)

    changed = outcome(**{'lbann-compile': str(program), 'changed-since': 'HEAD~1', 'sarif': 'found.sarif'})
    check(changed.returncode == 1 and changed.stdout.startswith('::error file=a/_common.yaml,line=1,'), changed)
    check(len(changed.stdout.splitlines()) == 1, changed)
    sarif_is_valid(json.loads((folder / 'found.sarif').read_text()), folder)
    everything = outcome(**{'lbann-compile': str(program)})
    check(everything.returncode == 1 and len(everything.stdout.splitlines()) == 2, everything)
    fine = outcome(**{'lbann-compile': str(program), 'paths': 'good.yaml', 'arguments': '--warnings-as-errors'})
    check((fine.returncode, fine.stdout) == (0, ''), fine)


def pipeline(folder):
    """The script of GitLab's job."""
    repository(folder)
    (job,) = yaml.safe_load((root / 'scripts/check/gitlab.yml').read_text()).values()
    environment = {**job['variables'], 'PATH': f'{program.parent}:{os.environ["PATH"]}'}
    outcome = bash('\n'.join(job['script']), folder, **environment)
    check(outcome.returncode == 1 and '3 experiments checked, 2 wrong' in outcome.stdout, outcome)
    reports = job['artifacts']['reports']
    check(len(json.loads((folder / reports['codequality']).read_text())) == 2, 'Code Quality')
    check(ElementTree.parse(folder / reports['junit']).getroot().find('testsuite').get('failures') == '2', 'test report')
    outcome = bash('\n'.join(job['script']), folder, **{**environment, 'LBANN_CHECK_PATHS': 'good.yaml'})
    check(outcome.returncode == 0, outcome)


for test in (what_is_looked_at, affected, without_data, formats, hook, action, pipeline):
    with tempfile.TemporaryDirectory() as scratch:
        test(Path(scratch).resolve())
sys.exit(f'{len(failures)} wrong' if failures else 0)
