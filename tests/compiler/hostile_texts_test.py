# Texts made to exhaust a reader end in one error, in little memory.
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

compiler = sys.argv[1]
BYTES = 1 << 30
sanitized = b'__asan_init' in Path(compiler).read_bytes()

BOMB = 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n' + ''.join(
    f'a{i}: &a{i} [{", ".join([f"*a{i - 1}"] * 10)}]\n' for i in range(1, 12))
MERGES = 'a0: &a0 {k0: 1}\n' + ''.join(
    f'a{i}: &a{i} {{<<: [{", ".join([f"*a{i - 1}"] * 10)}], k{i}: 1}}\n' for i in range(1, 40))
TEXTS = {
    'alias bomb.yaml': BOMB,
    'merges.yaml': MERGES,
    'deep lists.yaml': 'a: ' + '[' * 10000,
    'deep mappings.yaml': 'a: ' + '{b: ' * 10000,
    'deep blocks.yaml': ''.join(' ' * i + '-\n' for i in range(3000)),
    'deep dashes.yaml': '- ' * 10000 + 'x',
    'deep keys.yaml': '? ' * 10000 + 'x',
    'quotes.yaml': '"' * 100001,
    'deep lists.toml': 'a = ' + '[' * 10000,
    'deep tables.toml': 'a = ' + '{b = ' * 10000,
    'deep keys.toml': '.'.join(['a'] * 10000) + ' = 1',
    'deep blocks.prototext': 'model {' * 10000,
    'deep lists.prototext': 'model: ' + '[{a: ' * 10000,
    'dims.yaml': 'trainer: {mini_batch_size: 99999999999999999999}\nmodel: {layers: [relu: ]}\n',
}
failed = []


def limits():
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def check(path, limit=True):
    try:
        done = subprocess.run([compiler, str(path), '--check'], capture_output=True, timeout=600,
                              preexec_fn=limits if limit else None)
    except subprocess.TimeoutExpired:
        failed.append(f'{path.name}: no end')
        return
    words = done.stderr.decode(errors='replace')
    if done.returncode != 1 or 'error[' not in words:
        failed.append(f'{path.name}: exit code {done.returncode}: {words[:300]}')
    elif len(words) > 20000:
        failed.append(f'{path.name}: {len(words)} bytes of messages')


with tempfile.TemporaryDirectory() as folder:
    for name, text in TEXTS.items():
        path = Path(folder) / name
        path.write_text(text)
        check(path)
    for name, head in (('large.yaml', b'a: "'), ('large.toml', b'a = "'), ('large.prototext', b'a: "')):
        path = Path(folder) / name
        with path.open('wb') as file:
            file.write(head + b'x' * 100)
            file.truncate(1 << 30)  # a gigabyte, without the disk
            file.seek(len(head))
            for _ in range(40):
                file.write(b'x' * (1 << 20))
        check(path)
print(f'{len(TEXTS) + 3} texts')
print('\n'.join(failed))
sys.exit(1 if failed else 0)
