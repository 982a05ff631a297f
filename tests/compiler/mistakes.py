"""Typical mistakes of people who come from PyTorch, Keras or LBANN, and of everyone who writes YAML.

Each changes lines of `BASE`, a good experiment. What a message must do is said of each: its code, the words that its place
underlines, words that it holds, and what the user writes after reading it.
"""
from dataclasses import dataclass, field

BASE = '''trainer:
  mini_batch_size: 64
  random_seed: 42
  training_algorithm:
    sgd: {max_epochs: 5}
data_reader:
  - digits: {role: train, num_samples: 512, shuffle: true}
  - digits: {role: validate, num_samples: 128}
model:
  layers:
    - input: {name: images, data_field: samples}
    - input: {name: labels, data_field: labels}
    - convolution: {parents: images, out_channels: 6, kernel_size: 5}
    - batch_normalization:
    - relu:
    - pooling: {pool_mode: max, pool_dims: 2, pool_strides: 2}
    - fully_connected: {name: hidden, num_neurons: 84}
    - dropout: {keep_prob: 0.8}
    - fully_connected: {name: scores, num_neurons: 10}
    - softmax: {name: probabilities}
    - cross_entropy: {name: loss, parents: [probabilities, labels]}
    - categorical_accuracy: {name: accuracy, parents: [probabilities, labels]}
  objective_function:
    - layer_term: {layer: loss}
  metrics:
    - layer_metric: {name: accuracy, layer: accuracy, unit: "%"}
  callbacks:
    - early_stopping: {patience: 3}
optimizer:
  adam: {learn_rate: 0.001}
'''


@dataclass
class Mistake:
    title: str
    wrong: dict   # of BASE's text, what is written instead
    code: str     # of the first message
    place: str    # the words that it underlines
    says: str     # a part of what is printed
    repair: dict = field(default_factory=dict)  # of BASE's text, what is written in the end; what stood there if left out
    fixed: bool = True  # whether `--fix` alone repairs it


CONVOLUTION = '- convolution: {parents: images, out_channels: 6, kernel_size: 5}'
NORMALIZATION = '- batch_normalization:'
POOLING = '- pooling: {pool_mode: max, pool_dims: 2, pool_strides: 2}'
DROPOUT = '- dropout: {keep_prob: 0.8}'
HIDDEN = '- fully_connected: {name: hidden, num_neurons: 84}'
SCORES = '- fully_connected: {name: scores, num_neurons: 10}'
SOFTMAX = '- softmax: {name: probabilities}'
LOSS = '- cross_entropy: {name: loss, parents: [probabilities, labels]}'
ADAM = 'adam: {learn_rate: 0.001}'
ALGORITHM = '  training_algorithm:\n    sgd: {max_epochs: 5}'
STOPPING = '- early_stopping: {patience: 3}'
READER = '- digits: {role: train, num_samples: 512, shuffle: true}'
BATCH = '  mini_batch_size: 64'
SEED = '  random_seed: 42'


def own(text, more):
    """An entry with one more field."""
    return text.replace('}', f', {more}}}') if '}' in text else f'{text} {{{more}}}'


PYTORCH = [
    Mistake('nn.Conv2d', {CONVOLUTION: own('- Conv2d: {parents: images, out_channels: 6, kernel_size: 5}', 'in_channels: 1')},
            'unknown-type', 'Conv2d', '`convolution`'),
    Mistake('in_channels', {CONVOLUTION: own(CONVOLUTION, 'in_channels: 1')}, 'unknown-field', 'in_channels', 'leave the field out'),
    Mistake('nn.Linear', {HIDDEN: '- Linear: {name: hidden, in_features: 864, out_features: 84}'}, 'unknown-type', 'Linear',
            '`num_neurons`'),
    Mistake('a layer with its module', {HIDDEN: '- nn.Linear: {name: hidden, num_neurons: 84}'}, 'unknown-type', 'nn.Linear',
            '`fully_connected`'),
    Mistake('a tuple', {'kernel_size: 5': 'kernel_size: (5, 5)'}, 'wrong-type', '(5, 5)', '`[5, 5]`', {'kernel_size: 5': 'kernel_size: [5, 5]'}),
    Mistake('nn.MaxPool2d', {POOLING: '- MaxPool2d: {kernel_size: 2, stride: 2}'}, 'unknown-type', 'MaxPool2d',
            '`pooling` with `pool_mode: max`'),
    Mistake('nn.BatchNorm2d', {NORMALIZATION: own('- BatchNorm2d:', 'num_features: 6')}, 'unknown-type', 'BatchNorm2d',
            '`batch_normalization`'),
    Mistake('nn.ReLU', {'- relu:': '- ReLU:'}, 'unknown-type', 'ReLU', '`relu`'),
    Mistake('nn.ReLU()', {'- relu:': '- ReLU()'}, 'not-an-entry', 'ReLU()', '`relu:`'),
    Mistake('nn.Conv2d(...)', {CONVOLUTION: '- nn.Conv2d(1, 6, 5)'}, 'not-an-entry', 'nn.Conv2d(1, 6, 5)',
            '`convolution: {out_channels: ..., kernel_size: ...}`', fixed=False),
    Mistake('nn.Dropout(p=0.2)', {DROPOUT: '- dropout: {p: 0.2}'}, 'unknown-field', 'p', '`keep_prob: 0.8`'),
    Mistake('nn.Flatten', {HIDDEN: f'- Flatten:\n    {HIDDEN}'}, 'unknown-type', 'Flatten', 'leave it out', fixed=False),
    Mistake('nn.CrossEntropyLoss', {LOSS: '- CrossEntropyLoss: {name: loss, parents: [probabilities, labels]}'}, 'unknown-type',
            'CrossEntropyLoss', 'put `softmax` before it', fixed=False),
    Mistake('nn.NLLLoss', {LOSS: '- nll_loss: {name: loss, parents: [probabilities, labels]}'}, 'unknown-type', 'nll_loss',
            'put `softmax` before it', fixed=False),
    Mistake('logits into cross_entropy', {LOSS: LOSS.replace('probabilities', 'scores')}, 'scores-as-probabilities', 'loss',
            'Put a `softmax` between them'),
    Mistake('log_softmax into cross_entropy', {SOFTMAX: '- log_softmax: {name: probabilities}'}, 'logarithms-as-probabilities', 'loss',
            'Use `softmax`'),
    Mistake('input and target swapped', {LOSS: '- cross_entropy: {name: loss, parents: [labels, probabilities]}'}, 'swapped-parents', 'loss',
            'the other way round'),
    Mistake('optim.Adam(...)', {ADAM: 'optim.Adam(lr=0.001)'}, 'not-an-entry', 'optim.Adam(lr=0.001)', '`{adam: {learn_rate: 0.001}}`'),
    Mistake('a list of optimizers', {ADAM: f'- {ADAM}'}, 'not-an-entry', f'- {ADAM}', 'without `- `'),
    Mistake('lr', {ADAM: 'adam: {lr: 0.001}'}, 'unknown-field', 'lr', '`learn_rate`'),
    Mistake('betas', {ADAM: own(ADAM, 'betas: [0.9, 0.99]')}, 'unknown-field', 'betas', '`beta1` or `beta2`',
            {ADAM: own(ADAM, 'beta1: 0.9, beta2: 0.99')}, fixed=False),
    Mistake('weight_decay', {ADAM: own(ADAM, 'weight_decay: 0.01')}, 'unknown-field', 'weight_decay', '`adamw_weight_decay`',
            {ADAM: own(ADAM, 'adamw_weight_decay: 0.01')}, fixed=False),
    Mistake('optim.AdamW', {ADAM: 'AdamW: {lr: 0.001, weight_decay: 0.01}'}, 'unknown-type', 'AdamW', '`adamw_weight_decay`',
            {ADAM: own(ADAM, 'adamw_weight_decay: 0.01')}, fixed=False),
    Mistake('batch_size', {BATCH: '  batch_size: 64'}, 'unknown-field', 'batch_size', '`mini_batch_size`'),
    Mistake('DataLoader(batch_size)', {READER: own(READER, 'batch_size: 64')}, 'unknown-field', 'batch_size', '`mini_batch_size` of the `trainer`',
            fixed=False),
    Mistake('DataLoader(num_workers)', {READER: own(READER, 'num_workers: 4')}, 'unknown-field', 'num_workers', 'leave the field out'),
    Mistake('epochs', {ALGORITHM: '  epochs: 5'}, 'unknown-field', 'epochs', '{training_algorithm: {sgd: {max_epochs: 10}}}', fixed=False),
    Mistake('nn.SiLU', {'- relu:': '- SiLU:'}, 'unknown-type', 'SiLU', '`silu`', {'- relu:': '- silu:'}),
    Mistake('swish', {'- relu:': '- swish:'}, 'unknown-type', 'swish', '`silu`', {'- relu:': '- silu:'}),
    Mistake('nn.LSTM', {HIDDEN: '- reshape: {dims: [6, -1]}\n    - LSTM: {input_size: 144, hidden_size: 84, batch_first: True}'}, 'unknown-type',
            'LSTM', '`lstm`', {HIDDEN: '- reshape: {dims: [6, -1]}\n    - lstm: {hidden_size: 84}'}),
    Mistake('nn.RNN', {'- relu:': '- RNN: {hidden_size: 32}'}, 'unknown-type', 'RNN', '`gru` and `lstm`', fixed=False),
    Mistake('nn.GroupNorm', {NORMALIZATION: '- GroupNorm: {num_groups: 2, eps: 0.01}'}, 'unknown-type', 'GroupNorm', '`group_norm`',
            {NORMALIZATION: '- group_norm: {num_groups: 2, epsilon: 0.01}'}),
    Mistake('bias=False', {HIDDEN: own(HIDDEN, 'bias: False')}, 'unknown-field', 'bias', '`has_bias`', {HIDDEN: own(HIDDEN, 'has_bias: false')}),
    Mistake('view with the mini-batch', {HIDDEN: f'- reshape: {{dims: [64, 864]}}\n    {HIDDEN}'}, 'reshape-size', '[64, 864]',
            'without the mini-batch', {HIDDEN: f'- reshape: {{dims: [864]}}\n    {HIDDEN}'}, fixed=False),
    Mistake('nn.Softmax(dim=1)', {SOFTMAX: own(SOFTMAX, 'dim: 1')}, 'unknown-field', 'dim', 'taken over all of its entries', fixed=False),
    Mistake('padding="same"', {CONVOLUTION: own(CONVOLUTION, 'padding: same')}, 'wrong-type', 'same', '`2`',
            {CONVOLUTION: own(CONVOLUTION, 'padding: 2')}),
    Mistake('scheduler', {SEED: SEED + '\n  scheduler: {StepLR: {step_size: 10, gamma: 0.1}}'}, 'unknown-field', 'scheduler',
            '`- step_learning_rate: {step: 10, amt: 0.1}`', fixed=False),
    Mistake('lr_scheduler.StepLR', {STOPPING: '- StepLR: {step_size: 3, gamma: 0.1}'}, 'unknown-type', 'StepLR', '`step_learning_rate`',
            {STOPPING: '- step_learning_rate: {step: 3, amt: 0.1}'}),
    Mistake('ReduceLROnPlateau', {STOPPING: '- ReduceLROnPlateau: {patience: 3, factor: 0.1}'}, 'unknown-type', 'ReduceLROnPlateau',
            '`adaptive_learning_rate`', {STOPPING: '- adaptive_learning_rate: {patience: 3, amt: 0.1}'}, fixed=False),
    Mistake('clip_grad_norm_', {STOPPING: '- clip_grad_norm_: {max_norm: 1.0}'}, 'unknown-type', 'clip_grad_norm_', '`clip_gradient_norm`',
            {STOPPING: '- clip_gradient_norm: {value: 1.0, global_norm: true}'}),
    Mistake('device', {SEED: SEED + '\n  device: cuda'}, 'unknown-field', 'device', 'leave the field out'),
    Mistake('requires_grad', {HIDDEN: own(HIDDEN, 'requires_grad: false')}, 'unknown-field', 'requires_grad', '`freeze: true`',
            {HIDDEN: own(HIDDEN, 'freeze: true')}),
    Mistake('nn.AdaptiveAvgPool2d', {POOLING: '- AdaptiveAvgPool2d: {output_size: 1}'}, 'unknown-type', 'AdaptiveAvgPool2d', '`channelwise_mean`',
            {POOLING: '- channelwise_mean:'}, fixed=False),
    Mistake('the loss at the top', {'optimizer:\n': 'loss: cross_entropy\noptimizer:\n'}, 'unknown-field', 'loss',
            '`objective_function` stands in `model`', fixed=False),
]
KERAS = [
    Mistake('Dense', {SCORES: '- Dense: {name: scores, units: 10}'}, 'unknown-type', 'Dense', '`num_neurons`'),
    Mistake('activation', {HIDDEN: own(HIDDEN, 'activation: relu')}, 'unknown-field', 'activation', '`- relu:`',
            {HIDDEN: f'{HIDDEN}\n    - relu:'}, fixed=False),
    Mistake('filters', {CONVOLUTION: CONVOLUTION.replace('out_channels', 'filters')}, 'unknown-field', 'filters', '`out_channels`'),
    Mistake('Dropout(0.2)', {DROPOUT: '- dropout: 0.2'}, 'scalar-for-fields', '0.2', '1 minus the part that is dropped', fixed=False),
    Mistake('rate', {DROPOUT: '- dropout: {rate: 0.2}'}, 'unknown-field', 'rate', '`keep_prob: 0.8`'),
    Mistake('optimizer="adam"', {f'optimizer:\n  {ADAM}': 'optimizer: adam'}, 'not-an-entry', 'adam', '`{adam: {learn_rate: ...}}`', fixed=False),
    Mistake('metrics=["accuracy"]', {'- layer_metric: {name: accuracy, layer: accuracy, unit: "%"}': '- accuracy'}, 'not-an-entry', 'accuracy',
            '`- layer_metric: {layer: accuracy, unit: "%"}`', fixed=False),
    Mistake('EarlyStopping', {STOPPING: '- EarlyStopping: {monitor: val_loss, patience: 3}'}, 'unknown-type', 'EarlyStopping', '`early_stopping`',
            fixed=False),
    Mistake('validation_split', {READER: own(READER, 'validation_split: 0.1'), '  - digits: {role: validate, num_samples: 128}\n': ''},
            'unknown-field', 'validation_split', '`validation_fraction`',
            {READER: own(READER, 'validation_fraction: 0.1'), '  - digits: {role: validate, num_samples: 128}\n': ''}),
]
LBANN = [
    Mistake('Python name of a layer', {HIDDEN: '- FullyConnected: {name: hidden, num_neurons: 84}'}, 'unknown-type', 'FullyConnected',
            '`fully_connected`'),
    Mistake('a list in a text', {'kernel_size: 5': 'kernel_size: "5 5"'}, 'wrong-type', '"5 5"', '`[5, 5]`', {'kernel_size: 5': 'kernel_size: [5, 5]'}),
    Mistake('num_epochs of the trainer', {ALGORITHM: '  num_epochs: 5'}, 'unknown-field', 'num_epochs', '`max_epochs` stands in', fixed=False),
    Mistake('layers at the top', {'model:\n  layers:': 'layers:', '  objective_function': 'model:\n  objective_function'}, 'unknown-field',
            'layers', '`layers` stands in `model`', fixed=False),
    Mistake('callbacks at the top', {f'  callbacks:\n    {STOPPING}': f'callbacks:\n  {STOPPING}'}, 'unknown-field', 'callbacks',
            '`callbacks` stands in `model`', fixed=False),
    Mistake('weight_initialization', {HIDDEN: own(HIDDEN, 'weight_initialization: he_normal')}, 'unknown-field', 'weight_initialization',
            '`weights: [{name: w, initializer: {he_normal: {}}}]`', {HIDDEN: own(HIDDEN, 'weights: [{name: w, initializer: {he_normal: {}}}]')},
            fixed=False),
]
YAML = [
    Mistake('no blank behind a colon', {ADAM: 'adam: {learn_rate:0.001}'}, 'unknown-field', 'learn_rate:0.001', '`learn_rate: 0.001`'),
    Mistake('fields that are not indented', {'    - relu:': '    - relu:\n      name: act'}, 'wrong-indentation', 'name', 'Indent the fields',
            {'    - relu:': '    - relu:\n        name: act'}, fixed=False),
    Mistake('a tab', {SEED: '\trandom_seed: 42'}, 'tab-indentation', '\t', 'indented by spaces', fixed=False),
    Mistake('yes', {'shuffle: true': 'shuffle: yes'}, 'ambiguous-scalar', 'yes', '`true`'),
    Mistake('a number in quotes', {'num_neurons: 84': 'num_neurons: "84"'}, 'wrong-type', '"84"', '`84`'),
    Mistake('a list without dashes', {'    - input: {name: images': '    input: {name: images'}, 'syntax-error', '-', 'indented alike', fixed=False),
    Mistake('a brace that is not closed', {'num_neurons: 84}': 'num_neurons: 84'}, 'syntax-error', ':', 'opened here', fixed=False),
    Mistake('a key twice', {SEED: f'{SEED}\n  random_seed: 43'}, 'duplicate-key', 'random_seed', 'first here', fixed=False),
]
MEANING = [
    Mistake('a misspelt parent', {LOSS: LOSS.replace('probabilities', 'probabilites')}, 'unknown-layer', 'probabilites', '`probabilities`'),
    Mistake('a misspelt layer of the objective', {'layer: loss}': 'layer: los}'}, 'unknown-layer', 'los', '`loss`'),
    Mistake('too few classes', {SCORES: SCORES.replace('10', '9')}, 'unequal-inputs', 'cross_entropy', '`num_neurons`', fixed=False),
    Mistake('a window too large', {'kernel_size: 5': 'kernel_size: 50'}, 'window-too-large', '50', 'Use a smaller window', fixed=False),
    Mistake('a role that is not one', {'role: validate': 'role: val'}, 'not-a-choice', 'val', '`validate`'),
    Mistake('no objective', {'  objective_function:\n    - layer_term: {layer: loss}\n': ''}, 'no-objective', 'layers',
            '`objective_function: [layer_term: {layer: loss}]`', fixed=False),
    Mistake('early stopping without validation', {'  - digits: {role: validate, num_samples: 128}\n': ''}, 'never-acts', 'early_stopping',
            '`role: validate`', fixed=False),
    Mistake('a rate of SGD for adam', {ADAM: 'adam: {learn_rate: 1}'}, 'unusual-value', '1', 'whatever its gradient', fixed=False),
    Mistake('a field that the reader does not give', {'data_field: labels': 'data_field: responses'}, 'unknown-data-field', 'responses',
            'the reader of the train data', fixed=False),
    Mistake('a mini-batch larger than the data', {BATCH: '  mini_batch_size: 6400'}, 'mini-batch-too-large', '6400', 'gives 512 samples', fixed=False),
    Mistake('a negative rate', {ADAM: 'adam: {learn_rate: -0.001}'}, 'out-of-range', '-0.001', 'at least 0', fixed=False),
]
ALL = {'PyTorch': PYTORCH, 'Keras': KERAS, 'LBANN': LBANN, 'YAML': YAML, 'meaning': MEANING}
