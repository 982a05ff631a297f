"""Shipped experiments made small, so that a test can run each of them for a few steps."""

import re

# Settings of what takes long as it is written.
SMALL = {
    'mlp_mnist': {'width': 256},
    'gan': {'hidden': 64},
    'alexnet': {'classes': 10, 'image_size': 67, 'neurons': 16, 'channels': '[12,16,24,24,16]', 'samples': 6,
                'batch': 2},
    'vgg16': {'classes': 10, 'image_size': 32, 'channels': '[4,8,8,8,8]', 'neurons': 16, 'samples': 6, 'batch': 2},
    'resnet': {'depth': 18, 'widths': '[64,16,16,16]', 'classes': 10, 'image_size': 32, 'samples': 12, 'batch': 4},
    'densenet': {'classes': 10, 'image_size': 32, 'samples': 12, 'batch': 4, 'blocks': '[1,1,2,1]',
                 'transitions': '[64,32,32]', 'growth': 16},
    'unet': {'image_size': 32, 'channels': '[4,8,8,16]', 'samples': 4},
    'cosmoflow': {'size': 8, 'widths': '[4,8,8]', 'samples': 12},
    'implosion': {'views': 2, 'image_size': 8, 'diagnostics': 5, 'parameters': 3, 'widths': '[4,6]', 'hidden': 8,
                  'batch': 4},
    'transformer': {'words': 11, 'length': 6, 'width': 16, 'heads': 2, 'inner': 24, 'depth': 2, 'samples': 12,
                    'batch': 4},
    'char_gpt': {'characters': 6, 'length': 12, 'width': 16, 'heads': 2, 'depth': 2, 'batch': 4},
    'smiles_autoencoder': {'characters': 9, 'length': 15, 'width': 8, 'hidden': 16, 'code': 4, 'batch': 8},
    'graph_convolution': {'samples': 96},
}


def text_of(path):
    """The experiment at this path, with what it includes, as YAML writes it as far as tests look for words in it."""
    text = path.read_text()
    if path.suffix == '.toml':
        return text.replace(' = ', ': ').replace('"', '')
    included = re.search('^include: (.*)$', text, re.M)
    return text + text_of(path.parent / included[1]) if included else text


def settings(name, **changes):
    """`variables.NAME=VALUE` for the experiment in this file, e.g. `resnet/experiment.yaml`; values of `changes` stand
    for those of the same names here."""
    values = SMALL.get(name.split('/')[0], {})
    values = values | {key: value for key, value in changes.items() if key in values}
    return [f'variables.{key}={value}' for key, value in values.items()]


def options(name):
    """The same as arguments of lbann-compile."""
    return [part for setting in settings(name) for part in ('--set', setting)]
