"""JPEGs of a folder through PyTorch's DataLoader with Pillow: prints one JSON line with samples_s.

  torch_images.py FOLDER WORKERS BATCH

The crop and the resizing are those of torchvision's RandomResizedCrop(224), written with Pillow; then a flip and the
normalisation of ImageNet. The second epoch is timed: workers are running then.
"""
import json
import math
import pathlib
import random
import sys
import time

import numpy
import torch
from PIL import Image


def random_part(width, height):
    for _ in range(10):
        area = width * height * random.uniform(0.08, 1)
        ratio = math.exp(random.uniform(math.log(3 / 4), math.log(4 / 3)))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            return random.randint(0, width - w), random.randint(0, height - h), w, h
    side = min(width, height)
    return (width - side) // 2, (height - side) // 2, side, side


class Pictures(torch.utils.data.Dataset):
    def __init__(self, folder):
        self.files = sorted(folder.rglob("*.jpg"))
        self.mean = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
        self.deviation = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, number):
        with Image.open(self.files[number]) as file:
            image = file.convert("RGB")
        left, top, width, height = random_part(*image.size)
        image = image.crop((left, top, left + width, top + height)).resize((224, 224), Image.BILINEAR)
        if random.random() < 0.5:
            image = image.transpose(Image.FLIP_LEFT_RIGHT)
        values = torch.from_numpy(numpy.array(image)).permute(2, 0, 1).contiguous()
        return values.to(torch.float32).div(255).sub_(self.mean).div_(self.deviation), number % 10


def main():
    folder, workers, batch = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(Pictures(folder), batch_size=batch, shuffle=True, num_workers=workers,
                                         persistent_workers=True)
    for _ in range(2):
        begin = time.perf_counter()
        samples = sum(len(images) for images, _ in loader)
        seconds = time.perf_counter() - begin
    print(json.dumps({"samples": samples, "seconds": seconds, "samples_s": samples / seconds}))


main()
