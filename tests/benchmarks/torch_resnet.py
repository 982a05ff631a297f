"""A ResNet of experiments/resnet in PyTorch: prints one JSON line, as $LBANN_PEER does.

  torch_resnet.py DEPTH IMAGE_SIZE --batch B --threads N --steps S [--dtype bf16]

Momentum SGD with weight decay on resident random images; torchvision is not needed.
"""
import argparse
import json
import resource
import statistics
import time

import torch
from torch import nn


def convolution_bn(channels, filters, size, stride=1):
    return [nn.Conv2d(channels, filters, size, stride, size // 2, bias=False), nn.BatchNorm2d(filters)]


class Block(nn.Module):
    """Its path and the shortcut, added; 3 x 3 twice, or 1 x 1, 3 x 3 and 1 x 1."""

    def __init__(self, channels, width, stride, bottleneck):
        super().__init__()
        self.channels = 4 * width if bottleneck else width
        if bottleneck:
            layers = [*convolution_bn(channels, width, 1), nn.ReLU(), *convolution_bn(width, width, 3, stride),
                      nn.ReLU(), *convolution_bn(width, self.channels, 1)]
        else:
            layers = [*convolution_bn(channels, width, 3, stride), nn.ReLU(), *convolution_bn(width, width, 3)]
        self.path = nn.Sequential(*layers)
        same = stride == 1 and channels == self.channels
        self.shortcut = nn.Sequential(*([] if same else convolution_bn(channels, self.channels, 1, stride)))

    def forward(self, x):
        return torch.relu(self.path(x) + self.shortcut(x))


def resnet(depth, classes):
    blocks = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3)}[depth]
    layers = [*convolution_bn(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for stage, (count, width) in enumerate(zip(blocks, (64, 128, 256, 512))):
        for block in range(count):
            layers.append(Block(channels, width, 2 if stage > 0 and block == 0 else 1, depth >= 50))
            channels = layers[-1].channels
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))


parser = argparse.ArgumentParser()
parser.add_argument("depth", type=int, choices=(18, 34, 50))
parser.add_argument("image_size", type=int)
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--threads", type=int, required=True)
parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
parser.add_argument("--steps", type=int, required=True)
options = parser.parse_args()
torch.set_num_threads(options.threads)
torch.manual_seed(0)

model = resnet(options.depth, 1000)
images = torch.randn(options.batch, 3, options.image_size, options.image_size)
labels = torch.randint(1000, (options.batch,))
optimizer = torch.optim.SGD(model.parameters(), 0.01, 0.9, weight_decay=1e-4)
loss = nn.CrossEntropyLoss()
warm_up, seconds = 2, []
for _ in range(warm_up + options.steps):
    begin = time.perf_counter()
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", torch.bfloat16, enabled=options.dtype == "bf16"):
        objective = loss(model(images), labels)
    objective.backward()
    optimizer.step()
    seconds.append(time.perf_counter() - begin)
print(json.dumps({
    "step_s": statistics.median(seconds[warm_up:]),
    "min_s": min(seconds),
    "params": sum(p.numel() for p in model.parameters()),
    "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
