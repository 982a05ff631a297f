"""Small pictures for experiments that read them."""
import random
import struct
import zlib


def png(width, height, pixels):
    """Bytes of an RGB image; `pixels`: 3 * width * height bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[3 * width * row:3 * width * (row + 1)] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make_pictures(folder, count):
    """Noise of several sizes in ten folders, for the classes."""
    draw = random.Random(2)
    for number in range(count):
        place = folder / f"class{number % 10}"
        place.mkdir(parents=True, exist_ok=True)
        width, height = 24 + number % 5, 20 + number % 3
        (place / f"{number}.png").write_bytes(png(width, height, draw.randbytes(3 * width * height)))
