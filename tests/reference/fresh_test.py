"""The reference pages in docs/reference and the JSON Schema are what the declarations say.

  fresh_test.py COMPILER FOLDER SCHEMA

ACCEPT_EXPECTED=1 rewrites the pages; the test then counts as skipped.
"""
import os
import pathlib
import subprocess
import sys

compiler, folder, schema = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
accept = os.environ.get("ACCEPT_EXPECTED") == "1"


def reference(name):
    return subprocess.run([compiler, "--reference", name], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


# The message for an unknown page lists all of them.
names = reference("?").stderr.rsplit("there are ", 1)[1].split()
names = [name.strip(",") for name in names]
stale = []
for name in names:
    page = folder / f"{name}.md"
    text = reference(name).stdout
    if accept:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)
    elif not page.is_file() or page.read_text() != text:
        stale.append(name)
printed = subprocess.run([compiler, "--print-schema"], stdout=subprocess.PIPE, text=True, check=True).stdout
if accept:
    schema.write_text(printed)
elif not schema.is_file() or schema.read_text() != printed:
    stale.append(schema.name)
extra = {str(page.relative_to(folder).with_suffix("")) for page in folder.rglob("*.md")} - set(names)
if accept:
    for name in extra:
        (folder / f"{name}.md").unlink()
    print("pages rewritten; nothing was tested")
    sys.exit(77)
if stale or extra:
    sys.exit(f"stale: {stale}, unknown: {sorted(extra)}; ACCEPT_EXPECTED=1 rewrites the pages")
print(f"{len(names)} pages are fresh")
