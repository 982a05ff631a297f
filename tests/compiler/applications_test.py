# Experiments that LBANN's own applications write: each compiles, with what its files do not tell of the data as
# `--field`, and means the same when it is written out as YAML and compiled again, and as a binary message.
# LBANN_TEST_APPLICATIONS names the folder with `*.prototext` and `fields.json`.
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
import protobin  # noqa: E402

compiler = str(Path(sys.argv[1]).resolve())
lists = Path(sys.argv[2])
root = os.environ.get('LBANN_TEST_APPLICATIONS')
if not root:
    print('skipped: LBANN_TEST_APPLICATIONS names no folder')
    sys.exit(77)
texts = sorted(Path(root).glob('*.prototext'))
fields = json.loads((Path(root) / 'fields.json').read_text())
MEANING = re.compile(r'plan version \d+ meaning ([0-9a-f]{16})\n')
ERROR = re.compile(r': error\[([a-z-]+)\]')
# What LBANN refuses too, and why.
REFUSED = {'transformer_wmt_opts': ['duplicate-layer']}
failed, messages = [], collections.Counter()


def compiled(path, name):
    """The digest of what an experiment means, or the codes of what is wrong with it."""
    arguments = [word for field in fields.get(name, []) for word in ('--field', field)]
    done = subprocess.run([compiler, str(path), *arguments, '--allow-unbuilt', '--emit', 'plan-text'],
                          text=True, capture_output=True)
    found = MEANING.match(done.stdout)
    return (found[1] if found else ERROR.findall(done.stderr)), done.stderr


def emitted(path, name, syntax):
    done = subprocess.run([compiler, str(path), '--allow-unbuilt', '--emit', syntax], text=True, capture_output=True)
    return done.stdout


binaries = protobin.schema(lists)
with tempfile.TemporaryDirectory() as folder:
    for text in texts:
        name = text.stem
        meaning, words = compiled(text, name)
        if name in REFUSED:
            if meaning != REFUSED[name]:
                failed.append(f'{name}: {meaning} instead of {REFUSED[name]}')
            continue
        if not isinstance(meaning, str):
            failed.append(f'{name}: {words[:2000]}')
            continue
        # Nothing is said twice in the same words, but of a schema that two readers name.
        said = collections.Counter(re.findall(r': ((?:warning|note)\[(?!not-supported|schema-not-here).*)', words))
        for line, times in said.items():
            if times > 1:
                failed.append(f'{name}: {times} times {line}')
        messages.update(re.findall(r': (?:warning|note)\[([a-z-]+)\]', words))
        again = Path(folder) / f'{name}.yaml'
        again.write_text(emitted(text, name, 'yaml'))
        other, words = compiled(again, name)
        if other != meaning:
            failed.append(f'{name}: as YAML it means something else: {words[:1000]}')
        if binaries:
            binary = Path(folder) / f'{name}.protobin'
            binary.write_bytes(protobin.encode(binaries, text.read_text()))
            other, words = compiled(binary, name)
            if other != meaning:
                failed.append(f'{name}: as a binary message it means something else: {words[:1000]}')
print(f'{len(texts)} experiments, {len(REFUSED)} of which LBANN refuses as well')
print('binary messages: ' + ('compared' if binaries else 'not compared, there is no python3-protobuf'))
print(', '.join(f'{code} ({count})' for code, count in messages.most_common()))
print('\n'.join(failed))
sys.exit(1 if failed or not texts else 0)
