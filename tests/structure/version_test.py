"""What --version of both commands prints, and that it needs neither MPI nor the other ranks.

  version_test.py SOURCES COMPILER RUNNER VERSION WITH_MPI
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import own_mpi_folder  # noqa: F401
from hang_guard import HANG_GUARD

sources, compiler, runner = map(pathlib.Path, sys.argv[1:4])
version, with_mpi = sys.argv[4], sys.argv[5] == "yes"
git = shutil.which("git")


def fail(*words):
    print("FAILED:", *words, sep="\n  ")
    sys.exit(1)


def output(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=HANG_GUARD, **options)
    if done.returncode != code:
        fail(command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def check_first_line(command, text):
    first = re.fullmatch(rf"{command} {re.escape(version)}(?: \(git (\S+)\))?", text.splitlines()[0])
    if not first:
        fail(f"first line of {command}", text)
    if git and (sources / ".git").exists() and not first[1]:
        fail(f"{command} does not know what it was built of", text)
    # Built before the last commits perhaps, but of one of this repository.
    if git and first[1]:
        output(git, "-C", sources, "rev-parse", "--verify", "--quiet", first[1].removesuffix("-dirty") + "^{commit}")


compiled = output(compiler, "--version")
check_first_line("lbann-compile", compiled)
for words in (r"\nplan format: \d+\n", r"\ninstruction set: any x86-64\n",
              r"\nlibraries: FlatBuffers \d.*, yaml-cpp \d.*, toml\+\+ \d.*; neither Kokkos, MPI nor BLAS\n$"):
    if not re.search(words, compiled):
        fail(words, compiled)

ran = output(runner, "--version")
check_first_line("lbann-run", ran)
mpi_words = r"(?=.*\d)(?!none).+" if with_mpi else "none, a single process"
for words in (r"\nplan format: \d+\n", r"\ninstruction set: \S+", r"\nKokkos: [345]\.\d+\.\d+, \w+\n", rf"\nMPI: {mpi_words}\n",
              r"\nBLAS: OpenBLAS \d.*\nHDF5: (?:none|\d+\.\d+\.\d+)\n$"):
    if not re.search(words, ran):
        fail(words, ran)
formats = {re.search(r"\nplan format: (\d+)\n", text)[1] for text in (compiled, ran)}
if len(formats) != 1:
    fail("both commands must know one format of plans", formats)

# Under a launcher one rank prints. MPI is not initialised: here it could not be.
if with_mpi and shutil.which("mpirun"):
    launched = output("mpirun", "-n", "2", "--bind-to", "none", "-x", "OMPI_MCA_pml=none_of_them", runner, "--version")
    if launched != ran:
        fail("on two ranks", launched)
    for attempt in range(20):  # one time in five mpirun of Open MPI 4.1.4 crashes instead of showing the message
        done = subprocess.run(["mpirun", "-n", "2", "--bind-to", "none", "-x", "OMPI_MCA_pml=none_of_them", str(runner),
                               "plan.bin"], capture_output=True, text=True, timeout=HANG_GUARD)
        if "none_of_them" in done.stdout + done.stderr:
            break
    else:
        fail("this test would not notice MPI_Init", done.stdout, done.stderr)

# The revision: that of the tree's own repository, in its present state.
if git:
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        tree = top / "tree"
        (tree / "scripts").mkdir(parents=True)
        shutil.copy(sources / "scripts" / "revision", tree / "scripts")
        script = tree / "scripts" / "revision"
        who = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null",
               **{f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}

        def commit(where):
            output(git, "-C", where, "add", ".", env=who)
            output(git, "-C", where, "commit", "-q", "-m", "a change", env=who)
            return output(git, "-C", where, "rev-parse", "HEAD", env=who).strip()

        output(script, code=1)
        # A copy of the sources inside another repository has none.
        output(git, "init", "-q", top, env=who)
        commit(top)
        output(script, code=1)
        output(git, "init", "-q", tree, env=who)
        for text in ("one", "two"):
            (tree / "file").write_text(text)
            head = commit(tree)
            found = output(script).strip()
            if len(found) < 7 or not head.startswith(found):
                fail("the revision of", head, found)
        (tree / "file").write_text("three")
        if output(script).strip() != found + "-dirty":
            fail("a changed file is not told", output(script))
print(compiled + ran)
