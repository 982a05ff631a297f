# `lbann-compile --fix`: what it edits, what it leaves alone, and that a second run finds nothing to do.
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

program, root = (Path(argument).resolve() for argument in sys.argv[1:3])
failures = []

GOOD = '''# what is tried
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8}   # few

model:
  layers:
    - input:   {data_field: samples}
    - fully_connected: {name: fc, num_neurons: 3, has_bias: true}
    - l2_norm2: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.1}}
'''
EDITS = {'num_neurons': 'num_neuron', 'has_bias: true': 'has_bias: yes', 'learn_rate': 'lr', 'fully_connected': 'Linear', 'layer: loss': 'layer: los'}
# Examples of the catalogue with an edit that is sure.
EDITED = {'ambiguous-scalar', 'not-a-choice', 'not-an-entry', 'unknown-call', 'unknown-data-field', 'unknown-field', 'unknown-layer', 'unknown-metric',
          'logarithms-as-probabilities', 'scores-as-probabilities', 'swapped-parents', 'unknown-module', 'unknown-type', 'unknown-variable', 'unknown-weights', 'wrong-type'}


def check(condition, *words):
    if not condition:
        failures.append(words)
        print('wrong:', *words)


def run(*arguments, cwd, code=0, stdin=None):
    outcome = subprocess.run([program, *map(str, arguments)], cwd=cwd, text=True, capture_output=True, input=stdin)
    check(code is None or outcome.returncode == code, arguments, 'exit code', outcome.returncode, outcome.stdout, outcome.stderr)
    return outcome


def has_fixed(*arguments, cwd, code=0):
    return any(line.startswith('fixed ') for line in run(*arguments, '--check', '--fix', cwd=cwd, code=code).stderr.splitlines())


def broken(text):
    for good, bad in EDITS.items():
        assert good in text
        text = text.replace(good, bad)
    return text


def bytes_stay(folder):
    for ending in ('\n', '\r\n'):
        file = folder / 'e.yaml'
        file.write_bytes(broken(GOOD).replace('\n', ending).encode())
        run('e.yaml', '--check', '--fix', cwd=folder)
        check(file.read_bytes() == GOOD.replace('\n', ending).encode(), 'after --fix', file.read_text())
        check(not has_fixed('e.yaml', cwd=folder), 'fixed twice')


def diff(folder):
    file = folder / 'e.yaml'
    for text in (broken(GOOD), broken(GOOD).rstrip('\n')):
        file.write_text(text)
        shown = run('e.yaml', '--check', '--fix', '--diff', cwd=folder, code=1).stdout
        check(file.read_text() == text, '--diff has written')
        if shutil.which('patch') is None:
            print('there is no `patch` here: the diff is not applied')
        else:
            done = subprocess.run(['patch', '-p0'], cwd=folder, input=shown, text=True, capture_output=True)
            check(done.returncode == 0 and file.read_text().rstrip('\n') == GOOD.rstrip('\n'), done, shown)
    check(shown.count('@@') == 2 and '-    - Linear: {name: fc, num_neuron: 3, has_bias: yes}\n' in shown, shown)
    run('e.yaml', '--diff', cwd=folder, code=2)


LOSSES = '''# what is tried
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8}
model:
  layers:
    - input: {name: x, data_field: samples}
    - input: {name: truth, data_field: labels}
    - fully_connected: {name: fc, parents: x, num_neurons: 10}
    - identity: {name: kept}   # before the losses
    - cross_entropy:          # the first one
        name: loss
        parents: [kept, truth]
    - cross_entropy: {name: second, parents: [truth, 'kept']}

    - binary_cross_entropy: {name: each, parents: [kept, truth]}
    - reduction: {name: sum}
  objective_function: [layer_term: {layer: loss}, layer_term: {layer: second}, layer_term: {layer: sum}]
optimizer: {sgd: {learn_rate: 0.1}}
'''
REPAIRED = LOSSES.replace('''    - cross_entropy:          # the first one
        name: loss
        parents: [kept, truth]
    - cross_entropy: {name: second, parents: [truth, 'kept']}

    - binary_cross_entropy: {name: each, parents: [kept, truth]}
''', '''    - softmax: {name: kept_softmax, parents: kept}
    - cross_entropy:          # the first one
        name: loss
        parents: [kept_softmax, truth]
    - cross_entropy: {name: second, parents: [kept_softmax, 'truth']}

    - sigmoid: {name: kept_sigmoid, parents: kept}
    - binary_cross_entropy: {name: each, parents: [kept_sigmoid, truth]}
''')


def structure(folder):
    """A layer between scores and losses, one for all that take the same; parents of a loss the other way round."""
    file = folder / 'e.yaml'
    for ending in ('\n', '\r\n'):
        file.write_bytes(LOSSES.replace('\n', ending).encode())
        run('e.yaml', '--check', '--fix', '--warnings-as-errors', cwd=folder)
        check(file.read_bytes() == REPAIRED.replace('\n', ending).encode(), 'layers for losses', file.read_text())
        check(not has_fixed('e.yaml', cwd=folder), 'fixed twice')
    file.write_text(LOSSES)
    shown = run('e.yaml', '--check', '--fix', '--diff', cwd=folder).stdout
    if shutil.which('patch') is not None:
        done = subprocess.run(['patch', '-p0'], cwd=folder, input=shown, text=True, capture_output=True)
        check(done.returncode == 0 and file.read_text() == REPAIRED, done, shown)
    check('+    - softmax: {name: kept_softmax, parents: kept}\n     - cross_entropy:          # the first one\n' in shown, shown)
    # Where a line would have to be made of a part of one, and of modules, whose layers have longer names.
    for text in (LOSSES.replace('\n    - cross_entropy: {name: second', '\n    -   cross_entropy: {name: second').replace('[truth, \'kept\']', '[kept, truth]')
                 .replace('    - cross_entropy:          # the first one\n        name: loss\n        parents: [kept, truth]\n', '')
                 .replace('layer_term: {layer: loss}, ', ''),):
        file.write_text(text)
        run('e.yaml', '--check', '--fix', cwd=folder)
        check('cross_entropy: {name: second, parents: [kept, truth]}' in file.read_text(), 'not in a line of its own', file.read_text())
    file.write_text(LOSSES.replace('name: each, parents: [kept, truth]', 'name: each, parents: [kept, truth], x-allow: [scores-as-probabilities]'))
    run('e.yaml', '--check', '--fix', cwd=folder)
    check('kept_sigmoid' not in file.read_text() and 'kept_softmax' in file.read_text(), 'what is allowed', file.read_text())


CLIPPED = GOOD.replace('optimizer:', """  callbacks:
    - clip_gradient_norm:
        # of all weights
        global_norm: true
        value: 1.0  # as in the paper
optimizer:""")
TOML = """[trainer]
mini_batch_size = 4
training_algorithm = {sgd = {max_epochs = 1}}
[[data_reader]]
digits = {role = "train", num_samples = 8}
[model]
layers = [
    {input = {name = "x", data_field = "samples"}},  # images
    {input = {name = "y", data_field = "labels"}},
    {fully_connected = {name = "scores", parents = "x", num_neurons = 10}},
    {softmax = {name = "scores_softmax", parents = "scores"}},
    {cross_entropy = {name = "loss", parents = ["scores_softmax", "y"]}},
]
objective_function = [{layer_term = {layer = "loss"}}]
[[model.callbacks]]
[model.callbacks.clip_gradient_norm]
global_norm = true
value = 1.0
[optimizer.sgd]
learn_rate = 0.1
"""


def added_lines(folder):
    """Fields that a name of another framework means beside its own, in mappings without braces; entries of lists in TOML."""
    for ending in ('\n', '\r\n'):
        for name, good, bad in (
                ('e.yaml', CLIPPED, CLIPPED.replace('        global_norm: true\n', '').replace('clip_gradient_norm', 'clip_grad_norm_')
                 .replace('value: 1.0', 'max_norm: 1.0')),
                ('e.toml', TOML, TOML.replace('global_norm = true\n', '').replace('clip_gradient_norm', 'clip_grad_norm_')
                 .replace('value', 'max_norm').replace('    {softmax = {name = "scores_softmax", parents = "scores"}},\n', '')
                 .replace('["scores_softmax"', '["scores"'))):
            file = folder / name
            file.write_bytes(bad.replace('\n', ending).encode())
            run(name, '--check', '--fix', '--warnings-as-errors', cwd=folder)
            check(file.read_bytes() == good.replace('\n', ending).encode(), 'added lines', file.read_text())
            check(not has_fixed(name, cwd=folder), 'fixed twice')
    # An entry that does not begin its line.
    text = TOML.replace('    {softmax = {name = "scores_softmax", parents = "scores"}},\n    {cross', '    {cross').replace(
        '},\n    {cross', '}, {cross').replace('["scores_softmax"', '["scores"')
    (folder / 'e.toml').write_text(text)
    run('e.toml', '--check', '--fix', cwd=folder)
    check((folder / 'e.toml').read_text() == text, 'an entry behind another one', (folder / 'e.toml').read_text())


def other_files(folder):
    """What is included, what a link leads to, what is in a module that is called twice."""
    (folder / '_part.yaml').write_text('optimizer: {sgd: {lr: 0.1}}\n')
    (folder / 'e.yaml').write_text('include: _part.yaml\n' + GOOD.replace('optimizer: {sgd: {learn_rate: 0.1}}\n', ''))
    (folder / 'link.yaml').symlink_to('e.yaml')
    run('link.yaml', '--check', '--fix', cwd=folder)
    check((folder / '_part.yaml').read_text() == 'optimizer: {sgd: {learn_rate: 0.1}}\n', 'the included file')
    (folder / 'e.yaml').write_text(broken(GOOD))
    run('link.yaml', '--check', '--fix', cwd=folder)
    check((folder / 'link.yaml').is_symlink() and (folder / 'e.yaml').read_text() == GOOD, 'behind a link')
    module = '''modules: {m: {layers: [fully_connected: {num_neuron: 3}]}}
''' + GOOD.replace('    - l2_norm2', '    - call: {module: m, name: a}\n    - call: {module: m, name: b}\n    - l2_norm2')
    (folder / 'e.yaml').write_text(module)
    run('e.yaml', '--check', '--fix', cwd=folder)
    check((folder / 'e.yaml').read_text() == module.replace('num_neuron:', 'num_neurons:'), 'a module')


def folders(folder):
    """Of many experiments, those that are looked at."""
    for name in ('a.yaml', 'b.yaml'):
        (folder / name).write_text(broken(GOOD))
    run('--check', '.', '--fix', '--affected-by', 'a.yaml', cwd=folder)
    check([(folder / name).read_text() == GOOD for name in ('a.yaml', 'b.yaml')] == [True, False], 'only what is affected')
    run('--check', '.', '--fix', cwd=folder)
    check((folder / 'b.yaml').read_text() == GOOD, 'all')


def left_alone(folder):
    file = folder / 'e.yaml'
    for text in (GOOD.replace('fully_connected', 'maxout'),                # another layer has a part of the name
                 GOOD.replace('num_neurons: 3', 'num_neurons: 010'),       # eight or ten
                 GOOD.replace('- l2_norm2', '- layer_norm: {dim: 0}\n    - l2_norm2'),  # which axis is not known
                 GOOD.replace('{name: fc, num_neurons: 3', '{in_features: 8,  # of what comes in\n        name: fc, num_neurons: 3'),
                 GOOD.replace('mini_batch_size: 4', 'mini_batch_size: 400')):
        file.write_text(text)
        run('e.yaml', '--check', '--fix', cwd=folder, code=1)
        check(file.read_text() == text, 'an edit that is not sure', file.read_text())
    run('-', '--fix', cwd=folder, stdin=broken(GOOD), code=2)
    (folder / 'e.protobin').write_bytes(b'\x0a\x00')
    run('e.protobin', '--fix', cwd=folder, code=2)


def catalogue(folder):
    edited = set()
    for example in sorted((root / 'schemas/diagnostics/examples').iterdir()):
        if (example / 'arguments.txt').exists():
            continue
        copy = shutil.copytree(example, folder / example.name)
        (file,) = copy.glob('experiment.*')
        before = file.read_bytes()
        run(file.name, '--check', '--fix', cwd=copy, code=None)
        once = file.read_bytes()
        check(not has_fixed(file.name, cwd=copy, code=None) and file.read_bytes() == once, example.name, 'twice')
        if once != before:
            edited.add(example.name)
            codes = [run(file.name, '--check', '--format', 'json', cwd=where, code=None).stdout.count(f'"{example.name}"') for where in (example, copy)]
            check(codes[1] < codes[0], example.name, 'is said as often as before')
    check(edited == EDITED, edited ^ EDITED)


def syntaxes(folder):
    (folder / 'e.toml').write_text('[trainer]\nmini_batch_size = 4\n[trainer.training_algorithm.sgd]\nmax_epochs = 1\n'
                                   '[[data_reader]]\ndigits = {role = "training", num_samples = 8}\n[model]\nlayers = [{input = {data_field = "samples"}},'
                                   ' {fully_connected = {num_neuron = 3}}, {dropout = {p = 0.2}}, {l2_norm2 = {name = "loss"}}]\n'
                                   'objective_function = [{layer_term = {layer = "los"}}]\n[optimizer.sgd]\nlr = 0.1 # small\n')
    run('e.toml', '--check', '--fix', cwd=folder)
    text = (folder / 'e.toml').read_text()
    check(all(words in text for words in ('role = "train"', '{keep_prob = 0.8}', '{layer = "loss"}')), 'TOML', text)
    # What has keys is written in the notation of the file.
    (folder / 'e.toml').write_text(text.replace('dropout = {keep_prob = 0.8}', 'MaxPool2d = {kernel_size = 2}'))
    run('e.toml', '--check', '--fix', cwd=folder, code=1)
    check('pooling = {pool_mode = "max", pool_dims = 2}' in (folder / 'e.toml').read_text(), 'keys in TOML')
    (folder / 'e.toml').write_text(text)
    check('num_neurons = 3' in (folder / 'e.toml').read_text() and 'learn_rate = 0.1 # small' in (folder / 'e.toml').read_text(), 'TOML')


for test in (bytes_stay, diff, structure, added_lines, other_files, folders, left_alone, catalogue, syntaxes):
    with tempfile.TemporaryDirectory() as scratch:
        test(Path(scratch).resolve())
sys.exit(f'{len(failures)} wrong' if failures else 0)
