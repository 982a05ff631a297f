"""`lbann-compile --diff`: two experiments in any syntax, or plans, beside each other.

  diff_test.py COMPILER EXPERIMENTS
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

program, experiments = (Path(argument).resolve() for argument in sys.argv[1:3])
failures = []
LENET = experiments / 'lenet_digits/experiment.yaml'


def check(good, words):
    if not good:
        failures.append(words)


def run(*arguments, code=0, cwd=None):
    done = subprocess.run([program, *arguments], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == code, f'{arguments}: exit code {done.returncode}, not {code}: {done.stdout}{done.stderr}')
    return done


def same_in_all_forms(folder):
    forms = [LENET, folder / 'lenet.toml', folder / 'lenet.bin', folder / 'minimal.yaml']
    forms[1].write_text(run(LENET, '--emit', 'toml').stdout)
    forms[3].write_text(run(LENET, '--emit', 'yaml').stdout)
    run(LENET, '-o', forms[2])
    for form in forms[1:]:
        said = run('--diff', LENET, form).stdout
        check(said == f'{LENET} and {form} mean the same\n', said)


def plans(folder):
    """Plans hold what they were made of, overrides and included files too."""
    (folder / 'common.yaml').write_text(LENET.read_text())
    (folder / 'e.yaml').write_text('include: common.yaml\n')
    run('e.yaml', '-o', 'a.bin', cwd=folder)
    run('e.yaml', '-o', 'b.bin', '--set', 'trainer.mini_batch_size=32', cwd=folder)
    (folder / 'common.yaml').write_text('changed since')
    said = run('--diff', 'a.bin', 'b.bin', cwd=folder).stdout
    check('  trainer.mini_batch_size: 64 -> 32\n' in said and said.count('\n  ') == 1, said)
    # What the command line says holds for both, and after what a plan was made with.
    said = run('--diff', 'a.bin', 'b.bin', '--set', 'trainer.mini_batch_size=16', cwd=folder).stdout
    check(said == 'a.bin and b.bin mean the same\n', said)


def costs(folder):
    text = LENET.read_text()
    (folder / 'wide.yaml').write_text(text.replace('num_neurons: 84', 'num_neurons: 168'))
    told = json.loads(run('--diff', LENET, folder / 'wide.yaml', '--report-format', 'json', '--ranks', '2').stdout)
    check(told['differences'] == [{'path': 'model.layers.fc2.num_neurons', 'before': '84', 'after': '168'}], told)
    check(told['same_meaning'] is False, told)
    # 120 x 84 weights and 84 biases more in fc2, 84 x 10 more in fc3.
    before, after = told['costs']['parameters that are trained']
    check(after - before == 120 * 84 + 84 + 84 * 10, told)
    sent = told['costs']['bytes sent in a training step, by a rank']
    # Gradients in f32, padded, and a few numbers of the step.
    # Each of two ranks on a node reads half of the other one's gradients.
    check(2 * before <= sent[0] and abs(sent[1] - sent[0] - 2 * (after - before)) < 512, told)
    # Forward, and twice as much backward, for 32 of 64 samples on each rank.
    operations = told['costs']['operations of a training step, of a rank']
    check(operations[1] - operations[0] >= 3 * 32 * 2 * (120 * 84 + 84 * 10), told)


def refused(folder):
    (folder / 'wrong.yaml').write_text('trainer: 3\n')
    check('wrong.yaml' in run('--diff', LENET, folder / 'wrong.yaml', code=1).stderr, 'a wrong experiment')
    run('--diff', LENET, folder / 'none.yaml', code=3)
    (folder / 'cut.bin').write_bytes((folder / 'lenet.bin').read_bytes()[:3000])
    run('--diff', folder / 'cut.bin', LENET, code=3)
    for arguments in ([LENET], [LENET, LENET, LENET], [LENET, LENET, '--check'], [LENET, LENET, '--summary'],
                      [LENET, LENET, '--stop-after', 'graph'], [LENET, LENET, '--format', 'json']):
        check('--diff' in run('--diff', *arguments, code=2).stderr, arguments)


with tempfile.TemporaryDirectory() as name:
    for test in (same_in_all_forms, plans, costs, refused):
        test(Path(name))
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
