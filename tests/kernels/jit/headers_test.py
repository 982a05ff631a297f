"""Headers that texts of kernels include need nothing but one another: NVRTC, which compiles them, finds no files.

  headers_test.py NAME... FILE...

A NAME for each FILE: what stands between quotes or angle brackets in `#include`. The host's compiler is told of what NVRTC
knows by itself, and of no folder but one with these files.
"""
import pathlib
import subprocess
import sys
import tempfile

OF_ONE = ("acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp fabs floor log1p sin sinh sqrt tan trunc").split()
OF_SEVERAL = {"copysign": 2, "fmod": 2, "fma": 3}

names, files = sys.argv[1:(len(sys.argv) + 1) // 2], sys.argv[(len(sys.argv) + 1) // 2:]


def declaration(name, arguments):
    return "".join(f'extern "C" {number} {name}{suffix}({", ".join([number] * arguments)});\n'
                   for number, suffix in (("double", ""), ("float", "f")))


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for name, file in zip(names, files, strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(pathlib.Path(file).read_text())
    known = "".join(declaration(name, 1) for name in OF_ONE)
    known += "".join(declaration(name, count) for name, count in OF_SEVERAL.items())
    (folder / "all.cpp").write_text(known + "".join(f'#include "{name}"\n' for name in names))
    sys.exit(subprocess.run(["c++", "-std=c++20", "-nostdinc", "-nostdinc++", "-fsyntax-only", "-I", folder,
                             folder / "all.cpp"]).returncode)
