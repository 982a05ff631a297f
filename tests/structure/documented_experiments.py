# Compiles the experiments that documents show, so that none can rot.
# A block without `trainer` gets trainer, data and optimizer of the first block of docs/language.md. One that is meant to
# fail carries above it `<!-- wrong: CODE -->`; every other must be free of errors and warnings.
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

source, compiler = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
BLOCK = re.compile(r'(?:<!-- wrong: (?P<code>[a-z0-9-]+) -->\n)?```yaml\n(?P<text>.*?)```', re.S)
failed = compiled = 0
language = (source / 'docs/language.md').read_text()
first = next(BLOCK.finditer(language))['text']
model = re.search(r'^model:\n(?:[ ].*\n|\n)*', first, re.M)
frame = first[:model.start()] + first[model.end():]
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    (folder / '_frame.yaml').write_text(frame)
    for document in ('docs/language.md', 'docs/from_pytorch.md', 'README.md'):
        for block in BLOCK.finditer((source / document).read_text()):
            text = block['text']
            if not re.search(r'^trainer:', text, re.M):
                text = 'include: _frame.yaml\n' + text
            (folder / 'experiment.yaml').write_text(text)
            # Parts that show layers alone train nothing.
            part = [] if 'objective_function' in text else ['--set', 'trainer.training_algorithm.sgd.max_epochs=0']
            outcome = subprocess.run([compiler, 'experiment.yaml', '--check', '--format', 'json', *part], cwd=folder,
                                     text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            codes = [json.loads(line)['code'] for line in outcome.stdout.splitlines()]
            compiled += 1
            if codes != ([block['code']] if block['code'] else []):
                failed += 1
                print(f'{document}: {codes}\n{outcome.stdout}{outcome.stderr}\n{text}')
    # The first experiment is also shown in the other syntax.
    meanings = []
    for syntax, text in (('yaml', first), ('toml', re.search(r'```toml\n(.*?)```', language, re.S)[1])):
        (folder / f'shown.{syntax}').write_text(text)
        plan = subprocess.run([compiler, f'shown.{syntax}', '--emit', 'plan-text'], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        meanings.append(re.findall('meaning .*', plan.stdout) or plan.stderr)
    if meanings[0] != meanings[1]:
        failed += 1
        print(f'docs/language.md: YAML and TOML differ: {meanings}')
print(f'{compiled} experiments in documents, {failed} wrong')
sys.exit(1 if failed or compiled < 10 else 0)
