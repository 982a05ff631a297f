"""Language servers where `scripts/setup --tests` puts them, or where LBANN_LANGUAGE_SERVERS names them."""

import os
import pathlib
import sys

from language_server import LanguageServer

COMMANDS = {'yaml': ['yaml-language-server', '--stdio'], 'toml': ['tombi', 'lsp', '--offline']}
SETTINGS = {
    'yaml': {'schemaStore': {'enable': False}, 'validate': True, 'completion': True, 'hover': True},
    'editor': {},
    'files': {},
    '[yaml]': {},
    'http': {},
}


def started(language, root, folder):
    """The server of a language, on documents in a folder; ends the test as skipped without it."""
    programs = pathlib.Path(
        os.environ.get('LBANN_LANGUAGE_SERVERS') or root / '.deps/language_servers/node_modules/.bin'
    )
    program, *arguments = COMMANDS[language]
    if not (programs / program).exists():
        print(f'skipped: no {program} in {programs} (scripts/setup --tests installs it by npm)')
        sys.exit(77)
    return LanguageServer([programs / program, *arguments], SETTINGS, folder)
