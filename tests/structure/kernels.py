# Checks of kernels/: what is portable, and what is for CPUs.
import re

SOURCES = ('.hpp', '.cpp', '.in')
OWN_INCLUDE = re.compile(r'^\s*#\s*include\s+"(kernels/[^"]+)"', re.M)
COMMENT = re.compile(r'//[^\n]*')

# Ways to ask whether code is for the host or for a device.
BRANCH = re.compile(r'\b(on_host|is_host|LBANN_\w+_DEVICE|__CUDA_ARCH__|__CUDACC__|__NVCC__|__HIPCC__|__HIP_DEVICE_COMPILE__'
                    r'|KOKKOS_ENABLE_\w+|KOKKOS_IF_ON_\w+|DefaultHostExecutionSpace)\b')
MAY_BRANCH = {
    'kernels/kokkos/launch.hpp': 'the launcher of portable kernels',
    'kernels/kokkos/folds.hpp': 'the launcher of folds',
    'kernels/folds/lanes.hpp': 'what a block of a GPU does for that launcher',
    'kernels/compute_threads.cpp': 'starts the runtime of Kokkos but where CUDA launches without it',
}
PORTABLE = re.compile(r'\bKokkos::|\bKOKKOS_\w*FUNCTION\b|\b(launch|functor_kernel|copy_on_device)\(')


def files_of(root, folder='kernels'):
    return {str(path.relative_to(root)): path.read_text() for path in sorted((root / folder).rglob('*'))
            if path.suffix in SOURCES and path.is_file()}


def host_or_device(root):
    """No kernel asks where it runs: that is chosen where kernels are listed, by kernels/selection."""
    texts = files_of(root)
    for name, text in texts.items():
        found = BRANCH.search(COMMENT.sub('', text))
        if found and name not in MAY_BRANCH:
            yield f'{name}: asks whether it runs on the host or on a device ({found.group(1)})'
        if name.startswith('kernels/host/') and re.search(r'\bKokkos::|\bKOKKOS_', COMMENT.sub('', text)):
            yield f'{name}: a kernel for CPUs needs nothing of Kokkos'
    for name in MAY_BRANCH:
        if name in texts and not BRANCH.search(COMMENT.sub('', texts[name])):
            yield f'tests/structure/kernels.py: {name} asks nothing, its exemption is needless'


def portable(root):
    """Files in kernels/kokkos use Kokkos or its launchers, themselves or by headers of that folder."""
    texts = files_of(root, 'kernels/kokkos')

    def uses(name, seen):
        if name in seen or name not in texts:
            return False
        seen.add(name)
        source = name.replace('.hpp', '.cpp')
        return bool(PORTABLE.search(COMMENT.sub('', texts[name]))) or any(
            uses(other, seen) for other in OWN_INCLUDE.findall(texts[name]) + [source])

    for name in texts:
        if not uses(name, set()):
            yield f'{name}: uses neither Kokkos nor a launcher; code for CPUs lives in kernels/host'


def native_registers(root):
    """Vectors are as wide as registers of the target: wider ones change calling conventions, and crawl."""
    for name, text in files_of(root).items():
        if 'vector_size' in COMMENT.sub('', text) and name != 'kernels/host/vector.hpp':
            yield f'{name}: has vectors of its own width; kernels/host/vector.hpp has those of the target'


CHECKS = [host_or_device, portable, native_registers]
