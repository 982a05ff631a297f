"""Experiments in TOML as editors show them: completion, messages, hover, by Tombi.

  toml_test.py SCHEMA SOURCE_ROOT
"""
import json
import pathlib
import sys
import tempfile

from servers import started

schema_path, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
definitions = json.loads(schema_path.read_text())['definitions']
failures = []

BEGINNING = f'#:schema {schema_path}\n[trainer]\nmini_batch_size = 4\n\n[model]\nnum_epochs = 1\n'

# What is typed, and some of what must be offered.
COMPLETIONS = [
    ('layers = [\n  {|}\n]', set(definitions['layer']['properties'])),
    ('[[model.layers]]\n|', set(definitions['layer']['properties'])),
    ('[[model.callbacks]]\nearly|', {'early_stopping'}),
    ('layers = [\n  {convolution = {|}}\n]', {'out_channels', 'kernel_size', 'has_bias', 'name', 'parents'}),
    ('layers = [\n  {pooling = {pool_mode = |}}\n]', {'"max"', '"average"'}),
    ('[optimizer]\n|', {'adam', 'sgd', 'rmsprop'}),
    ('[optimizer.adam]\nlearn|', {'learn_rate'}),
]

# What is written, the line of what is wrong (after the beginning), and words of the message.
MESSAGES = [
    ('layers = [\n  {relu = {nosuch = 1}}\n]', 1, 'Key must match'),
    ('layers = [\n  {nosuch = {}}\n]', 1, 'not allowed'),
    ('layers = [\n  {convolution = {kernel_size = 3}}\n]', 1, '"out_channels" is required'),
    ('layers = [\n  {dropout = {keep_prob = 2}}\n]', 1, 'must be < 1, but found 2'),
    ('[[model.layers]]\ndropout = {keep_prob = "half"}', 1, '"half" does not match'),
    ('layers = []\ncallbacks = [{export_onnx = {}}]', 1, 'deprecated'),
]


def check(good, words):
    if not good:
        failures.append(words)


with tempfile.TemporaryDirectory() as name:
    file = pathlib.Path(name) / 'e.toml'
    server = started('toml', root, name)
    try:
        for text, wanted in COMPLETIONS:
            labels = [item['label'] for item in server.completions(file, BEGINNING + text + '\n', 'toml')]
            check(wanted <= set(labels), f'{text}: not offered: {sorted(wanted - set(labels))[:9]}')
            check(len(labels) == len(set(labels)), f'{text}: offered twice: {[n for n in labels if labels.count(n) > 1][:9]}')
        for text, line, words in MESSAGES:
            said = [(d['range']['start']['line'] - BEGINNING.count('\n'), d['message'])
                    for d in server.diagnosed(file, BEGINNING + text + '\n', 'toml')]
            check(any(at == line and words in message for at, message in said), f'{text}: {said}')
        shown = server.hover(file, BEGINNING + 'layers = [\n  {re|lu = {}}\n]\n', 'toml')
        check('max(x, 0)' in shown, f'hover: {shown}')
        for text in ('[model]\nlayers = [{relu = {}}]\n', '[trainer]\nrandom_seed = 3\n', 'include = "_part.toml"\n'):
            check(not server.diagnosed(file, f'#:schema {schema_path}\n' + text, 'toml'), f'false alarm: {text}')
        experiments = sorted((root / 'experiments').rglob('*.toml'))
        check(len(experiments) >= 2, f'{len(experiments)} experiments')
        for path in experiments:
            said = server.diagnosed(path, path.read_text(), 'toml')
            check(not said, f'{path}: {said}')
    finally:
        server.close()
for failure in failures:
    print(failure)
print(f'{len(COMPLETIONS)} completions, {len(MESSAGES)} messages, {len(failures)} failures')
sys.exit(1 if failures else 0)
