"""For tests that compare with Python libraries: goes on under an interpreter that has them, or is skipped."""
import importlib.util
import os
import shutil
import subprocess
import sys


def need_modules(*names):
    """Gives only where all of them can be imported. Debian's own interpreter is tried, too: its packages are not seen by others."""
    if all(importlib.util.find_spec(name) for name in names):
        return
    other = shutil.which('python3', path='/usr/bin')
    probe = 'import ' + ', '.join(names)
    if other and os.path.realpath(other) != os.path.realpath(sys.executable) and \
            subprocess.run([other, '-c', probe], stderr=subprocess.DEVNULL).returncode == 0:
        os.execv(other, [other, *sys.argv])
    print('skipped: no python3 here has ' + ' and '.join(names))
    sys.exit(77)
