"""The reference pages in docs/reference and the JSON Schema are what the declarations say.

  fresh_test.py COMPILER FOLDER SCHEMA
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from expected import difference

compiler, folder, schema = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def reference(name):
    return subprocess.run([compiler, "--reference", name], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


# The message for an unknown page lists all of them.
names = reference("?").stderr.rsplit("there are ", 1)[1].split()
names = [name.strip(",") for name in names]
expected = {folder / f"{name}.md": reference(name).stdout for name in names}
expected[schema] = subprocess.run([compiler, "--print-schema"], stdout=subprocess.PIPE, text=True, check=True).stdout
# Pages that no longer are.
expected.update({page: None for page in folder.rglob("*.md") if page not in expected})
complaints = [words for path, text in expected.items() if (words := difference(path, text))]
print(*(complaints or [f"{len(names)} pages are fresh"]), sep="\n")
sys.exit(1 if complaints else 0)
