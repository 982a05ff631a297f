# LBANN's own experiments: how many are read, which declarations are missing for the others, and that
# those that are read are the same experiment when written out as YAML and TOML.
# LBANN_TEST_CONFORMANCE names the folder with `cases/*/experiment.prototext`.
import collections
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

compiler = sys.argv[1]
root = os.environ.get('LBANN_TEST_CONFORMANCE')
if not root:
    print('skipped: LBANN_TEST_CONFORMANCE names no folder')
    sys.exit(77)
cases = sorted(Path(root).glob('cases/*/experiment.prototext'))
MISSING = re.compile(r'error\[unknown-type\]: `([^`]+)` is not a (layer)')
FIELD = re.compile(r'error\[unknown-field\]: `([^`]+)` is not a field of `([^`]+)`')
read, failed, missing = 0, [], collections.Counter()


def run(*arguments):
    return subprocess.run([compiler, *map(str, arguments)], text=True, capture_output=True)


with tempfile.TemporaryDirectory() as folder:
    for case in cases:
        name = case.parent.name
        options = ['--allow-unbuilt', '--stop-after', 'experiment', '--dump-after', 'experiment']
        full = run(case, *options)
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
        for syntax in ('yaml', 'toml'):
            again = Path(folder) / f'{name}.{syntax}'
            again.write_text(run(case, '--emit', syntax).stdout)
            if run(again, *options).stdout != full.stdout:
                failed.append(f'{name}: {syntax} is another experiment')
print(f'{read} of {len(cases)} are read and written out unchanged')
if missing:
    print('missing: ' + ', '.join(f'{name} ({count})' for name, count in missing.most_common()))
print('\n'.join(failed))
sys.exit(1 if failed or not cases else 0)
