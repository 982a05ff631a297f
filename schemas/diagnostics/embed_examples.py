"""Puts the examples of the catalogue into a C++ source.

  embed_examples.py FOLDER SOURCE DEPFILE

Each sub-folder of FOLDER is a code and holds `experiment.*` (the smallest wrong experiment) or `arguments.txt`
(wrong command line arguments), `expected.txt` (what the compiler says), and what repairs it: `repair.*` or
`repair_arguments.txt`.
"""
import pathlib
import sys

folder, source, depfile = map(pathlib.Path, sys.argv[1:])


def literal(data):
    """Bytes as a C++ string literal; octal escapes cannot run into the digit after them."""
    text = ''
    for byte in data:
        char = chr(byte)
        text += f'\\{byte:03o}' if char in '"\\?' or not 32 <= byte < 127 else char
    return f'"{text}"sv'


def content(path):
    return path.read_bytes() if path and path.is_file() else b''


rows, read = [], [folder]
for example in sorted(path for path in folder.iterdir() if path.is_dir()):
    read += [example, *sorted(example.iterdir())]
    wrong = next(iter(sorted(example.glob('experiment.*'))), None)
    repair = next(iter(sorted(example.glob('repair.*'))), None)
    parts = [example.name.encode(), wrong.name.encode() if wrong else b'', content(wrong),
             content(example / 'arguments.txt'), content(example / 'expected.txt'), content(repair),
             content(example / 'repair_arguments.txt')]
    rows.append('    {' + ',\n     '.join(map(literal, parts)) + '},\n')
source.write_text('// Generated from schemas/diagnostics/examples; never edited.\n'
                  '#include "schemas/diagnostics/examples.hpp"\n\n'
                  '#include <array>\n\n'
                  'namespace lbann {\n\nusing namespace std::string_view_literals;\n\nnamespace {\n\n'
                  f'constexpr std::array<DiagnosticExample, {len(rows)}> embedded_examples = {{{{\n'
                  + ''.join(rows) + '}};\n\n}  // namespace\n\n'
                  'std::span<DiagnosticExample const> diagnostic_examples() { return embedded_examples; }\n\n'
                  '}  // namespace lbann\n')
depfile.write_text(f'{source}: ' + ' '.join(str(path).replace(' ', '\\ ') for path in read) + '\n')
