"""A client of the Language Server Protocol (microsoft.github.io/language-server-protocol, 3.17)."""

import json
import pathlib
import queue
import re
import subprocess
import threading


class LanguageServer:
    """A server that speaks over its standard input and output.

    `settings`: what it is given when it asks for its configuration, by section. Every wait is
    limited: a server that does not answer raises queue.Empty.
    """

    WAIT = 60  # seconds
    SILENCE = 0.4

    def __init__(self, command, settings, folder):
        self.settings = settings
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.answers = queue.Queue()
        self.published = queue.Queue()
        self.sent = 0
        self.versions = {}
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {
            'textDocument': {
                'completion': {
                    'completionItem': {
                        'snippetSupport': True,
                        'documentationFormat': ['markdown', 'plaintext'],
                    }
                },
                'hover': {'contentFormat': ['markdown', 'plaintext']},
                'publishDiagnostics': {},
                'synchronization': {'didSave': True},
            },
            'workspace': {'configuration': True},
        }
        uri = pathlib.Path(folder).resolve().as_uri()
        self.request(
            'initialize',
            {
                'processId': None,
                'rootUri': uri,
                'workspaceFolders': [{'uri': uri, 'name': 'experiments'}],
                'capabilities': capabilities,
            },
        )
        self._send({'method': 'initialized', 'params': {}})
        self._send({'method': 'workspace/didChangeConfiguration', 'params': {'settings': settings}})

    def close(self):
        self.process.kill()
        self.process.wait()

    def request(self, method, params):
        self.sent += 1
        self._send({'id': self.sent, 'method': method, 'params': params})
        while True:
            answer = self.answers.get(timeout=self.WAIT)
            if answer['id'] == self.sent:
                if 'error' in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer['result']

    def _show(self, path, text, language):
        """Opens a document, or changes its text."""
        uri = pathlib.Path(path).resolve().as_uri()
        version = self.versions[uri] = self.versions.get(uri, 0) + 1
        if version == 1:
            document = {'uri': uri, 'languageId': language, 'version': version, 'text': text}
            self._send({'method': 'textDocument/didOpen', 'params': {'textDocument': document}})
        else:
            params = {
                'textDocument': {'uri': uri, 'version': version},
                'contentChanges': [{'text': text}],
            }
            self._send({'method': 'textDocument/didChange', 'params': params})
        return uri

    def diagnosed(self, path, text, language):
        """The diagnostics of a text: the last that are published before the server falls silent."""
        while not self.published.empty():
            self.published.get()
        uri = self._show(path, text, language)
        diagnostics, wait = None, self.WAIT
        while True:
            try:
                published = self.published.get(timeout=wait)
            except queue.Empty:
                if diagnostics is None:
                    raise
                return diagnostics
            if published['uri'] == uri:
                diagnostics, wait = published['diagnostics'], self.SILENCE

    def completions(self, path, text, language):
        """What is offered at `|` in the text, which is taken out."""
        offered = self._asked('textDocument/completion', path, text, language)
        return offered['items'] if isinstance(offered, dict) else offered or []

    def hover(self, path, text, language):
        """What is shown of the word at `|`, as Markdown."""
        answer = self._asked('textDocument/hover', path, text, language)
        if not answer:
            return ''
        contents = answer['contents']
        return contents['value'] if isinstance(contents, dict) else str(contents)

    def _asked(self, method, path, text, language):
        # Some servers answer from the text before until they have looked at a change.
        self.diagnosed(path, text.replace('|', '', 1), language)
        return self.request(method, self._at(pathlib.Path(path).resolve().as_uri(), text))

    @staticmethod
    def _at(uri, text):
        before = text[: text.index('|')]
        position = {'line': before.count('\n'), 'character': len(before) - before.rfind('\n') - 1}
        return {'textDocument': {'uri': uri}, 'position': position}

    def _send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.process.stdin.flush()

    def _read(self):
        stream = self.process.stdout
        while header := stream.readline():
            length = 0
            while header not in (b'\r\n', b''):
                if header.lower().startswith(b'content-length:'):
                    length = int(header.split(b':')[1])
                header = stream.readline()
            self._take(json.loads(stream.read(length)))

    def _take(self, message):
        if 'method' not in message:
            self.answers.put(message)
        elif 'id' in message:
            result = None
            if message['method'] == 'workspace/configuration':
                asked = message['params']['items']
                result = [self.settings.get(item.get('section')) for item in asked]
            self._send({'id': message['id'], 'result': result})
        elif message['method'] == 'textDocument/publishDiagnostics':
            self.published.put(message['params'])


def accepted(text, item, filled=lambda before: ''):
    """The text with an item of completion put in at `|`, as an editor does.

    `filled`: what is typed at an empty tab stop, by the text before it.
    """
    offset = text.index('|')
    text = text.replace('|', '', 1)
    edit = item.get('textEdit')
    new = edit['newText'] if edit else item.get('insertText') or item['label']
    start = end = offset
    if edit:
        lines = text.splitlines(keepends=True)
        span = edit.get('range') or edit['replace']
        start, end = (
            sum(len(line) for line in lines[: span[side]['line']]) + span[side]['character']
            for side in ('start', 'end')
        )
    # Further lines are indented as the first.
    line = text[:start].rpartition('\n')[2]
    new = new.replace('\n', '\n' + line[: len(line) - len(line.lstrip())])
    # `${1|a,b|}` is a tab stop that holds the first of its choices, `${1:word}` one with a word.
    new = re.sub(r'\$\{\d+\|([^,|]*)[^|]*\|\}', r'\1', new)
    new = re.sub(r'\$\{\d+:([^}]*)\}', r'\1', new)
    while stop := re.search(r'\$\{\d+\}|(?<!\\)\$\d+', new):
        new = new[: stop.start()] + filled(new[: stop.start()]) + new[stop.end() :]
    return text[:start] + new + text[end:]
