"""A run that accepts expected texts fails and writes them, the next one is good; in C++ and in Python.

  expected_test.py COMPILER_TEST
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import expected

NAME = "tests/compiler/layers/loss_layers.expected"
accepted = (pathlib.Path(os.environ["LBANN_SOURCE_ROOT"]) / NAME).read_text()
damaged = accepted.replace("reduce(x0, x1)", "reduce(x1, x0)").replace("=== l1_norm\n", "=== none\n")
assert damaged != accepted


def check(what, good):
    print(what, "good" if good else "FAILED")
    if not good:
        sys.exit(1)


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / NAME
    path.parent.mkdir(parents=True)
    path.write_text(damaged)

    def run(switch):
        environment = {**os.environ, "LBANN_SOURCE_ROOT": folder, "ACCEPT_EXPECTED": switch}
        return subprocess.run([sys.argv[1], "--source-file=*loss_layers_test.cpp"], env=environment,
                              stdout=subprocess.DEVNULL).returncode == 0

    check("C++, a damaged text fails:", not run("") and path.read_text() == damaged)
    check("C++, accepting fails and writes:", not run("1") and path.read_text() != damaged)
    # The section that no test reads stays; tests/structure complains of it.
    check("C++, all sections are accepted:",
          sorted(path.read_text().split("=== ")) == sorted((accepted + damaged[damaged.index("=== none"):]
                                                            .split("=== l2")[0]).split("=== ")))
    check("C++, what was accepted is good:", run(""))
    check("C++, accepting fails though nothing differs:", not run("1"))

    page = pathlib.Path(folder) / "pages" / "page.md"
    os.environ["ACCEPT_EXPECTED"] = ""
    check("Python, a missing text fails:", expected.difference(page, "text") and not page.exists())
    os.environ["ACCEPT_EXPECTED"] = "1"
    check("Python, accepting fails and writes:", expected.difference(page, "text") and page.read_text() == "text")
    os.environ["ACCEPT_EXPECTED"] = ""
    check("Python, what was accepted is good:", not expected.difference(page, "text"))
    check("Python, another text fails:", expected.difference(page, "other") and page.read_text() == "text")
    check("Python, a surplus text fails:", expected.difference(page, None))
    os.environ["ACCEPT_EXPECTED"] = "1"
    check("Python, accepting removes it:", expected.difference(page, None) and not page.exists())
