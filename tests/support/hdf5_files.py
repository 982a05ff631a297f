"""HDF5 files of shots as experiments/implosion takes them, packed by lbann-run from what a Python reader gives."""
import subprocess

SHOTS = """
import math

def num_samples():
    return {count}

def sample_dims():
    return {{'images': [2, 8, 8], 'diagnostics': [5], 'parameters': [3]}}

def get_sample(number):
    a, b, c = (math.sin((number + 1) * k) for k in (1, 2, 3))
    return {{'images': [a * math.cos(b * i) for i in range(128)],
            'diagnostics': [c, a * b, b * c, 4, a + c], 'parameters': [a, b, c]}}
"""
PLAN = """
trainer: {mini_batch_size: 2, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - python: {role: train, module: shots, module_dir: ., data_fields: [images, diagnostics, parameters], num_workers: 1}
model:
  layers:
    - input: {name: images, data_field: images}
    - input: {name: diagnostics, data_field: diagnostics}
    - input: {name: parameters, data_field: parameters}
    - fully_connected: {name: guess, parents: images, num_neurons: 1}
    - l2_norm2: {name: loss}
    - l2_norm2: {name: of_diagnostics, parents: diagnostics}
    - l2_norm2: {name: of_parameters, parents: parameters}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.1}}
"""


def make_shots(compiler, runner, folder, count):
    """Writes train.h5 and val.h5 of `count` samples; settings of an experiment whose variables name them."""
    place = folder / 'small_shots'
    place.mkdir()
    (place / 'shots.py').write_text(SHOTS.format(count=count))
    (place / 'shots.yaml').write_text(PLAN)
    for command in ([compiler, 'shots.yaml', '--probe-python', '-o', 'shots.bin'],
                    *([runner, 'shots.bin', '--pack', f'{name}.h5'] for name in ('train', 'val'))):
        subprocess.run([str(part) for part in command], cwd=place, check=True, stdout=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL)
    return [f'variables.data={place}']
