"""Registers and local memory of the kernels that nvcc has compiled, read from their objects.

  resources.py OBJECT...

A kernel that keeps its numbers in local memory runs at a fraction of the memory's speed, and one of many registers leaves
processors idle. Prints a line for each object whose kernels exceed the bounds below without a reason given there; exit code 1
if there is any, or if a reason is needless.
"""
import pathlib
import re
import struct
import sys

MOST_REGISTERS, MOST_LOCAL_BYTES = 96, 128
# Objects whose kernels may exceed them, and why.
EXEMPT = {
    'map_engine': 'runs the bytecode of any map, where NVRTC is missing',
    'reduce': 'runs the bytecode of any map, where NVRTC is missing',
    'convolution': 'any window, where cuDNN is missing',
    'pooling_gradient': 'bounds of windows along three axes',
    'uniform_hash': 'the block of 64 bytes that MD5 mixes',
}
CUDA_MACHINE = 190
REGISTERS, FRAME = 0x2f, 0x11  # attributes of section .nv.info: EIATTR_REGCOUNT, EIATTR_FRAME_SIZE


def programs(data):
    """The machine code for GPUs in an object."""
    at = data.find(b'\x7fELF')
    while at >= 0:
        if struct.unpack_from('<H', data, at + 18)[0] == CUDA_MACHINE:
            yield data[at:]
        at = data.find(b'\x7fELF', at + 4)


def sections(program):
    table, = struct.unpack_from('<Q', program, 40)
    size, count, names = struct.unpack_from('<HHH', program, 58)
    rows = [struct.unpack_from('<IIQQQQIIQQ', program, table + size * i) for i in range(count)]
    text = rows[names][4]
    for row in rows:
        end = program.index(b'\0', text + row[0])
        yield program[text + row[0]:end].decode(), program[row[4]:row[4] + row[5]]


def kernels(data):
    """(mangled name, registers, bytes of local memory) of each function."""
    for program in programs(data):
        by_name = dict(sections(program))
        symbols, strings, info = by_name['.symtab'], by_name['.strtab'], by_name.get('.nv.info', b'')
        found, at = {}, 0
        while at < len(info):
            form, attribute, size = struct.unpack_from('<BBH', info, at)
            at += 4
            if form == 4:
                if attribute in (REGISTERS, FRAME):
                    symbol, value = struct.unpack_from('<II', info, at)
                    found.setdefault(symbol, {})[attribute] = value
                at += size
        for symbol, values in found.items():
            start, = struct.unpack_from('<I', symbols, 24 * symbol)
            name = strings[start:strings.index(b'\0', start)].decode()
            yield name, values.get(REGISTERS, 0), values.get(FRAME, 0)


def operator_of(path):
    """`reduce` of `kernels_kokkos_reduce_cpp.o`; what compile_maps says of a text."""
    text = pathlib.Path(path + '.cu')
    if text.exists():
        return text.read_text().split('\n')[0].removeprefix('// ')
    return re.sub(r'^kernels_(kokkos|vendor_[a-z]+|jit)_|_cpp$', '', pathlib.Path(path).stem)


def largest(paths):
    """(operator, kernels, most registers, most local memory) of each object that has kernels."""
    for path in sorted(paths):
        rows = list(kernels(pathlib.Path(path).read_bytes()))
        if rows:
            yield operator_of(path), len(rows), max(row[1] for row in rows), max(row[2] for row in rows)


def main(paths):
    good, seen, needed = True, set(), set()
    for name, count, registers, local in largest(paths):
        seen.add(name)
        if registers <= MOST_REGISTERS and local <= MOST_LOCAL_BYTES:
            continue
        needed.add(name)
        if name not in EXEMPT:
            print(f'{name}: {registers} registers, {local} bytes of local memory in one of its {count} kernels')
            good = False
    for name in sorted(set(EXEMPT) & seen - needed):
        print(f'{name}: needs no exemption')
        good = False
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
