# Writes the seeds of each fuzzer: SOURCE_ROOT LBANN_COMPILE FOLDER. Texts and plans come from the repository; data files
# are made here, small, one for each form that a reader takes.
import gzip
import io
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

root, compiler, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
LONGEST = 6000


def add(target, name, content):
    (folder / target).mkdir(parents=True, exist_ok=True)
    (folder / target / name).write_bytes(content)


def npy(kind, shape, values, version=1):
    """A .npy file of these packed values."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    size = 10 if version == 1 else 12
    head += ' ' * (-(size + len(head) + 1) % 64) + '\n'
    length = struct.pack('<H' if version == 1 else '<I', len(head))
    return b'\x93NUMPY' + bytes([version, 0]) + length + head.encode() + values


for path in sorted(root.rglob('*')):
    relative = path.relative_to(root)
    if relative.parts[0] not in ('experiments', 'tests', 'schemas') or not path.is_file():
        continue
    target = path.suffix.lstrip('.')
    if target in ('yaml', 'toml', 'prototext', 'protobin') and path.stat().st_size < LONGEST:
        add(target, str(relative).replace('/', '-'), path.read_bytes())
        if target == 'yaml':
            done = subprocess.run([compiler, str(path), '--emit', 'toml'], capture_output=True)
            if done.returncode == 0 and len(done.stdout) < LONGEST:
                add('toml', str(relative).replace('/', '-') + '.toml', done.stdout)
for path in sorted((root / 'tests/runtime/mutations').glob('*.yaml')):
    (folder / 'plan').mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, str(path), '-o', str(folder / 'plan' / (path.stem + '.plan'))], check=True,
                   stdout=subprocess.DEVNULL)

floats = struct.pack('<6f', *range(6))
arrays = {
    'f4': npy('<f4', (3, 2), floats), 'f8': npy('<f8', (2, 1), struct.pack('<2d', 1, 2)),
    'f2': npy('<f2', (2,), b'\0\x3c\0\x40'), 'big': npy('>i4', (3,), struct.pack('>3i', 1, 2, 3)),
    'u1': npy('|u1', (2, 2, 2), bytes(range(8))), 'b1': npy('|b1', (2,), b'\1\0'),
    'two': npy('<f4', (3, 2), floats, 2), 'none': npy('<f4', (0, 2), b''),
    'fortran': npy('<f4', (3, 2), floats).replace(b'False', b'True '),
}
for name, content in arrays.items():
    add('npy', name + '.npy', content)
add('npy', 'packed.npy.gz', gzip.compress(arrays['f4'], mtime=0))

for name, method in (('stored', zipfile.ZIP_STORED), ('deflated', zipfile.ZIP_DEFLATED)):
    for labels in (False, True):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, 'w', method) as archive:
            archive.writestr('data.npy', arrays['f4'])
            if labels:
                archive.writestr('labels.npy', npy('<i8', (3,), struct.pack('<3q', 1, 2, 3)))
        add('npz', f'{name}{"-labels" if labels else ""}.npz', packed.getvalue())

for name, text in {
        'header': 'a,b,label\n1,2,0\n3.5,-4e2,1\n', 'quoted': '"a","b"\n"1","0"\n', 'crlf': '1,2\r\n3,1\r\n',
        'empty': '\n\n', 'ragged': '1,2\n3\n', 'words': 'a,b\nx,1\n', 'nan': '1,2\nnan,inf\n'}.items():
    add('csv', name + '.csv', text.encode())
add('csv', 'packed.csv.gz', gzip.compress(b'1,2\n3,4\n', mtime=0))

images = struct.pack('>BBBB3I', 0, 0, 8, 3, 2, 2, 2) + bytes(range(8))
add('idx', 'images', images)
add('idx', 'images.gz', gzip.compress(images, mtime=0))
add('idx', 'labels', struct.pack('>BBBBI', 0, 0, 8, 1, 2) + b'\1\2')
