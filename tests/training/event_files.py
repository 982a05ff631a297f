"""Event files of TensorBoard, decoded by protoc; a test that imports this is skipped where there is none."""
import pathlib
import re
import shutil
import struct
import subprocess
import sys

from run_experiment import expect

HERE = pathlib.Path(__file__).resolve().parent
protoc = shutil.which("protoc")
if protoc is None:
    print("skipped: no protoc")
    sys.exit(77)


def decoded(record):
    """protoc's text of an event, as a dict of lists; texts stay in C's escapes."""
    done = subprocess.run([protoc, f"-I{HERE}", "--decode=Event", "events.proto"], input=record, capture_output=True)
    expect(done.returncode == 0, f"protoc: {done.stderr.decode()}")
    stack = [{}]
    for line in done.stdout.decode().splitlines():
        line = line.strip()
        if line.endswith("{"):
            child = {}
            stack[-1].setdefault(line[:-2], []).append(child)
            stack.append(child)
        elif line == "}":
            stack.pop()
        else:
            name, value = line.split(": ", 1)
            stack[-1].setdefault(name, []).append(value[1:-1] if value.startswith('"') else value)
    expect(not any(re.fullmatch(r"\d+", name) for name in stack[0]), f"an unknown field: {done.stdout.decode()}")
    return stack[0]


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def events_of(folder):
    paths = list(folder.iterdir())
    expect(len(paths) == 1, f"{folder}: {paths}")
    data, at, events = paths[0].read_bytes(), 0, []
    while at < len(data):
        length, check = struct.unpack_from("<QI", data, at)
        record = data[at + 12:at + 12 + length]
        expect(check == masked(data[at:at + 8]), "the CRC of a length is wrong")
        # Bit by bit, so of short records only; event_file_test.cpp has the others.
        if length < 4096:
            expect(struct.unpack_from("<I", data, at + 12 + length)[0] == masked(record), "a CRC is wrong")
        events.append(decoded(record))
        at += 16 + length
    return events


def values_of(events, tag):
    """Steps and values of a tag."""
    return {int(event.get("step", ["0"])[0]): value for event in events for summary in event.get("summary", [])
            for value in summary["value"] if value["tag"] == [tag]}


def image_of(value):
    """Bytes of the picture of a summary value."""
    return value["image"][0]["encoded_image_string"][0].encode().decode("unicode_escape").encode("latin-1")
