"""Where every layer, operator, initializer, optimizer, reader and callback is tested.

  coverage.py ROOT [--write]

Without --write, compares docs/coverage.md with the tree and names what no test mentions.
"""
import re
import sys
from pathlib import Path

from tree import listed

# Heading, list of names (build file and variable, or a folder of declarations), folders of tests.
PARTS = [
    ('Layers', ('compiler/layers/meson.build', 'layer_names'), ('tests/compiler/layers', 'experiments')),
    ('Operators', ('schemas/operators/meson.build', 'operator_names'), ('tests/schemas/operators', 'tests/kernels')),
    ('Functions', ('schemas/functions/meson.build', 'function_names'), ('tests/schemas/functions', 'tests/kernels')),
    ('Initializers', 'compiler/initializers', ('tests/compiler/initializers', 'tests/training')),
    ('Optimizers', 'compiler/optimizers', ('tests/compiler/optimizers', 'tests/training')),
    ('Data readers', ('schemas/data_readers/meson.build', 'data_reader_names'), ('tests/runtime/data', 'tests/training')),
    ('Callbacks', ('schemas/callbacks/meson.build', 'callback_names'), ('tests/runtime/callbacks', 'tests/training')),
]
TESTS = ('.cpp', '.hpp', '.py', '.yaml', '.toml', '.prototext')


def declared(root, source):
    """Names in a list, or of the declarations in a folder's headers, each once."""
    if isinstance(source, tuple):
        return listed(root, *source)
    names = []
    for header in sorted((root / source).glob('*.hpp')):
        names += re.findall(r'std::string_view name = "(\w+)"', header.read_text())
    return names


def texts_of(root, folders):
    return {path.relative_to(root): path.read_text()
            for folder in folders for path in sorted((root / folder).rglob('*')) if path.suffix in TESTS}


def mentions(name, texts, most=4):
    """Names of the files that mention `name`, tests of code before experiments, at most so many."""
    places = [path for path, text in texts.items() if re.search(rf'\b{name}\b', text)]
    places.sort(key=lambda path: (path.parts[0] != 'tests', len(path.parts), str(path)))
    shown = [f'[{path.name if path.parts[0] == "tests" else path.parent.name}](../{path})' for path in places[:most]]
    if len(places) > most:
        shown.append(f'{len(places) - most} more')
    return ', '.join(shown)


def page(root):
    lines = ['<!-- Written by tests/structure/coverage.py --write; never edited. -->', '# Coverage', '',
             'What an experiment can name and a plan can hold, and the tests that name it.', '']
    missing = []
    for heading, source, folders in PARTS:
        texts = texts_of(root, folders)
        names = sorted(declared(root, source))
        lines += [f'## {heading}', '', f'{len(names)} of them.', '', '| name | tests |', '|---|---|']
        for name in names:
            where = mentions(name, texts)
            if not where:
                missing.append(f'{heading}: {name} is named by no test')
            lines.append(f'| `{name}` | {where} |')
        lines.append('')
    return '\n'.join(lines), missing


if __name__ == '__main__':
    root = Path(sys.argv[1]).resolve()
    text, missing = page(root)
    target = root / 'docs' / 'coverage.md'
    if '--write' in sys.argv:
        target.write_text(text)
    elif not target.is_file() or target.read_text() != text:
        missing.append('docs/coverage.md is stale: python3 tests/structure/coverage.py . --write')
    sys.exit('\n'.join(missing) or 0)
