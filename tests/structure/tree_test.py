# Proves that every check of tree.py complains about a tree that breaks its rule, and about it alone; and coverage.py.
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import coverage
import homes
import tree

GOOD = {
    'schemas/shape/shape.hpp': '// A shape.\n#pragma once\n#include <vector>\n',
    'schemas/shape/shape.cpp': '// Rules.\n#include "schemas/shape/shape.hpp"\n',
    'compiler/source/read.cpp': '// Reads.\n#include <yaml-cpp/yaml.h>\n',
    'schemas/operators/meson.build': "operator_names = ['map']\n",
    'schemas/operators/map.hpp': '// The map.\n#pragma once\n',
    'kernels/kokkos/map.cpp': '// Its kernel.\n#include "kernels/kokkos/run.hpp"\n',
    'kernels/kokkos/run.hpp': '// Runs it.\n#pragma once\n#include "kernels/shapes/rows.hpp"\nvoid run() { launch(1, f); }\n',
    'kernels/shapes/rows.hpp': '// Rows.\n#pragma once\n',
    'tests/kernels/map_test.cpp': '// Tests map.\n',
    'schemas/callbacks/meson.build': "callback_names = ['stop']\ncontroller_names = []\n",
    'schemas/callbacks/stop.hpp': '// Stops.\n#pragma once\nenum class When { early, late };\nstruct stop {\n  int epoch;\n'
                                  '  fields { field("epoch", &stop::epoch) }\n};\n',
    'schemas/plan/plan.hpp': '// The plan.\n#pragma once\nstruct Training {\n  std::string type = "sgd";\n  int epochs = 0;\n};\n'
                             'struct Plan {\n  Training training;\n};\n',
    'runtime/run.cpp': '// Runs.\nvoid run(stop s) { if (When::early) end(s.epoch); plan.training.type(); training_.epochs; }\n',
    'compiler/passes/pipeline.cpp': '// Passes.\n    {"sort", "Sorts.", sort},\n',
    'compiler/passes/sort.cpp': '// Sorts.\n',
    'tests/compiler/passes/sort/one.before': '\n',
    'tests/compiler/passes/sort/one.after': '\n',
    'tests/compiler/sort.expected': '=== a list\n1 2\n=== an empty list\n',
    'tests/compiler/sort_test.cpp': '// Tests.\n"a list", "an empty "\n  "list"\n',
    'tests/structure/long_files.txt': '',
}
GOOD['build/meson-info/intro-tests.json'] = json.dumps([{'name': 'shape', 'timeout': 1200}])
GOOD['build/compile_commands.json'] = json.dumps(
    [{'directory': '.', 'file': name} for name in GOOD if name.endswith('.cpp')])


# check -> files that break it
BAD = {
    'direction': [
        {'compiler/source/read.cpp': '// Reads.\n#include "runtime/run.hpp"\n'},
        {'schemas/shape/shape.cpp': '// Rules.\n#include "compiler/source/read.hpp"\n'},
        {'schemas/shape/shape.cpp': '// Rules.\n#include <Kokkos_Core.hpp>\n'},
        {'schemas/shape/shape.cpp': '// Rules.\n#include <unistd.h>\n'},
        {'schemas/shape/shape.cpp': '// Rules.\n#include "shape.hpp"\n'},
        {'schemas/shape/shape.cpp': '// Rules.\n#include <boost/any.hpp>\n'},
    ],
    'folder_cycles': [
        {'schemas/shape/shape.cpp': '// Rules.\n#include "schemas/operators/map.hpp"\n',
         'schemas/operators/map.hpp': '// The map.\n#pragma once\n#include "schemas/shape/shape.hpp"\n'},
        {'tests/structure/folder_cycles.txt': 'schemas/shape\n'},
    ],
    'light_headers': [
        {'compiler/source/read.hpp': '// Reads.\n#pragma once\n#include <yaml-cpp/yaml.h>\n'},
    ],
    'first_lines': [
        {'schemas/shape/shape.cpp': '#include "schemas/shape/shape.hpp"\n'},
        {'schemas/shape/shape.hpp': '// A shape.\n'},
    ],
    'file_lengths': [
        {'schemas/shape/shape.cpp': '// Rules.\n' * 601},
        {'tests/structure/long_files.txt': 'schemas/shape/shape.cpp because\n'},
        {'tests/structure/long_files.txt': 'schemas/none.cpp because\n'},
    ],
    'every_source_built': [
        {'schemas/shape/forgotten.cpp': '// Forgotten.\n'},
        {'tests/schemas/shape/shape_test.cpp': '// Tests.\n'},
    ],
    'expected_texts': [
        {'tests/compiler/sort_test.cpp': '// Tests.\n"a list"\n'},
        {'tests/compiler/sort_test.cpp': None},
    ],
    'links': [
        {'README.md': 'See [the shape](docs/none.md).\n'},
        {'README.md': '# Title\n\nSee [below](#below).\n'},
        {'README.md': 'See [there](docs/a.md#not-there).\n', 'docs/a.md': '# There\n'},
    ],
    'hang_guards': [
        {'build/meson-info/intro-tests.json': json.dumps([{'name': 'shape', 'timeout': 30}])},
    ],
    'fields_used': [
        {'runtime/run.cpp': GOOD['runtime/run.cpp'].replace('s.epoch', '')},
        {'runtime/run.cpp': GOOD['runtime/run.cpp'].replace('When::early', '')},
        {'runtime/run.cpp': GOOD['runtime/run.cpp'].replace('training.type', 'layer.type')},
        {'runtime/run.cpp': GOOD['runtime/run.cpp'].replace('training_.epochs', '')},
    ],
    'host_or_device': [
        {'kernels/kokkos/run.hpp': '// Runs it.\nvoid run() { if constexpr (on_host) launch(1, f); }\n'},
        {'kernels/kokkos/run.hpp': '// Runs it.\n#ifdef __CUDA_ARCH__\nvoid run() { launch(1, f); }\n#endif\n'},
        {'kernels/host/map.cpp': '// Its kernel.\nKOKKOS_FUNCTION void run() {}\n'},
        {'kernels/kokkos/launch.hpp': '// Launches.\n#pragma once\n'},
    ],
    'portable': [
        {'kernels/kokkos/run.hpp': '// Runs it; launch(1, f) is not code.\n#pragma once\nvoid run() {}\n'},
        {'kernels/kokkos/rows.cpp': '// Rows.\n#include "kernels/shapes/rows.hpp"\n'},
    ],
    'native_registers': [
        {'kernels/host/rows.cpp': '// Rows.\ntypedef float Row __attribute__((vector_size(64)));\n'},
    ],
    'lists_complete': [
        {'compiler/passes/sort.cpp': None},
        {'tests/compiler/passes/sort/one.after': None},
        {'schemas/operators/map.hpp': None},
        {'kernels/kokkos/map.cpp': None},
        {'tests/kernels/map_test.cpp': '// Tests nothing of the name.\n'},
        {'schemas/operators/meson.build': "operator_names = ['map', 'gather']\n"},
    ],
}

# The same rules on a small list.
tree.LISTS = [('schemas/operators', 'operator_names', ['schemas/operators/{}.hpp'],
               ['kernels/kokkos/{}.cpp', 'kernels/vendor/{}.cpp'], 'tests/kernels')]
tree.EXEMPT = {}


def complaints(check, files):
    with tempfile.TemporaryDirectory() as folder:
        for top in tree.TOPS + ('tests', 'scripts', 'experiments'):
            (Path(folder) / top).mkdir()
        for name, text in files.items():
            if text is None:
                continue
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace('"directory": "."', f'"directory": "{folder}"'))
        return list(check(Path(folder)))


failures = []
for check in tree.CHECKS:
    if check.__name__ not in BAD:
        failures.append(f'{check.__name__}: no tree that breaks it')
        continue
    for complaint in complaints(check, GOOD):
        failures.append(f'{check.__name__} complains about a good tree: {complaint}')
    for bad in BAD[check.__name__]:
        if not complaints(check, GOOD | bad):
            failures.append(f'{check.__name__} accepts {bad}')

# A type is named at home; an exception is needed, and says why.
homes.KINDS = [homes.Kind('layer', 'compiler/layers/meson.build', ('layer_families',), 'layers', ('compiler/layers',))]
homes.PROGRAM_LISTS = [('schemas/operators/meson.build', 'operator_names')]
TYPES = GOOD | {'compiler/layers/meson.build': "layer_families = [\n  ['Sums', 'products', ['sum', 'map']],\n]\n",
                'compiler/layers/products/sum.hpp': '// "sum"\nstd::string_view name = "sum";\n',
                'kernels/kokkos/map.cpp': '// Its kernel.\nlabel("map");\n'}
NAMED = {'compiler/graph/check.cpp': '// Checks.\nif (type == "sum") return;\n'}
EXCUSE = 'tests/structure/named_elsewhere.txt'
for files, count in (({}, 0), (NAMED, 1), ({'compiler/graph/check.cpp': '// Checks.\nlayers::sum::name;\n'}, 1),
                     ({'compiler/graph/check.cpp': '// Checks.\n#include "compiler/layers/products/sum.hpp"\n'}, 1),
                     (NAMED | {EXCUSE: 'compiler/graph/check.cpp sum why\n'}, 0),
                     (NAMED | {EXCUSE: 'compiler/graph/check.cpp sum\n'}, 1),
                     ({EXCUSE: 'compiler/passes/sort.cpp sum why\n'}, 1)):
    found = complaints(homes.homes, TYPES | files)
    if len(found) != count:
        failures.append(f'homes of {files}: {found}')

# The coverage page names what no test names.
coverage.PARTS = [('Layers', ('compiler/layers/meson.build', 'layer_families'), coverage.LAYER,
                   {'numbers': ('tests/layers',), 'experiments': ('experiments',)})]
coverage.UNIMPLEMENTED, coverage.EXEMPT = [], {}
LAYERS = {'compiler/layers/meson.build': "layer_families = [\n  ['Sums', 'products', ['sum',\n    'add']],\n]\n",
          'tests/layers/sums_test.cpp': 'CHECK(run("sum {}"), run("add"));\n'}
for text, expected in ((LAYERS['tests/layers/sums_test.cpp'], []),
                       ('CHECK(run("sum")); // add\n', ['Layers: add is named by no test of numbers'])):
    found = complaints(lambda root: coverage.page(root)[1], LAYERS | {'tests/layers/sums_test.cpp': text})
    if found != expected:
        failures.append(f'coverage of {text!r}: {found}')
print('\n'.join(failures))
sys.exit(1 if failures else 0)
