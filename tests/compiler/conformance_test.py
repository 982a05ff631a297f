# LBANN's own experiments: how many are read, which declarations are missing for the others, and that
# those that are read mean the same when written out as YAML and TOML. Where data are missing that a
# whole compilation needs, the texts that both are written out as are compared.
# LBANN_TEST_CONFORMANCE names the folder with `cases/*/experiment.prototext`.
import collections
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

compiler = str(Path(sys.argv[1]).resolve())
root = os.environ.get('LBANN_TEST_CONFORMANCE')
if not root:
    print('skipped: LBANN_TEST_CONFORMANCE names no folder')
    sys.exit(77)
cases = sorted(Path(root).glob('cases/*/experiment.prototext'))
MISSING = re.compile(r'error\[unknown-type\]: `([^`]+)` is not a (layer)')
FIELD = re.compile(r'error\[unknown-field\]: `([^`]+)` is not a field of `([^`]+)`')
MEANING = re.compile(r'plan version \d+ meaning ([0-9a-f]{16})\n')
CODE = re.compile(r': error\[([a-z-]+)\]')
read, compiled, failed, missing = 0, 0, [], collections.Counter()


def run(*arguments, cwd=None):
    return subprocess.run([compiler, *map(str, arguments)], text=True, capture_output=True, cwd=cwd)


def outcome(path, folder):
    """The digest of what an experiment means, or the codes of what is wrong with it."""
    done = run(path, '--allow-unbuilt', '--emit', 'plan-text', cwd=folder)
    found = MEANING.match(done.stdout)
    return found[1] if found else sorted(set(CODE.findall(done.stderr)))


with tempfile.TemporaryDirectory() as folder:
    for case in cases:
        name = case.parent.name
        full = run(case, '--allow-unbuilt', '--stop-after', 'experiment')
        if full.returncode == 1:
            # Layers that are not declared yet, and nothing else, may stand in the way.
            lines = [line for line in full.stderr.splitlines() if ': error[' in line]
            kinds = {m[1] for m in map(MISSING.search, lines) if m}
            kinds |= {f'{m[2]}.{m[1]}' for m in map(FIELD.search, lines) if m}
            known = [line for line in lines if MISSING.search(line) or FIELD.search(line)]
            missing.update(kinds)
            if len(known) != len(lines):
                failed.append(f'{name}: {[line for line in lines if line not in known][:3]}')
            continue
        if full.returncode != 0:
            failed.append(f'{name}: exit code {full.returncode}\n{full.stderr}')
            continue
        read += 1
        expected = outcome(case, case.parent)
        compiled += isinstance(expected, str)
        for syntax in ('yaml', 'toml'):
            again = Path(folder) / f'{name}.{syntax}'
            again.write_text(run(case, '--emit', syntax).stdout)
            if outcome(again, case.parent) != expected:
                failed.append(f'{name}: {syntax} means something else')
            if run(again, '--emit', syntax).stdout != again.read_text():
                failed.append(f'{name}: {syntax} is another experiment')
print(f'{read} of {len(cases)} are read and written out unchanged, {compiled} of them by the meaning of their plans')
if missing:
    print('missing: ' + ', '.join(f'{name} ({count})' for name, count in missing.most_common()))
print('\n'.join(failed))
sys.exit(1 if failed or not cases else 0)
