# Checks of the tree; each takes the root folder and yields one line per complaint.
import json
import os
import re
import sys
from pathlib import Path

import kernels

TOPS = ('schemas', 'compiler', 'kernels', 'runtime')

# Which top folders a file of a top folder may include.
DIRECTION = {
    'schemas': {'schemas'},
    'compiler': {'schemas', 'compiler'},
    'kernels': {'schemas', 'kernels', 'include'},
    'include': set(),
    'runtime': {'schemas', 'kernels', 'runtime'},
}

# Library headers (by beginning) and the only folders that may include them.
LIBRARIES = {
    'flatbuffers/': ('schemas/plan',),
    'yaml-cpp/': ('compiler/source',),
    'toml++/': ('compiler/source',),
    'CLI/': ('compiler', 'runtime'),
    'nlohmann/': ('compiler', 'runtime'),
    'fmt/': ('compiler', 'runtime'),
    'spdlog/': ('runtime',),
    'Kokkos': ('kernels', 'runtime'),
    'cblas.h': ('kernels/vendor',),
    'cublas': ('kernels/vendor',),
    'cudnn': ('kernels/vendor',),
    'nccl': ('kernels/device',),
    'nvrtc': ('kernels/jit',),
    'cuda': ('kernels', 'runtime'),
    'sleef.h': ('kernels',),
    'omp.h': ('kernels', 'runtime'),
    'mpi.h': ('runtime',),
    'zlib.h': ('schemas/samples', 'runtime/callbacks', 'runtime/checkpoints', 'runtime/prediction'),
    'jpeglib.h': ('runtime/data', 'runtime/observation', 'tests'),
    'jerror.h': ('runtime/data',),
    'png.h': ('runtime/data', 'runtime/observation', 'tests'),
    'hdf5': ('schemas/samples', 'tests'),
    'immintrin.h': ('kernels/host',),
    # The operating system; in schemas only where both commands open files and start programs.
    'sys/': ('schemas/files', 'schemas/processes', 'schemas/samples', 'compiler', 'runtime', 'kernels'),
    'linux/': ('kernels',),
    'unistd.h': ('schemas/files', 'schemas/processes', 'schemas/samples', 'compiler', 'runtime', 'kernels'),
    'fcntl.h': ('schemas/files', 'schemas/processes', 'schemas/samples', 'compiler', 'runtime'),
    'sched.h': ('schemas/processes', 'runtime'),
    'strings.h': ('runtime',),
    'arpa/': ('runtime/communication',),
    'ifaddrs.h': ('runtime/communication',),
    'net/': ('runtime/communication',),
    'netinet/': ('runtime/communication',),
    'poll.h': ('schemas/processes', 'schemas/samples', 'runtime/communication', 'runtime/prediction'),
    'spawn.h': ('schemas/processes',),
    'signal.h': ('schemas/files', 'schemas/processes', 'schemas/samples', 'runtime'),
    'pthread.h': ('runtime', 'kernels'),
    'fnmatch.h': ('schemas/samples', 'compiler/source'),
    'dlfcn.h': ('runtime', 'kernels'),
    'malloc.h': ('compiler', 'runtime'),
    'time.h': ('runtime',),
}

# Libraries slow to parse: in source files only. Kokkos may stand in the headers of its own kernels, and is precompiled.
HEAVY = ('yaml-cpp/', 'toml++/', 'CLI/', 'nlohmann/', 'spdlog/', 'mpi.h', 'Kokkos')
HEAVY_IN_HEADERS_OF = {'Kokkos': ('kernels/kokkos', 'kernels/vendor', 'kernels/precompiled')}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
STANDARD = re.compile(r'^[a-z_0-9]+$')  # <vector>, <cstdint>: no folder, no extension
LONGEST = 600
BUILD = None  # the build folder, where it is not `build`


def sources(root, tops=TOPS):
    for top in tops:
        for path in sorted((root / top).rglob('*')):
            if path.suffix in ('.hpp', '.cpp', '.cu', '.in') and path.is_file():
                yield path.relative_to(root)


def within(path, folders):
    return any(str(path).startswith(folder + '/') for folder in folders)


def direction(root):
    for path in sources(root):
        for bracket, header in INCLUDE.findall((root / path).read_text()):
            top = header.split('/')[0]
            if bracket == '"':
                if top == 'tests' or top not in DIRECTION:
                    yield f'{path}: "{header}" is not written from the top level'
                elif top not in DIRECTION[path.parts[0]]:
                    yield f'{path}: {path.parts[0]}/ may not include {top}/ ("{header}")'
            elif not STANDARD.match(header):
                homes = [f for name, f in LIBRARIES.items() if header.startswith(name)]
                if not homes:
                    yield f'{path}: <{header}> is of no library listed in tests/structure/tree.py'
                elif not within(path, homes[0]):
                    yield f'{path}: <{header}> belongs to {", ".join(homes[0])} only'


def includes_between_folders(root):
    """folder -> folder it includes from -> one file that does."""
    edges = {}
    for path in sources(root):
        for bracket, header in INCLUDE.findall((root / path).read_text()):
            folder = os.path.dirname(header)
            if bracket == '"' and folder != str(path.parent) and header.split('/')[0] in TOPS:
                edges.setdefault(str(path.parent), {}).setdefault(folder, str(path))
    return edges


def circles(edges):
    """The sets of nodes that reach each other (strongly connected components), those of one node left out; after Tarjan."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in order:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == order[node]:
            at = stack.index(node)
            component = set(stack[at:])
            del stack[at:]
            if len(component) > 1:
                found.append(component)

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def folder_cycles(root):
    """Folders that include each other in a circle, but for those in folder_cycles.txt, which must shrink."""
    listing = root / 'tests/structure/folder_cycles.txt'
    lines = listing.read_text().splitlines() if listing.exists() else []
    allowed = {line for line in lines if line and not line.startswith('#')}
    edges = includes_between_folders(root)
    found = circles(edges)
    for component in found:
        for folder in sorted(component - allowed):
            for other in sorted(component & edges[folder].keys()):
                yield f'{edges[folder][other]}: includes from {other}, which includes from {folder} or what leads there'
    for folder in sorted(allowed - set().union(*found)):
        yield f'folder_cycles.txt: {folder} is in no circle, the entry is needless'


def light_headers(root):
    for path in sources(root):
        if path.suffix != '.hpp':
            continue
        for _, header in INCLUDE.findall((root / path).read_text()):
            for heavy in HEAVY:
                if header.startswith(heavy) and not within(path, HEAVY_IN_HEADERS_OF.get(heavy, ())):
                    yield f'{path}: <{header}> is slow to parse and may stand in source files only'


def first_lines(root):
    """A first line says what the file gives; in a header with one declaration of a list its doc comment does."""
    declarations = {str(path.relative_to(root))
                    for folder, variable, patterns, _, _ in LISTS if (root / folder / 'meson.build').exists()
                    for name in listed(root, folder + '/meson.build', variable)
                    for pattern in patterns if pattern.endswith('.hpp')
                    for path in root.glob(pattern.format(name))}
    for path in sources(root):
        text = (root / path).read_text()
        if not text.startswith('// ') and str(path) not in declarations:
            yield f'{path}: the first line is not a comment that says what the file gives'
        # A precompiled header is a main file, where compilers warn of it.
        if path.suffix == '.hpp' and '#pragma once' not in text and path.parent.name != 'precompiled':
            yield f'{path}: no #pragma once'


def file_lengths(root):
    exceptions = {}
    listing = root / 'tests/structure/long_files.txt'
    for line in listing.read_text().splitlines() if listing.exists() else []:
        if line and not line.startswith('#'):
            name, _, reason = line.partition(' ')
            exceptions[name] = reason.strip()
            if not reason.strip():
                yield f'{listing.relative_to(root)}: {name} without a reason'
    for top in TOPS + ('tests', 'scripts', 'experiments'):
        for path in sorted((root / top).rglob('*')):
            if not path.is_file() or path.suffix in ('.pyc', '.gz', '.npy', '.bin'):
                continue
            name = str(path.relative_to(root))
            if name.startswith(('schemas/generated/', 'scripts/__pycache__')):
                continue
            length = path.read_bytes().count(b'\n')
            if length > LONGEST and name not in exceptions:
                yield f'{name}: {length} lines, more than {LONGEST}, and no reason in long_files.txt'
            if length <= LONGEST and name in exceptions:
                yield f'long_files.txt: {name} has only {length} lines, the entry is needless'
    for name in exceptions:
        if not (root / name).exists():
            yield f'long_files.txt: {name} does not exist'


def listed(root, build_file, variable):
    """The names in the list `variable` of a meson.build, or in its families, lists of a title, a folder and a list of names."""
    match = re.search(r'^' + variable + r'\s*=\s*\[(.*?)\]$', (root / build_file).read_text(), re.S | re.M)
    if not match:
        raise SystemExit(f'{build_file} has no list {variable}')
    text = re.sub(r'#.*', '', match.group(1))
    families = re.findall(r"\['[^']*',\s*'[^']*',\s*\[(.*?)\]\]", text, re.S)
    return re.findall(r"'([^']+)'", ' '.join(families) if families else text)


# Sources that only some configurations compile.
ELSEWHERE = {
    'runtime/communication/no_mpi.cpp': 'without MPI',
    'schemas/samples/no_hdf5_library.cpp': 'without HDF5',
    'kernels/device/emulated.cpp': 'for the emulated device',
    'kernels/device/emulated_group.cpp': 'for the emulated device',
    'tests/support/print_requests.cpp': 'for the emulated device',
    'kernels/vendor/kokkos_kernels/matmul.cpp': 'for the emulated device',
    'kernels/device/cuda.cpp': 'for CUDA',
    'kernels/vendor/cublas/batched_matmul.cpp': 'for CUDA and the emulated device',
    'kernels/vendor/cudnn/convolution.cpp': 'for CUDA',
    'kernels/vendor/cudnn/convolution_input_gradient.cpp': 'for CUDA',
    'kernels/vendor/cudnn/convolution_kernel_gradient.cpp': 'for CUDA',
    'kernels/vendor/cudnn/descriptor.cpp': 'for CUDA',
    'kernels/vendor/cudnn/library.cpp': 'for CUDA',
    'kernels/vendor/cudnn/plan.cpp': 'for CUDA',
    'kernels/vendor/cudnn/problem.cpp': 'for CUDA',
    'kernels/vendor/cudnn/properties.cpp': 'for CUDA',
    'kernels/vendor/cublas/matmul.cpp': 'for CUDA and the emulated device',
    'kernels/vendor/cublas/multiply.cpp': 'for CUDA and the emulated device',
    'kernels/vendor/cublas/gemm.cpp': 'for CUDA',
    'kernels/vendor/cublaslt/biased_product.cpp': 'for CUDA',
    'kernels/vendor/cublaslt/biased_product_model.cpp': 'for the emulated device',
    'kernels/vendor/cublaslt/matmul.cpp': 'for CUDA and the emulated device',
    'kernels/vendor/cublas/gemm_model.cpp': 'for the emulated device',
    'kernels/vendor/cublas/convolution.cpp': 'for CUDA and the emulated device',
    'kernels/vendor/cublas/convolution_input_gradient.cpp': 'for CUDA and the emulated device',
    'kernels/vendor/cublas/convolution_kernel_gradient.cpp': 'for CUDA and the emulated device',
    'kernels/device/nccl.cpp': 'for CUDA',
    'kernels/jit/compiler.cpp': 'for CUDA',
    'tests/kernels/jit/compiler_test.cpp': 'for CUDA',
    'tests/cuda/compile_maps.cpp': 'for CUDA',
    'tests/cuda/convolution_plans.cpp': 'for CUDA',
}


def every_source_built(root):
    build = BUILD or root / 'build'
    # In a unity build Meson compiles files that include ours.
    compiled = set()
    for command in json.loads((build / 'compile_commands.json').read_text()):
        unit = Path(os.path.realpath(os.path.join(command['directory'], command['file'])))
        compiled.add(str(unit))
        if '-unity' in unit.name:
            included = re.findall(r'#include\s*[<"](.+?)[>"]', unit.read_text())
            compiled.update(os.path.realpath(build / path) for path in included)
    for top in TOPS + ('tests',):
        for path in sorted((root / top).rglob('*.cpp')):
            name = str(path.relative_to(root))
            if os.path.realpath(path) not in compiled and not name.startswith(('tests/cuda/', 'tests/fuzz/')) and name not in ELSEWHERE:
                yield f'{name}: in no meson.build, it is never compiled'


# list (build file, variable) -> for each name: all of these files, any of these, and tests that name it.
LISTS = [
    ('schemas/functions', 'function_names', ['schemas/functions/{}.hpp'], [], 'tests/schemas/functions'),
    ('schemas/operators', 'operator_names', ['schemas/operators/{}.hpp', 'schemas/operators/{}.cpp'],
     [], 'tests/schemas/operators'),
    ('schemas/operators', 'operator_names', ['kernels/reference/{}.hpp', 'kernels/kokkos/{}.cpp'], [],
     'tests/kernels'),
    ('compiler/layers', 'layer_families', ['compiler/layers/*/{}.hpp', 'compiler/layers/*/{}.cpp'], [],
     'tests/compiler/layers'),
    ('compiler/layers', 'elementwise_layer_families', ['compiler/layers/*/{}.hpp'], [], 'tests/layers'),
    ('compiler/optimizers', 'optimizer_names', ['compiler/optimizers/{}.hpp', 'compiler/optimizers/{}.cpp'], [],
     'tests/compiler/optimizers'),
    ('compiler/initializers', 'initializer_names', ['compiler/initializers/{}.hpp'], [], 'tests/compiler/initializers'),
    ('compiler/objective', 'objective_term_names', ['compiler/objective/{}.hpp'], [], 'tests/compiler'),
    ('schemas/metrics', 'layer_metric_names', ['schemas/metrics/{}.hpp'], [], 'tests/compiler'),
    ('schemas/metrics', 'external_metric_names', ['schemas/metrics/{}.hpp'], [], 'tests/runtime/metrics'),
    ('schemas/data_readers', 'data_reader_names', ['schemas/data_readers/{}.hpp', 'schemas/samples/{}.cpp'], [],
     'tests/schemas/samples'),
    ('schemas/callbacks', 'callback_names', ['schemas/callbacks/{}.hpp', 'runtime/callbacks/{}.cpp'], [],
     'tests/runtime/callbacks'),
    ('schemas/callbacks', 'controller_names', ['schemas/callbacks/{}.hpp', 'runtime/callbacks/{}.cpp'], [],
     'tests/runtime/callbacks'),
    ('compiler/callbacks', 'lowered_callback_names', ['compiler/callbacks/{}.hpp', 'compiler/callbacks/{}.cpp'], [],
     'tests/compiler/callbacks'),
]

# What a name of a list need not have, and why.
EXEMPT = {
    'kernels/kokkos/all_reduce.cpp': 'communication: among one process the reference kernel is all there is to do',
    'kernels/kokkos/all_gather.cpp': 'communication: the runtime binds it',
    'kernels/kokkos/reduce_scatter.cpp': 'communication: the runtime binds it',
    'kernels/kokkos/all_to_all.cpp': 'communication: the runtime binds it',
    'kernels/kokkos/external.cpp': 'a call of a user\'s library, which is the kernel',
    'kernels/kokkos/external_gradient.cpp': 'a call of a user\'s library, which is the kernel',
}


def lists_complete(root):
    for folder, variable, all_of, any_of, tests in LISTS:
        texts = [path.read_text() for path in (root / tests).rglob('*') if path.suffix in ('.cpp', '.hpp', '.in')]
        for name in listed(root, folder + '/meson.build', variable):
            for pattern in all_of:
                path = pattern.format(name)
                exists = any(root.glob(path))
                if not exists and path not in EXEMPT:
                    yield f'{folder}: {name} has no {path}'
                if exists and path in EXEMPT:
                    yield f'tests/structure/tree.py: {path} exists, its exemption is needless'
            if any_of and not any((root / p.format(name)).exists() for p in any_of) and any_of[0].format(name) not in EXEMPT:
                yield f'{folder}: {name} has none of {", ".join(p.format(name) for p in any_of)}'
            if not any(re.search(rf'\b{name}\b', text) for text in texts):
                yield f'{folder}: {name} is named by no test in {tests}'
    pipeline = root / 'compiler/passes/pipeline.cpp'
    for name in re.findall(r'^ +\{"([a-z_]+)",', pipeline.read_text() if pipeline.exists() else '', re.M):
        if not any((root / f'compiler/{folder}/{name}.cpp').exists() for folder in ('passes', 'lowering')):
            yield f'compiler/passes: {name} has no file of its name'
        cases = root / 'tests/compiler/passes' / name
        if not (any(cases.glob('*.before')) and any(cases.glob('*.after'))) and not (
                root / f'tests/compiler/lowering/{name}_test.cpp').exists():
            yield f'compiler/passes: {name} has no cases before and after in {cases.relative_to(root)}'


SECTION = re.compile(r'^=== (.*)$', re.M)


def expected_texts(root):
    """Every section of an .expected file is one that the test of its name compares with."""
    for path in sorted((root / 'tests').rglob('*.expected')):
        test = path.with_name(path.stem + '_test.cpp')
        # As a formatter may have broken a name into several literals.
        text = re.sub(r'"\n\s*"', '', test.read_text()) if test.exists() else ''
        for section in SECTION.findall(path.read_text()):
            if f'"{section}"' not in text:
                yield f'{path.relative_to(root)}: no test compares with the section `{section}`'


LINK = re.compile(r'\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)')
FENCED = re.compile(r'^```.*?^```$', re.S | re.M)


# Choices that no production code names, each with what it does; the others of its enumeration do all else.
UNNAMED_CHOICES = {
    'WeightsFormat': {'binary', 'distributed_binary'},  # both are .npy files from one process
}
# Members of the plan that the runtime does not read, each for whom they are.
FOR_READERS_OF_PLANS = {
    'Plan.overrides',  # for people: --emit plan-text
    'LayerInfo.children',  # for programs that draw the layers of a plan
}


def fields_used(root):
    """Fields that users give, choices among them and members of the plan that nothing reads."""
    texts = {path: re.sub(r'//[^\n]*', '', (root / path).read_text()) for path in sources(root)}
    built = [Path('schemas/metrics') / name.name for name in (root / 'schemas/metrics').glob('*.hpp')]
    for folder, variables in (('schemas/callbacks', ('callback_names', 'controller_names')),
                              ('compiler/callbacks', ('lowered_callback_names',)),
                              ('schemas/data_readers', ('data_reader_names',))):
        if (root / folder / 'meson.build').exists():
            for variable in variables:
                built += [Path(folder) / f'{name}.hpp' for name in listed(root, f'{folder}/meson.build', variable)]
    for own in built:
        yield from unused_fields(own, texts)
        yield from unused_choices(own, texts)
    yield from unused_choices(Path('schemas/callbacks/execution_modes.hpp'), texts)
    yield from unused_members(Path('schemas/plan/plan.hpp'), texts)


def unused_fields(own, texts):
    text = texts.get(own, '')
    for field in re.finditer(r'\bfield\(\s*"\w+",\s*&(\w+)::(\w+)', text):
        if re.search(r'(unimplemented|ignored)\(\s*(?:[\w:]+\(\s*)*$', text[:field.start()]):
            continue
        owner, member = field.groups()
        own_words = re.sub(r'"[^"]*"', '', text)
        here = len(re.findall(rf'\b{member}\b', own_words)) > 2  # beside its declaration and its field
        # Functions of the declaration itself.
        here = here or re.search(rf'\b{member}\b', re.sub(r'"[^"]*"', '', texts.get(own.with_suffix('.cpp'), '')))
        reads = re.compile(rf'(?:\.|->){member}\b|\] = [^;]*\b{owner}\b')  # or all members at once
        if not here and not any(re.search(rf'\b{owner}\b', other) and reads.search(other)
                                for path, other in texts.items() if path != own):
            yield f'{own}: nothing reads {owner}::{member}'


def unused_choices(own, texts):
    for choices in re.finditer(r'enum class (\w+)(?:\s*:\s*[\w:]+)?\s*\{([^}]*)\}', texts.get(own, '')):
        name = choices.group(1)
        unnamed = {choice for choice in re.findall(r'\w+', choices.group(2))
                   if not any(re.search(rf'\b{name}::{choice}\b', text) for text in texts.values())}
        # One of them may be what is left when the others are excluded.
        if len(unnamed) > 1 and unnamed != UNNAMED_CHOICES.get(name):
            yield f'{own}: nothing asks for these choices of {name}: {", ".join(sorted(unnamed))}'


def unused_members(own, texts):
    text = texts.get(own, '')
    structs = dict(re.findall(r'struct (\w+) \{(.*?)\n\};', text, re.S))
    # The one object of a type is called by its name; objects of others have many names.
    only = {type_name: member for type_name, member in re.findall(r'^\s+(\w+) (\w+);', structs.get('Plan', ''), re.M)
            if len(re.findall(rf'\b{type_name}\b', text)) == 2}
    readers = [other for path, other in texts.items()
               if str(path).startswith(('runtime/', 'schemas/specialization/', 'schemas/reports/',
                                        'schemas/plan/location', 'schemas/plan/verify'))]
    for name, body in structs.items():
        for line in re.sub(r'\{[^{}]*\}', '', body).split(';'):
            if 'friend' in line or '(' in line:
                continue
            declared = re.match(r'\s*(?:[\w:]+(?:<[^;]*>)?\s)+?(\w+(?:\s*=[^,]*)?(?:,\s*\w+(?:\s*=[^,]*)?)*)\s*$', line)
            for part in declared.group(1).split(',') if declared else []:
                member = re.match(r'\s*(\w+)', part).group(1)
                pattern = rf'\b{only[name]}\w*(?:\.|->){member}\b' if name in only else rf'(?:\.|->){member}\b'
                if f'{name}.{member}' not in FOR_READERS_OF_PLANS and not any(re.search(pattern, x) for x in readers):
                    yield f'{own}: the runtime never reads {name}::{member}'


def anchors(text):
    """What GitHub lets one jump to in a document: its headings in lower case, with - for blanks."""
    headings = re.findall(r'^#+ (.*)$', FENCED.sub('', text), re.M)
    return {re.sub(r'[^\w\- ]', '', re.sub(r'\]\([^)]*\)', ']', heading).lower()).replace(' ', '-')
            for heading in headings}


def links(root):
    documents = sorted(root.glob('*.md')) + [path for top in TOPS + ('docs', 'experiments', 'tests')
                                        for path in sorted((root / top).rglob('*.md'))]
    texts = {path: path.read_text() for path in documents if path.exists()}
    for path, text in texts.items():
        for target, anchor in LINK.findall(FENCED.sub('', text)):
            if re.match(r'\w+:', target):
                continue
            place = Path(os.path.normpath(path.parent / target)) if target else path
            name = path.relative_to(root)
            if not place.exists():
                yield f'{name}: the link to {target} leads nowhere'
            elif anchor and place in texts and anchor not in anchors(texts[place]):
                yield f'{name}: {target} has no heading #{anchor}'


def hang_guards(root):
    """A test's limit is for hanging ones: it is the same for all, and far above what a slow machine needs."""
    build = BUILD or root / 'build'
    for test in json.loads((build / 'meson-info' / 'intro-tests.json').read_text()):
        if test['timeout'] < 1200:
            yield f'tests: {test["name"]} is stopped after {test["timeout"]} s; write timeout: hang_guard'


CHECKS = [direction, folder_cycles, light_headers, first_lines, file_lengths, every_source_built, lists_complete, expected_texts,
          links, hang_guards, fields_used] + kernels.CHECKS

if __name__ == '__main__':
    name, folder = sys.argv[1], Path(sys.argv[2])
    BUILD = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    complaints = [c for check in CHECKS if check.__name__ == name for c in check(folder)]
    if name not in [check.__name__ for check in CHECKS]:
        raise SystemExit(f'no check is called {name}')
    print('\n'.join(complaints))
    sys.exit(1 if complaints else 0)
