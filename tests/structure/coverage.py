"""Where every layer, operator, function, initializer, optimizer, reader and callback is tested.

  coverage.py ROOT

Compares docs/coverage.md with the tree and names what a kind of test leaves out.
"""
import re
import sys
from pathlib import Path

from tree import listed

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from expected import difference

LAYERS = 'compiler/layers/meson.build'
# How tests write a name: layers as `"relu`, `- relu:`, `{relu = ` or `layer l: relu`, others as a word anywhere.
WORD = r'\b{}\b'
LAYER = r'(?:(?:(?<!= )"|- |layer [el]: ){0}\b|\{{{0} = )'
# Heading, list of names (build file and variable), how tests write them, kinds of tests:
# heading and folders. Every name must be in tests of each kind, but for those of experiments.
PARTS = [
    ('Layers', (LAYERS, 'layer_families'), LAYER, {
        'what they compile to': ('tests/compiler/layers',),
        'numbers and gradients': ('tests/layers', 'tests/training'),
        'experiments': ('experiments',)}),
    ('Layers that are one expression of entries', (LAYERS, 'elementwise_layer_families'), LAYER, {
        'numbers and gradients': ('tests/layers',),
        'experiments': ('experiments',)}),
    ('Operators', ('schemas/operators/meson.build', 'operator_names'), WORD, {
        'rules': ('tests/schemas/operators',),
        'kernels': ('tests/kernels',)}),
    ('Scalar functions', ('schemas/functions/meson.build', 'function_names'), WORD, {
        'values and derivatives': ('tests/schemas/functions',)}),
    ('Initializers', ('compiler/initializers/meson.build', 'initializer_names'), WORD, {'numbers': ('tests/compiler/initializers', 'tests/training')}),
    ('Optimizers', ('compiler/optimizers/meson.build', 'optimizer_names'), WORD, {'steps': ('tests/compiler/optimizers', 'tests/training')}),
    ('Data readers', ('schemas/data_readers/meson.build', 'data_reader_names'), WORD, {
        'data': ('tests/schemas/samples', 'tests/runtime/data', 'tests/training')}),
    ('Callbacks that look', ('schemas/callbacks/meson.build', 'callback_names'), WORD, {
        'effects': ('tests/runtime/callbacks', 'tests/training')}),
    ('Callbacks that stop, save and load', ('schemas/callbacks/meson.build', 'controller_names'), WORD, {
        'effects': ('tests/runtime/callbacks', 'tests/training')}),
    ('Callbacks that are instructions', ('compiler/callbacks/meson.build', 'lowered_callback_names'), WORD, {
        'what they compile to': ('tests/compiler/callbacks',),
        'numbers': ('tests/training',)}),
]
# What is checked, but refused as not supported yet.
UNIMPLEMENTED = [('Callbacks', 'compiler/callbacks/meson.build', 'unimplemented_callback_names')]
# What has no test of a kind, and why.
EXEMPT = {('dummy', 'numbers and gradients'): 'computes nothing'}
TESTS = ('.cpp', '.hpp', '.py', '.yaml', '.toml', '.prototext')


def texts_of(root, folders):
    return {path.relative_to(root): path.read_text()
            for folder in folders for path in sorted((root / folder).rglob('*')) if path.suffix in TESTS}


def mentions(pattern, texts, most=3):
    """The files that `pattern` is found in, at most so many by name."""
    places = sorted({path if path.parts[0] == 'tests' else path.parent
                     for path, text in texts.items() if re.search(pattern, text)},
                    key=lambda path: (len(path.parts), str(path)))
    shown = [f'[{path.name}](../{path})' for path in places[:most]]
    if len(places) > most:
        shown.append(f'{len(places) - most} more')
    return ', '.join(shown)


def reference_links(root):
    """Places of the layers' sections, from the index of the reference."""
    index = root / 'docs' / 'reference' / 'layers.md'
    found = re.findall(r'\[`(\w+)`\]\((\S+)\)', index.read_text()) if index.is_file() else []
    return {name: f'[`{name}`](reference/{place})' for name, place in found}


def page(root):
    lines = ['<!-- Written by tests/structure/coverage.py, see CONTRIBUTING.md; never edited. -->', '# Coverage', '',
             'What an experiment can name and a plan can hold, and the tests that name it. A test fails while something',
             'is missing here.', '']
    missing = []
    links = reference_links(root)
    for heading, source, pattern, kinds in PARTS:
        names = sorted(listed(root, *source))
        texts = {kind: texts_of(root, folders) for kind, folders in kinds.items()}
        lines += [f'## {heading}', '', f'{len(names)} of them.', '',
                  '| name | ' + ' | '.join(kinds) + ' |', '|---|' + '---|' * len(kinds)]
        for name in names:
            cells = []
            for kind in kinds:
                where = mentions(pattern.format(name), texts[kind])
                exempt = EXEMPT.get((name, kind))
                if not where and not exempt and kind != 'experiments':
                    missing.append(f'{heading}: {name} is named by no test of {kind}')
                if where and exempt:
                    missing.append(f'{heading}: {name} has tests of {kind}, its exemption is needless')
                cells.append(where or exempt or '')
            shown = links.get(name, f'`{name}`') if 'Layers' in heading else f'`{name}`'
            lines.append(f'| {shown} | ' + ' | '.join(cells) + ' |')
        lines.append('')
    lines += ['## Declared, and not supported yet', '',
              'Experiments that name them are checked and written out, but no plan is made of them.', '']
    for heading, build_file, variable in UNIMPLEMENTED:
        names = ', '.join(f'`{name}`' for name in sorted(listed(root, build_file, variable)))
        lines.append(f'- {heading}: {names}.')
    lines.append('')
    return '\n'.join(lines), missing


if __name__ == '__main__':
    root = Path(sys.argv[1]).resolve()
    text, missing = page(root)
    if differs := difference(root / 'docs' / 'coverage.md', text):
        missing.append(differs)
    sys.exit('\n'.join(missing) or 0)
