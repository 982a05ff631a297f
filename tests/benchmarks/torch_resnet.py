"""ResNet-50 of experiments/resnet in PyTorch: prints one JSON line, as $LBANN_PEER does.

  torch_resnet.py IMAGE_SIZE --batch B --threads N --steps S

Momentum SGD with weight decay on resident random images; torchvision is not needed.
"""
import argparse
import json
import resource
import statistics
import time

import torch
from torch import nn


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 with the stride, 1 x 1, each with batch normalisation, added to the shortcut."""

    def __init__(self, channels, width, stride):
        super().__init__()
        out = 4 * width
        self.path = nn.Sequential(
            nn.Conv2d(channels, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, out, 1, bias=False), nn.BatchNorm2d(out))
        self.shortcut = nn.Sequential()
        if stride != 1 or channels != out:
            self.shortcut = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False),
                                          nn.BatchNorm2d(out))

    def forward(self, x):
        return torch.relu(self.path(x) + self.shortcut(x))


def resnet50(classes):
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for stage, (blocks, width) in enumerate(zip((3, 4, 6, 3), (64, 128, 256, 512))):
        for block in range(blocks):
            layers.append(Bottleneck(channels, width, 2 if stage > 0 and block == 0 else 1))
            channels = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))


parser = argparse.ArgumentParser()
parser.add_argument("image_size", type=int)
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--threads", type=int, required=True)
parser.add_argument("--steps", type=int, required=True)
options = parser.parse_args()
torch.set_num_threads(options.threads)
torch.manual_seed(0)

model = resnet50(1000)
images = torch.randn(options.batch, 3, options.image_size, options.image_size)
labels = torch.randint(1000, (options.batch,))
optimizer = torch.optim.SGD(model.parameters(), 0.01, 0.9, weight_decay=1e-4)
loss = nn.CrossEntropyLoss()
warm_up, seconds = 2, []
for _ in range(warm_up + options.steps):
    begin = time.perf_counter()
    optimizer.zero_grad(set_to_none=True)
    loss(model(images), labels).backward()
    optimizer.step()
    seconds.append(time.perf_counter() - begin)
print(json.dumps({
    "step_s": statistics.median(seconds[warm_up:]),
    "min_s": min(seconds),
    "params": sum(p.numel() for p in model.parameters()),
    "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
