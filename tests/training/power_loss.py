"""What a power failure leaves of a folder of runs, from what storage_shim.cpp has recorded.

Names and bytes that were synced are there; of all others any part may be: of each folder either the names it had when it was
last synced or those of the end, of each file the synced bytes and any, no or zeroed bytes after them.
"""
import ctypes
import os
import re
import shutil
import struct

libc = ctypes.CDLL(None, use_errno=True)


def key_of(path):
    """Inode and birth, as the shim writes them."""
    status = ctypes.create_string_buffer(256)
    nofollow, inode, birth, here = 0x100, 0x100, 0x800, -100
    if libc.statx(here, os.fsencode(path), nofollow, inode | birth, status) != 0:
        raise OSError(ctypes.get_errno(), f"{path}: no status")
    number, = struct.unpack_from("<Q", status, 32)
    seconds, nanoseconds = struct.unpack_from("<qI", status, 80)
    return f"{number}.{seconds}.{nanoseconds}"


def record_all(folder, record):
    """Writes down that all there is in `folder` was synced."""
    record.mkdir()
    with open(record / "events", "w") as events:
        for path in sorted([folder, *folder.rglob("*")]):
            if path.is_symlink():
                continue
            if path.is_file():
                copy = f"before_{len(list(record.iterdir()))}"
                shutil.copyfile(path, record / copy)
                print("F", key_of(path), copy, file=events)
            else:
                print("D", key_of(path), *(f"{entry.name}/{sort_of(entry)}/{key_of(entry)}" for entry in path.iterdir()),
                      file=events)


def sort_of(path):
    return "l" if path.is_symlink() else "d" if path.is_dir() else "f"


class Disk:
    """What was brought to the disk before the first process was killed."""

    def __init__(self, record):
        self.folders, self.files = {}, {}
        events = record / "events"
        for line in events.read_text().splitlines() if events.exists() else []:
            kind, *rest = line.split(" ")
            if kind == "K":
                break
            if kind == "F":
                self.files[rest[0]] = (record / rest[1]).read_bytes()
            else:
                self.folders[rest[0]] = {name: (sort, key) for name, sort, key in
                                         (entry.rsplit("/", 2) for entry in rest[1:])}

    def newest_checkpoint(self):
        """Steps of the newest checkpoint that cannot be lost; -1 without one."""
        steps = [int(name[5:]) for entries in self.folders.values() for name, (_, key) in entries.items()
                 if re.fullmatch(r"step_\d+", name)
                 # not a part in a local folder, which counts with all others only
                 and {"manifest.json", "state.safetensors"} <= self.folders.get(key, {}).keys()]
        return max(steps, default=-1)

    def rebuild(self, path, to, random):
        """Makes the folder `to` as `path` may be after the failure. The folder itself stays."""
        to.mkdir()
        actual = {}
        if path is not None and path.is_dir():
            actual = {entry.name: entry for entry in path.iterdir()}
        entries = {name: (sort_of(entry), key_of(entry))
                   for name, entry in actual.items()}
        places = {key: actual[name] for name, (_, key) in entries.items()}
        if random.random() < 0.5:
            entries = self.folders.get(key_of(path) if path is not None else None, {})
        for name, (sort, key) in entries.items():
            # The same thing may have another name at the end.
            now = places.get(key)
            if sort == "d":
                if now is None and key in self.folders:
                    self.rebuild_removed(key, to / name)
                else:
                    self.rebuild(now, to / name, random)
            elif sort == "l":
                if now is not None:
                    (to / name).symlink_to(os.readlink(now))
            else:
                (to / name).write_bytes(self.content(key, now, random))

    def rebuild_removed(self, key, to):
        """A folder that is gone, but not durably."""
        to.mkdir()
        for name, (sort, own) in self.folders.get(key, {}).items():
            if sort == "f":
                (to / name).write_bytes(self.files.get(own, b""))

    def content(self, key, now, random):
        synced = self.files.get(key, b"")
        end = now.read_bytes() if now is not None and now.is_file() else synced
        rest = end[len(synced):] if end.startswith(synced) else b""
        cut = rest[:random.randint(0, len(rest))]
        return synced + random.choice([b"", cut, bytes(len(cut)), cut + bytes(len(rest) - len(cut))])


def lose_power(base, record, random):
    """Replaces `base` by what is left of it; steps of the newest checkpoint that must be there."""
    disk = Disk(record)
    left = base.with_name(base.name + ".left")
    disk.rebuild(base, left, random)
    shutil.rmtree(base)
    left.rename(base)
    return disk.newest_checkpoint()
