"""scripts/everything over parts of its own: which it chooses for a change, in which order, and what it says of each.

  everything_test.py SOURCE_ROOT
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

source = Path(sys.argv[1])
failed = 0


class Tree:
    """A project under git with fake parts: {name: (lines of its first comment, what it does)}."""

    def __init__(self, folder, parts):
        self.folder = folder
        self.time = 1_000_000_800  # of the next commit; on the hour
        (folder / 'scripts' / 'parts').mkdir(parents=True)
        shutil.copy(source / 'scripts' / 'everything', folder / 'scripts' / 'everything')
        for name, (lines, body) in parts.items():
            file = folder / 'scripts' / 'parts' / name
            file.write_text('#!/bin/sh\n' + ''.join(f'# {line}\n' for line in lines) + body + '\n')
            file.chmod(0o755)
        self.git('init', '-q', '-b', 'main')

    def git(self, *arguments):
        date = f'{self.time} +0000'
        subprocess.run(['git', '-c', 'user.name=t', '-c', 'user.email=t@t', *arguments], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env=dict(os.environ, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date))

    def commit(self, *files, hours=0):
        """Changes these files, `hours` after the commit before."""
        self.time += 3600 * hours
        for file in files:
            path = self.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, 'a') as out:
                out.write('x\n')
        self.git('add', '-A')
        self.git('commit', '-q', '-m', 'change')

    def run(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if k != 'LBANN_CHANGE_BASE'}
        done = subprocess.run([sys.executable, self.folder / 'scripts' / 'everything', *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(environment, **variables))
        return done.returncode, done.stdout


def results(output):
    """[(result, part)] in order."""
    return re.findall(r'^(passed|failed|skipped|stopped|not run) +([\w-]+)', output, re.M)


def expect(truth, words, output):
    global failed
    if not truth:
        failed += 1
        print(f'{words}; printed was:\n{output}')


def part(*lines, body='exit 0'):
    return ('What it checks.', *lines), body


PARTS = {
    'tests': part('minutes: 8', 'always', body='echo 5 passed'),
    'a': part('minutes: 1', 'touched by: left'),
    'b': part('minutes: 1', 'touched by: right other/file.txt'),
    'c': part('minutes: 1', 'touched by: nothing'),
    'd': part('minutes: 1', 'touched by: nothing'),
}


def changed(*files, parts=PARTS, within='10', prepare=lambda tree: None, **variables):
    """Results and output where `files` changed two days after the first commit."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder), parts)
        tree.commit('left/old', 'right/old')
        tree.commit(*files, hours=48)
        prepare(tree)
        code, output = tree.run('--within', within, **variables)
        return results(output), output, code


# All parts, one after the other, on after failures; exit codes and the last line of each.
with tempfile.TemporaryDirectory() as folder:
    tree = Tree(Path(folder), {'tests': part('minutes: 8', 'always', body='echo 5 passed'),
                               'bad': part('minutes: 1', body='echo why it fails; exit 3'),
                               'absent': part('minutes: 1', body='echo skipped: no such thing; exit 77'),
                               'lacking': part('minutes: 1', 'needs: lbann-no-such-package'),
                               'good': part('minutes: 1', body='echo all is well')})
    code, output = tree.run()
    expect(code == 1, 'a failure does not fail the whole', output)
    wanted = [('passed', 'tests'), ('skipped', 'absent'), ('failed', 'bad'), ('passed', 'good')]
    if shutil.which('dpkg-query'):
        wanted.append(('skipped', 'lacking'))
        expect('lbann-no-such-package' in output, 'the missing package is not named', output)
    else:
        wanted.append(('passed', 'lacking'))
    expect(results(output) == wanted, f'not {wanted}', output)
    for words in ('why it fails', 'no such thing', 'all is well'):
        expect(words in output, f'"{words}" is missing', output)
    code, output = tree.run('good', 'tests')
    expect(code == 0 and results(output) == [('passed', 'tests'), ('passed', 'good')], 'not the named parts', output)
    code, output = tree.run('goood')
    expect(code == 2 and 'no part goood' in output, 'an unknown part passes', output)
    code, output = tree.run('--list')
    expect(code == 0 and output.count('What it checks.') == 5, 'not all parts are listed', output)

# What a change touches runs, and one other.
found, output, code = changed('left/new')
expect(code == 0 and found[:2] == [('passed', 'tests'), ('passed', 'a')], 'left touches a', output)
expect([result for result, _ in found[2:]] == ['passed', 'not run', 'not run'], 'one other in turn', output)
found, output, _ = changed('other/file.txt')
expect(found[:2] == [('passed', 'tests'), ('passed', 'b')], 'a file touches b', output)
found, output, _ = changed('other/file.txt.old', 'leftish/file')
expect([result for result, _ in found].count('passed') == 2, 'nothing is touched', output)
found, output, _ = changed('left/new', 'right/new')
expect({name for result, name in found[:3]} == {'tests', 'a', 'b'}, 'both are touched', output)

# The turn moves with the time.
turns = {changed('readme', prepare=lambda tree: tree.commit('readme', hours=hours))[0][1] for hours in range(4)}
expect(len(turns) == 4, 'not every part has its turn', str(turns))

# What the change is: since origin's branch, since a named commit, anything in a shallow clone.
found, output, _ = changed('left/new', prepare=lambda tree: (
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD'), tree.commit('right/new', hours=0)))
expect(found[1] == ('passed', 'b') and 'since origin/main' in output, 'only right changed since origin/main', output)
found, output, _ = changed('left/new', LBANN_CHANGE_BASE='HEAD')
expect('since HEAD: 0 files' in output, 'nothing changed since HEAD', output)
found, output, _ = changed('left/new', LBANN_CHANGE_BASE='none')
expect([result for result, _ in found] == ['passed'] * 5 and 'no commit none here' in output,
       'an unknown base is anything', output)
with tempfile.TemporaryDirectory() as folder:
    tree = Tree(Path(folder) / 'whole', PARTS)
    tree.commit('left/old')
    tree.commit('right/new', hours=48)
    subprocess.run(['git', 'clone', '-q', '--depth', '1', f'file://{folder}/whole', f'{folder}/shallow'], check=True)
    tree.folder = Path(folder) / 'shallow'
    code, output = tree.run('--within', '10')
    expect([result for result, _ in results(output)] == ['passed'] * 5, 'a shallow clone touches anything', output)

# The end of the time: parts that do not fit are said, one that goes on is stopped with all its children.
found, output, code = changed('left/new', parts=dict(PARTS, a=part('minutes: 99', 'touched by: left')))
expect(('not run', 'a') in found and code == 0, 'a does not fit', output)
found, output, code = changed('left/new', parts=dict(PARTS, tests=part('minutes: 0.0001', 'always', body='sleep 1')))
expect([result for result, _ in found] == ['passed'] + ['not run'] * 4 and code == 0,
       'nothing fits where the machine is slow', output)
with tempfile.NamedTemporaryFile() as pid:
    endless = f'sleep 1000 & echo $! > {pid.name}; wait'
    found, output, code = changed('left/new', within='0.1', parts={
        'tests': part('minutes: 1', 'always'), 'a': part('minutes: 0.001', 'touched by: left', body=endless)})
    expect(found == [('passed', 'tests'), ('stopped', 'a')] and code == 0, 'a is stopped', output)
    child = int(pid.read())
    for _ in range(600):
        if not Path(f'/proc/{child}').exists() or 'Z' in Path(f'/proc/{child}/stat').read_text().split(')')[1][:3]:
            break
        time.sleep(0.1)
    else:
        expect(False, 'a child of the stopped part goes on', output)
found, output, code = changed('left/new', within='0.1', parts={
    'tests': part('minutes: 1', 'always', body='sleep 1000')})
expect(found == [('stopped', 'tests')] and code == 1, 'tests that do not end fail', output)
sys.exit(1 if failed else 0)
