"""Declared types are named at home: in the folder of their declarations, and nowhere else in production code.

  homes.py ROOT

What other code needs to know of a type stands in its declaration, as a trait or a function, so that adding a type changes
no other file. Exceptions, each with a reason, are in named_elsewhere.txt; one that excuses nothing is an error.
To guard another kind of type, add a line to KINDS: the meson.build of its list, the list, the C++ namespace of the
declarations, and the folders that may name them.
"""
import re
import sys
from pathlib import Path
from typing import NamedTuple

from tree import listed, sources


class Kind(NamedTuple):
    what: str
    build_file: str
    lists: tuple
    namespace: str
    homes: tuple


KINDS = [
    Kind('layer', 'compiler/layers/meson.build', ('layer_families', 'elementwise_layer_families'), 'layers',
         ('compiler/layers',)),
    # Layers say how weights begin and, rarely, how they are trained.
    Kind('optimizer', 'compiler/optimizers/meson.build', ('optimizer_names',), 'optimizers',
         ('compiler/optimizers', 'compiler/layers')),
    Kind('initializer', 'compiler/initializers/meson.build', ('initializer_names',), 'initializers',
         ('compiler/initializers', 'compiler/layers')),
    Kind('objective term', 'compiler/objective/meson.build', ('objective_term_names',), 'objective_terms',
         ('compiler/objective',)),
    Kind('callback', 'schemas/callbacks/meson.build', ('callback_names', 'controller_names'), 'callbacks',
         ('schemas/callbacks', 'runtime/callbacks')),
    Kind('callback', 'compiler/callbacks/meson.build', ('lowered_callback_names', 'unimplemented_callback_names'), 'callbacks',
         ('compiler/callbacks',)),
    Kind('metric', 'schemas/metrics/meson.build', ('layer_metric_names', 'external_metric_names'), 'metrics',
         ('schemas/metrics', 'runtime/metrics')),
    Kind('data reader', 'schemas/data_readers/meson.build', ('data_reader_names',), 'data_readers',
         ('schemas/data_readers', 'schemas/samples')),
]
# What a program is made of has names of its own: these may stand wherever no types of the language are known.
PROGRAM_LISTS = [('schemas/operators/meson.build', 'operator_names'), ('schemas/functions/meson.build', 'function_names')]
PROGRAM_FOLDERS = ('schemas/', 'kernels/', 'runtime/')
PROGRAM_DECLARATIONS = 'schemas/operators/'  # whose choices (`sum`, `max`) are no types either

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Names of fields, and of the declarations of other kinds, which have homes of their own.
DECLARES = re.compile(r'(?:\bfield\(|\bstring_view name =)\s*$')


def mentions(text, kind, names):
    """The names of a kind that a source mentions: as a whole literal, as a C++ name, or by including the declaration."""
    text = re.sub(r'//[^\n]*', '', text)
    for match in LITERAL.finditer(text):
        if match[1] in names and not DECLARES.search(text[:match.start()]):
            yield match[1]
        elif match[1].endswith('.hpp') and match[1].startswith(kind.homes[0] + '/') and Path(match[1]).stem in names:
            yield Path(match[1]).stem
    for name in re.findall(rf'\b{kind.namespace}::(\w+)', text):
        if name in names:
            yield name


def exceptions(root):
    """path -> (names or {'*'}, reason), from lines `path name,name reason`."""
    found = {}
    listing = root / 'tests/structure/named_elsewhere.txt'
    for line in listing.read_text().splitlines() if listing.exists() else []:
        if line and not line.startswith('#'):
            path, names, *reason = line.split(maxsplit=2)
            found[path] = (set(names.split(',')), ' '.join(reason))
    return found


def homes(root):
    allowed = exceptions(root)
    used = {path: set() for path in allowed}
    for path, (_, reason) in allowed.items():
        if not reason:
            yield f'named_elsewhere.txt: {path} without a reason'
    program = {name for build_file, variable in PROGRAM_LISTS for name in listed(root, build_file, variable)}
    for kind in KINDS:
        names = {name for variable in kind.lists for name in listed(root, kind.build_file, variable)}
        for path in sources(root):
            place = str(path)
            if place.startswith(tuple(home + '/' for home in kind.homes)):
                continue
            for name in sorted(set(mentions((root / path).read_text(), kind, names))):
                if place.startswith(PROGRAM_DECLARATIONS) or name in program and place.startswith(PROGRAM_FOLDERS):
                    continue
                excused, _ = allowed.get(place, (set(), ''))
                if name in excused or '*' in excused:
                    used[place].add(name if name in excused else '*')
                else:
                    yield f'{place} names the {kind.what} {name}: what it needs to know belongs to {kind.homes[0]}'
    for path, (names, _) in allowed.items():
        for name in sorted(names - used[path]):
            yield f'named_elsewhere.txt: {path} does not name {name}, the entry is needless'


if __name__ == '__main__':
    sys.exit('\n'.join(homes(Path(sys.argv[1]).resolve())) or 0)
