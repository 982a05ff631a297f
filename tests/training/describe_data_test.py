# lbann-run --describe-data against the same figures in plain Python, and the pixels of its PNG.
#   describe_data_test.py lbann-compile lbann-run
import math
import random
import struct
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from classifier_runs import check, classifier, finish, run  # noqa: E402

compiler, runtime = (Path(path).resolve() for path in sys.argv[1:3])
MODEL = classifier('csv: {role: train, data_filename: train.csv, num_labels: 3, shuffle: true, validation_fraction: 0.25}',
                   'csv: {role: predict, data_filename: later.csv, num_labels: 3}', classes=3)
IMAGES = classifier('digits: {role: train, num_samples: 20}', 'digits: {role: test, num_samples: 3}', classes=10,
                    data='images')


def pixels(data):
    """Width, height and bytes of red, green and blue of a PNG without interlacing."""
    at, packed, head = 8, b'', None
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b'IHDR':
            head = struct.unpack('>IIBBBBB', body)
        elif kind == b'IDAT':
            packed += body
        at += 12 + length
    width, height, depth, color = head[:4]
    check((depth, color) == (8, 2), f'a PNG of {head}')
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        row = bytearray(line[1:])
        for x in range(len(row)):
            a = row[x - 3] if x >= 3 else 0
            b, c = above[x], above[x - 3] if x >= 3 else 0
            p = a + b - c
            paeth = min((a, b, c), key=lambda value: abs(p - value))
            row[x] = (row[x] + (0, a, b, (a + b) // 2, paeth)[line[0]]) & 255
        rows.append(bytes(row))
        above = bytes(row)
    return width, height, rows


def figures(values):
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / len(values))
    return f'{len(values)} numbers from {min(values):.7g} to {max(values):.7g}, mean {mean:.7g}, deviation {deviation:.7g}'


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    draw = random.Random(5)
    def table(count):
        return [([draw.gauss(10, 3) for _ in range(4)], draw.randrange(3)) for _ in range(count)]
    def write(path, rows):
        (folder / path).write_text('a,b,c,d,kind\n' + ''.join(f'{",".join(map(repr, sizes))},{kind}\n' for sizes, kind in rows))
    train, later = table(41), table(7)
    write('train.csv', train)
    write('later.csv', later)
    (folder / 'experiment.yaml').write_text(MODEL)
    run(compiler, 'experiment.yaml', '-o', 'plan.bin', cwd=folder)
    told = run(runtime, 'plan.bin', '--describe-data', cwd=folder).stdout
    check(told == run(runtime, 'plan.bin', '--describe-data', '--io-threads', 3, cwd=folder).stdout, 'it tells two things')
    blocks = {block.split(' : ')[0]: block for block in told.replace('\nvalidate', '\0validate').replace('\npredict', '\0predict').split('\0')}
    check(list(blocks) == ['train', 'validate', 'predict'], f'roles {list(blocks)}:\n{told}')
    check('train : 31 samples of reader `csv`' in told and 'validate : 10 samples' in told, told)
    check(figures([x for sizes, _ in later for x in sizes]) in blocks['predict'], f'{blocks["predict"]}\n{figures([x for sizes, _ in later for x in sizes])}')
    kinds = [kind for _, kind in later]
    check('    samples of each class:\n      ' + ' '.join(f'{i}: {kinds.count(i)}' for i in range(3)) in blocks['predict'], blocks['predict'])
    both = [sum(int(block.split(f' {i}: ')[1].split()[0]) for block in (blocks['train'], blocks['validate'])) for i in range(3)]
    check(both == [[kind for _, kind in train].count(i) for i in range(3)], f'classes {both}')

    # Packed, and read back by the reader that it names: the same figures, with labels as numbers in the file.
    for path, reader in (('packed.npz', '`numpy_npz`'), ('packed.h5', '`hdf5`')):
        packed = run(runtime, 'plan.bin', '--pack', path, '--role', 'predict', cwd=folder).stdout
        check('7 samples of role predict' in packed, packed)
        (folder / 'packed.yaml').write_text(MODEL.replace(
            'csv: {role: predict, data_filename: later.csv, num_labels: 3}',
            packed.splitlines()[-1].strip().removeprefix('- ')))
        run(compiler, 'packed.yaml', '-o', 'packed.bin', cwd=folder)
        again = run(runtime, 'packed.bin', '--describe-data', cwd=folder).stdout
        check(again[again.index('\npredict'):].replace(reader, '`csv`') == told[told.index('\npredict'):], f'{again}\n{told}')
    with zipfile.ZipFile(folder / 'packed.npz') as archive:
        check(archive.testzip() is None and archive.namelist() == ['samples.npy', 'labels.npy'], f'{archive.namelist()}')
        numbers = archive.read('labels.npy')
        check(struct.unpack('<7i', numbers[-28:]) == tuple(kind for _, kind in later), 'labels')
    check('packed to .h5 or .npz files' in run(runtime, 'plan.bin', '--pack', 'packed.csv', cwd=folder, code=2).stderr,
          'another ending')
    check('no samples of role `test`' in run(runtime, 'plan.bin', '--pack', 'x.npz', '--role', 'test', cwd=folder, code=2).stderr, 'no role')

    # What is not finite is counted; images are drawn with their own least number black.
    later[2][0][1], later[3][0][0], later[3][0][2] = math.nan, math.inf, -math.inf
    write('later.csv', later)
    told = run(runtime, 'plan.bin', '--describe-data', cwd=folder).stdout
    check(figures([x for sizes, _ in later for x in sizes if math.isfinite(x)]) + ', 1 NaN, 2 infinite' in told, told)
    done = run(runtime, 'plan.bin', '--describe-data', '--images', 'none.png', cwd=folder, code=3)
    check('no field holds images' in done.stderr and not (folder / 'none.png').exists(), done.stderr)
    (folder / 'images.yaml').write_text(IMAGES)
    run(compiler, 'images.yaml', '-o', 'images.bin', cwd=folder)
    run(runtime, 'images.bin', '--describe-data', '--images', 'first.png', cwd=folder)
    width, height, rows = pixels((folder / 'first.png').read_bytes())
    check((width, height) == (8 * 30 + 2, 2 * 30 + 2 + 30 + 2), f'{width} x {height}')
    check({value for row in rows[:60] for value in row} >= {0, 255}, 'nothing is black and white')
    check(all(len(set(row[x:x + 3])) == 1 for row in rows for x in range(0, len(row), 3)), 'grey images have colours')
    check(all(rows[-3][3 * x] == 96 for x in range(3 * 30 + 2, width)), 'the last row has more than three images')
    first = (folder / 'first.png').read_bytes()
    run(runtime, 'images.bin', '--describe-data', '--images', 'again.png', cwd=folder)
    check((folder / 'again.png').read_bytes() == first, 'another picture of the same data')

    # Damaged data end it with the place.
    (folder / 'train.csv').write_text((folder / 'train.csv').read_text()[:-3])
    done = run(runtime, 'plan.bin', '--describe-data', cwd=folder, code=3)
    check('train.csv' in done.stderr, done.stderr)
    run(runtime, 'plan.bin', '--describe-data', '--save-model', 'x', cwd=folder, code=2)
finish()
