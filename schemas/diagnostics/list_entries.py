"""Writes the catalogue of diagnostics as one list.

  list_entries.py SOURCE HEADER...

Entries are the constants `inline constexpr DiagnosticInfo <name>{"<code>", ...}` of the headers, in their order. The name
is the code with `_` for `-`.
"""
import pathlib
import re
import sys

source, *headers = map(pathlib.Path, sys.argv[1:])
ENTRY = re.compile(r'^inline constexpr DiagnosticInfo (\w+)\{\s*"([\w-]+)"', re.M)

names = []
for header in headers:
    text = header.read_text()
    found = ENTRY.findall(text)
    if len(found) != text.count('DiagnosticInfo '):
        sys.exit(f'{header}: an entry does not have the form `inline constexpr DiagnosticInfo <name>{{"<code>", ...}}`')
    for name, code in found:
        if name != code.replace('-', '_'):
            sys.exit(f'{header}: the constant of {code} is called {name}')
        names.append(name)
source.write_text('// Generated from the headers of schemas/diagnostics; never edited.\n'
                  '#include "schemas/diagnostics/catalogue.hpp"\n\n'
                  'namespace lbann {\n\n'
                  'std::vector<DiagnosticInfo const*> catalogue() {\n  return {'
                  + ',\n          '.join(f'&diagnostics::{name}' for name in names) + '};\n}\n\n'
                  '}  // namespace lbann\n')
