"""Small files of the format of MNIST, for experiments that read it."""
import gzip
import random
import struct


def make_mnist(folder, count=300):
    """Images and labels in IDX form: noise with a bright row that tells the label."""
    draw = random.Random(1)
    labels = bytes(draw.randrange(10) for _ in range(count))
    images = bytearray()
    for label in labels:
        image = bytearray(draw.randrange(60) for _ in range(28 * 28))
        image[28 * (2 * label + 3):28 * (2 * label + 4)] = bytes([255] * 28)
        images += image
    folder.mkdir()
    for prefix in ("train", "t10k"):
        with gzip.open(folder / f"{prefix}-images-idx3-ubyte.gz", "wb") as file:
            file.write(struct.pack(">IIII", 2051, count, 28, 28) + bytes(images))
        with gzip.open(folder / f"{prefix}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(struct.pack(">II", 2049, count) + labels)
