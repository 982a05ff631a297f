"""Experiments in YAML as editors show them: completion, messages, hover, by yaml-language-server.

  yaml_test.py COMPILER SCHEMA SOURCE_ROOT
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

from language_server import accepted
from servers import SETTINGS, started

compiler, schema_path, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
schema = json.loads(schema_path.read_text())
definitions = schema['definitions']
failures = []


def check(good, words):
    if not good:
        failures.append(words)


HEAD = f'# yaml-language-server: $schema={schema_path.as_uri()}\n'
BEGINNING = HEAD + 'trainer: {mini_batch_size: 4}\nmodel:\n  num_epochs: 1\n'
LAYERS = BEGINNING + '  layers:\n'
# Where entries of a kind stand, with `|` for what is typed.
LISTS = {
    'layer': LAYERS + '  - |\n',
    'objective_term': BEGINNING + '  layers: []\n  objective_function:\n  - |\n',
    'metric': BEGINNING + '  layers: []\n  metrics:\n  - |\n',
    'callback': BEGINNING + '  layers: []\n  callbacks:\n  - |\n',
    'data_reader': BEGINNING + '  layers: []\ndata_reader:\n- |\n',
    'optimizer': BEGINNING + '  layers: []\noptimizer:\n  |\n',
    'initializer': BEGINNING + '  layers: []\n  weights:\n  - name: w\n    initializer:\n      |\n',
}


def resolved(value):
    """A schema without the wrapping of a reference."""
    while 'allOf' in value or '$ref' in value:
        value = value['allOf'][0] if 'allOf' in value else definitions[value['$ref'].rpartition('/')[2]]
    return value


def filling(kind, name):
    """What is typed at tab stops of an entry: the least that its schema takes."""
    fields = resolved(definitions[kind]['properties'][name]).get('properties', {})

    def filled(before):
        words = re.findall(r'(\w+): [\[{]?[^:]*$', before)
        if words and words[-1] == 'entries':
            return ''
        field = resolved(fields.get(words[-1] if words else name, {'type': 'string'}))
        types = field['type'] if isinstance(field['type'], list) else [field['type']]
        if 'integer' in types or 'number' in types:
            least = field.get('minimum', field.get('exclusiveMinimum', 0))
            return str(min(least + 1, field.get('maximum', least + 1)))
        if 'boolean' in types:
            return 'true'
        return field['examples'][0] if 'examples' in field else 'word'

    return filled


def unsupported(kind):
    return {name for name, use in definitions[kind]['properties'].items()
            if 'deprecationMessage' in use}


def completed_entries(server, folder):
    """Every entry that is offered, accepted in block style and between braces, by its kind."""
    texts = {}
    for kind, text in LISTS.items():
        braces = text.replace('- |', '- {|}').replace('  |', '  {|}')
        for form, at in (('block', text), ('braces', braces)):
            items = server.completions(folder / 'e.yaml', at, 'yaml')
            labels = [item['label'] for item in items]
            # The name of an initializer may end with its kind.
            wanted = {name for name in definitions[kind]['properties']
                      if kind != 'initializer' or name.endswith('_initializer') or name + '_initializer' not in
                      definitions[kind]['properties']} - unsupported(kind)
            check(sorted(labels) == sorted(wanted), f'{kind}, {form}: offered '
                  f'{sorted(set(labels) ^ wanted)[:9]} or twice {[n for n in labels if labels.count(n) > 1][:9]}')
            for item in items:
                name = item['label']
                if name in wanted:
                    texts[f'{kind} {name} {form}'] = accepted(at, item, filling(kind, name))
    return texts


def compiled(texts, folder):
    """Texts pass the checks of the compiler that concern their fields."""
    names = {f'e{i}.yaml': words for i, words in enumerate(texts)}
    for name, words in names.items():
        (folder / name).write_text(texts[words])
    (folder / 'word').write_text('[]\n')
    run = subprocess.run([compiler, '--check', '--format', 'json', '--stop-after', 'experiment', *names], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(run.returncode in (0, 1), f'exit code {run.returncode}: {run.stderr[:300]}')
    for line in run.stdout.splitlines():
        said = json.loads(line)
        if said['severity'] == 'error' and said['code'] in FIELD_CODES:
            name = pathlib.Path(said['place']['file']).name
            failures.append(f'{names[name]}: {said["message"]}\n{texts[names[name]]}')
    return len(names)


# What may be wrong with the text of one entry; that it fits the others is not completion's to say.
FIELD_CODES = {'syntax', 'missing-field', 'unknown-field', 'unknown-type', 'wrong-type', 'not-a-choice',
               'out-of-range', 'not-an-entry', 'wrong-indentation', 'scalar-for-fields', 'layer-as-field'}


def completed_fields(server, folder):
    """All fields of some layers, in both styles."""
    for name in ('relu', 'convolution', 'pooling', 'reshape', 'batch_normalization', 'gru'):
        block = LAYERS + f'  - {name}:\n      |\n'
        # The server offers nothing between empty braces after a colon.
        braces = LAYERS + f'  - {name}: {{e|}}\n'
        fields = set(resolved(definitions['layer']['properties'][name])['properties'])
        for text in (block, braces):
            items = server.completions(folder / 'e.yaml', text, 'yaml')
            offered = {item['label'] for item in items}
            check(fields <= offered | unsupported_fields(name), f'{name}: not offered: {sorted(fields - offered)}')
            for item in items:
                # All required fields at once: the server writes them in lines of their own everywhere.
                if text == braces and item['label'] == name:
                    continue
                after = accepted(text, item)
                try:
                    yaml.safe_load(after)
                except yaml.YAMLError as problem:
                    failures.append(f'{name}, {item["label"]}: {problem}\n{after}')


def unsupported_fields(name):
    fields = resolved(definitions['layer']['properties'][name])['properties']
    return {field for field, value in fields.items() if 'deprecationMessage' in value}


# What is written, the line of what is wrong, and words of the message.
MESSAGES = [
    ('  - relu: {x: 1}', 'x is not allowed'),
    ('  - nosuch: {}', 'nosuch is not allowed'),
    ('  - convolution: {out_channels: "10", kernel_size: 3}', 'an integer, without quotes'),
    ('  - convolution: {out_channels: ten, kernel_size: 3}', 'an integer, without quotes'),
    ('  - convolution: {out_channels: true, kernel_size: 3}', 'an integer, without quotes'),
    ('  - convolution: {out_channels: 1, kernel_size: (3, 3)}', 'a list, `[1, 2]`'),
    ('  - convolution: {out_channels: 1, kernel_size: 3, has_bias: yes}', '`true` or `false`'),
    ('  - dropout: {keep_prob: "0.5"}', 'a number, without quotes'),
    ('  - dropout: {keep_prob: 2}', 'above the maximum of 1'),
    ('  - convolution: {kernel_size: 3}', 'Missing property "out_channels"'),
    ('  - convolution:', 'Expected "convolution"'),
    ('  - pooling: {pool_dims: 2, pool_mode: maximum}', 'one of max|average'),
    ('  - sum: {parents: a b}', 'one name, or a list of names'),
    ('  callbacks:\n  - export_onnx:', 'not supported here yet'),
]


def messages(server, folder):
    for line, words in MESSAGES:
        said = server.diagnosed(folder / 'e.yaml', LAYERS + line + '\n', 'yaml')
        check(any(words in diagnostic['message'] for diagnostic in said),
              f'{line}: no {words!r} in {[diagnostic["message"] for diagnostic in said]}')
        check(not any('pattern' in diagnostic['message'] for diagnostic in said), f'{line}: a pattern is shown')


# Files that are no whole experiments.
PARTS = {
    'trainer': 'trainer:\n  random_seed: 3\n',
    'model': 'model:\n  layers:\n  - relu:\n',
    'modules': 'modules:\n  block:\n    layers:\n    - relu:\n',
    'list': '- relu:\n- softmax:\n',
    'including': 'include: [_trainer.yaml, _model.yaml]\nmodel:\n  num_epochs: 2\n',
    'expressions': 'trainer: {mini_batch_size: "${batch}"}\nmodel: {num_epochs: 1, layers: [{relu: {name: "${name}"}}]}\n',
    'empty': '',
}


def no_false_alarms(server, folder):
    for name, text in PARTS.items():
        said = server.diagnosed(folder / f'_{name}.yaml', HEAD + text, 'yaml')
        check(not said, f'{name}: {said}')
    experiments = sorted((root / 'experiments').rglob('*.yaml'))
    for path in experiments:
        said = server.diagnosed(path, path.read_text(), 'yaml')
        check(not said, f'{path}: {said}')
    check(experiments, 'no experiments')


def hover(server, folder):
    for text, words in (('  - re|lu: {}', 'max(x, 0)'), ('  - convolution: {str|ide: 2}', 'Step of the kernel')):
        shown = server.hover(folder / 'e.yaml', LAYERS + text + '\n', 'yaml')
        check(words in shown, f'{text}: {shown}')


def documented(server_folder):
    """What docs/editors.md gives Visual Studio Code: the schema by folders, and the messages of the compiler."""
    blocks = re.findall(r'```json\n(.*?)```', (root / 'docs/editors.md').read_text(), re.S)
    settings, tasks = (json.loads(block) for block in blocks)
    SETTINGS['yaml']['schemas'] = {str(root / path): globs for path, globs in settings['yaml.schemas'].items()}
    (server_folder / 'experiments').mkdir()
    file = server_folder / 'experiments/e.yaml'
    text = LAYERS.removeprefix(HEAD) + '  - relu: {x: 1}\n'
    server = started('yaml', root, server_folder)
    try:
        said = server.diagnosed(file, text, 'yaml')
        check([d['message'] for d in said] == ['Property x is not allowed.'], f'schema by folder: {said}')
    finally:
        server.close()
    file.write_text(text)
    run = subprocess.run([compiler, '--check', 'experiments'], cwd=server_folder, stderr=subprocess.PIPE, text=True)
    matcher = tasks['tasks'][0]['problemMatcher']['pattern']
    found = re.search(matcher['regexp'], run.stderr, re.M)
    names = ('file', 'line', 'severity')
    check(found and [found[matcher[name]] for name in names] == ['experiments/e.yaml', '5', 'error'],
          f'problem matcher: {run.stderr}')


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    server = started('yaml', root, folder)
    try:
        texts = completed_entries(server, folder)
        completed_fields(server, folder)
        messages(server, folder)
        no_false_alarms(server, folder)
        hover(server, folder)
    finally:
        server.close()
    count = compiled(texts, folder)
    documented(folder)
for failure in failures[:20]:
    print(failure)
print(f'{count} completions compiled, {len(MESSAGES)} messages, {len(failures)} failures')
sys.exit(1 if failures or count < 300 else 0)
