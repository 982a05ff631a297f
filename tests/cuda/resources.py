"""Registers, local memory and wide loads of the kernels that nvcc and NVRTC have compiled, read from their objects.

  resources.py [--page PAGE --compiler VERSION] OBJECT...

A kernel that keeps its numbers in local memory runs at a fraction of the memory's speed, one of many registers leaves
processors idle, and loads of 16 bytes move a row with a quarter of the instructions. Prints a line for each object whose
kernels exceed the bounds below without a reason given there; exit code 1 if there is any, or if a reason is needless.

With --page the table that ends PAGE is compared with what was found, where the same compiler has made it.
"""
import argparse
import pathlib
import re
import struct
import sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from expected import difference  # noqa: E402

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
# Instructions of sm_70 and later have 16 bytes; found by compiling loads of known widths.
GLOBAL_LOAD, OPCODE_BITS, WIDTH_BIT, SIXTEEN_BYTES = 0x981, 0xfff, 9, 6
SECTION = '## Registers, local memory, loads'


@dataclass
class Kernel:
    registers: int
    local: int       # bytes
    loads: int       # instructions that read global memory
    wide_loads: int  # of them, those of 16 bytes


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


def loads_of(code):
    """Loads from global memory in a kernel's instructions, and those of 16 bytes."""
    words = [(low & OPCODE_BITS, high >> WIDTH_BIT & 7) for low, high in struct.iter_unpack('<QQ', code)]
    widths = [width for opcode, width in words if opcode == GLOBAL_LOAD]
    return len(widths), widths.count(SIXTEEN_BYTES)


def kernels(data):
    """Each function of an object."""
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
            yield Kernel(values.get(REGISTERS, 0), values.get(FRAME, 0), *loads_of(by_name.get('.text.' + name, b'')))


def operator_of(path):
    """`reduce` of `kernels_kokkos_reduce_cpp.o`; what compile_maps says of a text; nothing of objects without kernels."""
    text = pathlib.Path(path + '.cu')
    if text.exists():
        return text.read_text().split('\n')[0].removeprefix('// ')
    found = re.fullmatch(r'kernels_(kokkos|vendor_[a-z]+)_(\w+)_cpp', pathlib.Path(path).stem)
    return found and found[2]


def read(paths):
    """(what it is of, its kernels) of each object that has any."""
    for path in sorted(paths):
        operator = operator_of(path)
        found = list(kernels(pathlib.Path(path).read_bytes())) if operator else []
        if found:
            yield operator, found


def exceeds(kernel):
    return kernel.registers > MOST_REGISTERS or kernel.local > MOST_LOCAL_BYTES


def complaints(objects):
    seen, needed = set(), set()
    for name, found in objects:
        seen.add(name)
        if not any(map(exceeds, found)):
            continue
        needed.add(name)
        if name not in EXEMPT:
            yield (f'{name}: {max(k.registers for k in found)} registers, {max(k.local for k in found)} bytes of local memory in '
                   f'one of its {len(found)} kernels')
    for name in sorted(set(EXEMPT) & seen - needed):
        yield f'{name}: needs no exemption'


def table(objects, compiler):
    """The section of the page: texts of NVRTC are told by operator, all together."""
    rows = {}
    for name, found in objects:
        operator, text, _ = name.partition(' of `')
        rows.setdefault(operator + ', at run time' if text else operator, []).extend(found)
    lines = [SECTION, '', f'Of kernels compiled by {compiler}: the most registers and bytes of local memory of one, and how many of their loads are of 16',
             'bytes. Maps and reductions at run time are those of all experiments, compiled by NVRTC.', '',
             '| source | kernels | registers | local memory | loads | of 16 bytes |', '|---|---|---|---|---|---|']
    for name, found in sorted(rows.items()):
        lines.append(f'| {name} | {len(found)} | {max(k.registers for k in found)} | {max(k.local for k in found)} | '
                     f'{sum(k.loads for k in found)} | {sum(k.wide_loads for k in found)} |')
    return '\n'.join(lines) + '\n'


def compare(page, objects, compiler):
    """What to complain of, if anything."""
    head, _, section = page.read_text().partition(SECTION)
    if section and compiler not in section:
        print(f'{page.name}: its table is of another compiler, it is not compared')
        return ''
    return difference(page, head + table(objects, compiler))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--page', type=pathlib.Path)
    parser.add_argument('--compiler')
    parser.add_argument('objects', nargs='+')
    options = parser.parse_args()
    objects = list(read(options.objects))
    found = list(complaints(objects))
    if options.page:
        found += filter(None, [compare(options.page, objects, options.compiler)])
    print('\n'.join(found))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
