"""The JSON Schema and the compiler's checker give the same verdict on experiments that were changed at random.

  schema_agreement_test.py COMPILER SCHEMA EXPERIMENTS

10,000 documents. What the schema cannot express is listed below.
"""
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import yaml
    from jsonschema import Draft7Validator
except ImportError as missing:
    print(f'skipped: {missing} (python3-yaml, python3-jsonschema)')
    sys.exit(77)

compiler, schema_path, experiments = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
count = 10000

# What a schema says as the checker says it; other codes need more than one value to be looked at.
EXPRESSIBLE = {'unknown-field', 'unknown-type', 'missing-field', 'wrong-type', 'not-a-choice', 'out-of-range',
               'not-an-entry', 'wrong-indentation', 'scalar-for-fields', 'layer-as-field'}
# Messages with these codes that speak of several fields at once.
SEVERAL = re.compile(r'`max_epochs`, `max_batches` or `max_seconds`')


class Loader(yaml.SafeLoader):
    """Numbers as in YAML 1.2: `1e-3` is one."""


Loader.add_implicit_resolver('tag:yaml.org,2002:float', re.compile(r'^[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$'),
                             list('-+0123456789.'))
VALUES = [None, 'text', 3, 0, -1, 2.5, True, [], {}, [1, 2], ['a', 'b'], 'average', 'train', {'dims': [1, 2]},
          {'x-mine': 1}, 10**6, 0.5]
KEYS = ['nonsense', 'x-mine', 'name', 'parents', 'enabled', 'kernel_size', 'relu', 'type', 'dims', 'repeat']


def places(value, path=()):
    """Paths of everything below the top, lists and mappings included."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield path + (key,)
        yield from places(child, path + (key,))


def mutated(document, generator):
    document = copy.deepcopy(document)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        # Variables and modules are checked where they are used, parameters of a call by its module, settings by the
        # layers they match; readers know the names of their data fields.
        paths = [p for p in places(document)
                 if p[0] not in ('variables', 'modules') and 'with' not in p and 'settings' not in p[:-1]
                 and 'fields' not in p[:-1] and 'data_fields' not in p]
        path = generator.choice(paths)
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        key = path[-1]
        action = generator.randrange(5)
        if action == 0:
            parent[key] = generator.choice(VALUES)
        elif action == 1:
            del parent[key]
        elif action == 2 and isinstance(parent, dict) and key != 'fields':
            parent[generator.choice(KEYS)] = generator.choice(VALUES)
        elif action == 3 and isinstance(parent, dict):
            parent[key[:-1] if len(key) > 2 else key + key] = parent.pop(key)
        elif action == 4 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[key]))
    return document


def keys_are_texts(value):
    if isinstance(value, dict):
        return {str(key): keys_are_texts(child) for key, child in value.items()}
    return [keys_are_texts(child) for child in value] if isinstance(value, list) else value


schema = json.loads(schema_path.read_text())
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
originals = [keys_are_texts(yaml.load(path.read_text(), Loader)) for path in sorted(experiments.rglob('*.yaml'))]
wrong = []
for original in originals:
    wrong += [f'a shipped experiment: {error.message}' for error in validator.iter_errors(original)]
# What is mutated stands in a folder without included files.
originals = [original for original in originals if 'include' not in original]
generator = random.Random(7)
documents = [mutated(generator.choice(originals), generator) for _ in range(count)]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for i, document in enumerate(documents):
        # JSON is YAML.
        (folder / f'{i}.yaml').write_text(json.dumps(document))
    outcome = subprocess.run([compiler, '--check', '--stop-after', 'experiment', '--format', 'json', '.'], cwd=folder,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = [[] for _ in documents]
    unplaced = []
    for line in outcome.stdout.splitlines():
        diagnostic = json.loads(line)
        if diagnostic['severity'] != 'error':
            continue
        file = diagnostic['place'] and diagnostic['place']['file']
        (found[int(pathlib.Path(file).stem)] if file else unplaced).append(diagnostic)
if outcome.returncode != 1 or unplaced:
    sys.exit(f'exit code {outcome.returncode}, unplaced: {unplaced[:3]}')
good = bad = undecided = 0
for document, diagnostics in zip(documents, found):
    # What the checker says last may depend on what it says first: stages after expressions are not reached.
    told = [d for d in diagnostics if d['code'] in EXPRESSIBLE and not SEVERAL.search(d['message'])]
    # A file without one of these may be a part of another, of which an editor knows nothing.
    if 'trainer' not in document or 'model' not in document:
        told = [d for d in told if d['code'] != 'missing-field']
    valid = validator.is_valid(document)
    good += valid and not diagnostics
    bad += not valid and bool(told)
    if valid and told:
        wrong.append(f'only the checker: {told[0]["message"]}\n  {json.dumps(document)}')
    elif not valid and not diagnostics:
        error = next(validator.iter_errors(document))
        wrong.append(f'only the schema: {error.message[:200]} at {list(error.absolute_path)}\n  {json.dumps(document)}')
    else:
        undecided += bool(diagnostics) and not told
print(f'{count} documents: both accept {good}, both refuse {bad}, {undecided} are beyond a schema, {len(wrong)} differ')
for words in wrong[:5]:
    print(words)
sys.exit(1 if wrong or not good or not bad else 0)
