"""Texts that tests expect, kept in files of the repository and accepted anew by ACCEPT_EXPECTED=1: a run that
accepts writes them and fails, the next one is good. The one place of Python tests that knows the switch."""
import os

remedy = "ACCEPT_EXPECTED=1 accepts what is found"


def accepting():
    return os.environ.get("ACCEPT_EXPECTED") == "1"


def difference(path, found):
    """Nothing where the file at `path` holds the text `found`, else what to complain of. While accepting `found`
    is written to the file (None: the file is removed), and there is always a complaint."""
    if accepting():
        if found is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found)
        return f"{path}: accepted what was found; run again without ACCEPT_EXPECTED"
    if found is None:
        return f"{path}: should not be there; {remedy}" if path.exists() else ""
    if not path.is_file():
        return f"{path}: missing; {remedy}"
    return "" if path.read_text() == found else f"{path}: differs; {remedy}"
