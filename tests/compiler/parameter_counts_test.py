"""Models of the zoo have as many trained parameters as their papers or reference implementations say.

  parameter_counts_test.py COMPILER EXPERIMENTS
"""
import json
import math
import re
import subprocess
import sys
from pathlib import Path

compiler, experiments = sys.argv[1], Path(sys.argv[2])
WEIGHTS = re.compile(r'^weights \S+: \[([\d, ]*)\] .*optimizer (\w+)', re.M)

# Counts of torchvision's models but for: AlexNet in two groups as in the paper; U-Net and the transformer counted by
# hand from their papers (with places learned, 64 of 512 numbers).
PUBLISHED = [
    ('alexnet', [], 60_965_224),
    ('vgg16', [], 138_357_544),
    ('resnet', ['variables.depth=18'], 11_689_512),
    ('resnet', ['variables.depth=34'], 21_797_672),
    ('resnet', [], 25_557_032),
    ('resnet', ['variables.depth=101'], 44_549_160),
    ('resnet', ['variables.depth=152'], 60_192_808),
    ('densenet', [], 7_978_856),
    ('unet', [], 31_030_658),
    ('transformer', [], 63_082_496 + 64 * 512),
]

failures = 0
for name, settings, published in PUBLISHED:
    arguments = [part for setting in settings for part in ('--set', setting)]
    done = subprocess.run([compiler, experiments / name / 'experiment.yaml', '--emit', 'graph', *arguments],
                          text=True, capture_output=True)
    trained = [dims for dims, optimizer in WEIGHTS.findall(done.stdout) if optimizer != 'no_optimizer']
    count = sum(math.prod(map(int, dims.split(', '))) for dims in trained)
    print(f'{name} {" ".join(settings)}: {count:,}')
    if done.returncode != 0 or count != published:
        failures += 1
        print(f'  wrong: {published:,} are published\n{done.stderr}')
    summary = subprocess.run([compiler, experiments / name / 'experiment.yaml', '--report', 'summary', '--report-format', 'json', *arguments],
                             text=True, capture_output=True)
    model = json.loads(summary.stdout)['model']
    if model['trained'] != published or sum(layer['trained'] for layer in model['layers']) != published:
        failures += 1
        print(f'  wrong: --summary counts {model["trained"]:,}')
sys.exit(1 if failures else 0)
