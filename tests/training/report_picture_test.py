"""The page of `lbann-run --report` as a browser draws it: each run has lines in its colour, pictures and matrices have a place.

  report_picture_test.py COMPILER RUNNER [FILE]

The picture of the page stays in FILE. Skipped where there is no Chromium, or no Pillow.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from with_modules import need_modules  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
browser = next(filter(None, map(shutil.which, BROWSERS)), None)
if browser is None:
    print("skipped: none of", *BROWSERS)
    sys.exit(77)
need_modules('PIL')
from PIL import Image  # noqa: E402
from report_test import TEXT  # noqa: E402
from run_experiment import Experiment, call, fail  # noqa: E402

# Of the first two runs, and of what is right in a confusion matrix.
COLORS = {"the first run": (0x00, 0x72, 0xb2), "the second run": (0xd5, 0x5e, 0x00), "right": (0, 158, 115)}


def draw(page, picture, folder):
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}",
                    "--window-size=1280,5200", f"--screenshot={picture}", page.as_uri()],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return Image.open(picture).convert("RGB")


def main(compiler, runner, kept=None):
    runner = pathlib.Path(runner).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        (scratch / "experiment.yaml").write_text(TEXT)
        folders = []
        for name, rate in (("slow", 0.2), ("fast", 0.4)):
            run = Experiment(compiler, runner, scratch / "experiment.yaml", scratch, [f"variables.rate={rate}"])
            folders.append(run.run(name)[2])
        page = scratch / "page.html"
        call([runner, "--report", *folders, "--page", page], scratch)
        drawn = draw(page, pathlib.Path(kept).resolve() if kept else scratch / "page.png", scratch / "browser")
        counts = drawn.getcolors(drawn.width * drawn.height)
        for what, color in COLORS.items():
            found = sum(count for count, other in counts if all(abs(a - b) < 40 for a, b in zip(color, other)))
            if found < 1000:
                fail(f"only {found} pixels have the colour of {what}")
        # The page fits: its last rows are background.
        if len(drawn.crop((0, drawn.height - 20, drawn.width, drawn.height)).getcolors()) != 1:
            fail("the page is longer than the picture")


if __name__ == "__main__":
    main(*sys.argv[1:])
