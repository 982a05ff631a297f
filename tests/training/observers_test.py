"""Callbacks that look at samples, weights, memory and the model, on one rank and on several.

  observers_test.py COMPILER RUNNER [--ranks]
"""
import pathlib
import subprocess
import sys
import tempfile

from ranks import mpirun, only
from run_experiment import call, fail

compiler, runner = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
SAMPLES, MINI_BATCH, EPOCHS = 11, 4, 2
TEXT = f"""
trainer: {{mini_batch_size: {MINI_BATCH}, training_algorithm: {{sgd: {{max_epochs: {EPOCHS}}}}}}}
data_reader:
  - digits: {{role: train, num_samples: {SAMPLES}, size: 8, shuffle: true}}
  - digits: {{role: test, num_samples: 3, size: 8}}
model:
  layers:
    - input: {{name: images, data_field: samples}}
    - fully_connected: {{name: hidden, num_neurons: 3, weights: [w, b]}}
    - l2_norm2: {{name: length}}
    - weights_layer: {{name: counted, dims: [1], weights: size}}
  objective_function:
    - layer_term: {{layer: length}}
  metrics:
    - layer_metric: {{name: size, layer: counted}}
  weights: [{{name: w, initializer: {{he_normal_initializer: }}}}, {{name: b}}, {{name: size, optimizer: {{no_optimizer: }}}}]
  callbacks:
    - check_dataset:
    - init:
    - dump_mb_indices: {{basename: indices, interval: 2}}
    - dump_model_graph: {{basename: model.dot, print: true}}
    - gpu_memory_usage:
    - progress_bar: {{print_mem_usage: true}}
    - memory_profiler: {{detailed_first_step: true}}
    - compute_model_size: {{output_name: size, batch_interval: 1}}
    - check_metric: {{metric: size, lower_bound: 196, upper_bound: 196, error_on_failure: true, execution_modes: test}}
optimizer: {{sgd: {{learn_rate: 0.001}}}}
"""


def check(ranks, folder):
    command = [runner, folder / 'plan.bin', '--threads', '1', '--work-dir', folder / f'on{ranks}']
    done = mpirun(ranks, command) if ranks > 1 else subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f'exit code {done.returncode} on {ranks} ranks\n{done.stdout}{done.stderr}')
    for words in ('training epoch 1 memory usage : no device, arenas ', 'memory profile : weights ',
                  'memory profile : hidden outputs ', '  "images" -> "hidden"', ', memory '):
        if words not in done.stdout:
            fail(f'on {ranks} ranks nothing says `{words}`\n{done.stdout}')
    work = only((folder / f'on{ranks}').glob('latest/model.dot'), 'graph').parent
    if not (work / 'model.dot').read_text().startswith('digraph "model" {\n  "images" [label="images (input)"]'):
        fail((work / 'model.dot').read_text())
    steps = (SAMPLES + MINI_BATCH - 1) // MINI_BATCH
    batches = {}
    for epoch in range(EPOCHS):
        for step in range(epoch * steps, (epoch + 1) * steps):
            files = [work / f'indices/trainer0/training_e{epoch}_s{step}_r{rank}-MB_Sample_Indices.txt'
                     for rank in range(ranks)]
            if step % 2:
                if any(file.exists() for file in files):
                    fail(f'step {step} was not asked for')
                continue
            batches[step] = [int(line) for file in files for line in file.read_text().splitlines()]
    sizes = [len(batch) for _, batch in sorted(batches.items())]
    if sizes != [4, 3, 4] or any(not 0 <= i < SAMPLES for batch in batches.values() for i in batch):
        fail(f'mini-batches {batches}')
    if set(batches[0]) & set(batches[2]) or batches[0] == sorted(batches[0]):
        fail(f'samples of an epoch {batches}')
    return batches


HOSTILE = """
trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8, size: 8}
model:
  name: '../model'
  layers:
    - input: {name: images, data_field: samples}
    - fully_connected: {name: '%s', num_neurons: 3, weights: ['%s', b]}
    - l2_norm2: {name: length}
  objective_function:
    - layer_term: {layer: length}
  weights: [{name: '%s', initializer: {he_normal_initializer: }}, {name: b}]
  callbacks:
    - dump_weights: {directory: weights}
    - dump_gradients: {basename: gradients/}
    - dump_error_signals: {basename: signals/}
    - dump_outputs: {directory: outputs, format: npz}
    - dump_outputs: {directory: texts, format: csv}
    - dump_model_graph: {basename: graph.dot}
    - save_model: {dir: model}
optimizer: {sgd: {learn_rate: 0.001}}
"""


def check_hostile_names(top):
    """Whatever layers and weights are called, callbacks write below the work directory."""
    top.mkdir()
    for name in ('../../../../escaped', str(top / 'absolute'), 'a/b', '.hidden'):
        folder = top / 'hostile'
        base = folder / 'deep' / 'runs'
        folder.mkdir()
        (folder / 'experiment.yaml').write_text(HOSTILE % (name, name, name))
        call([compiler, 'experiment.yaml', '-o', 'plan.bin'], folder)
        before = set(top.rglob('*'))
        call([runner, folder / 'plan.bin', '--threads', '1', '--work-dir', base], folder)
        written = {file for file in set(top.rglob('*')) - before if file.is_file()}
        if outside := [file for file in written if base not in file.parents]:
            fail(f'{name}: written outside of the work directory: {outside}')
        for kind, least in (('weights', 2), ('gradients', 2), ('signals', 2), ('outputs', 1), ('texts', 3), ('model', 2),
                            ('graph.dot', 1)):
            found = [file for file in written if kind in file.relative_to(base).parts]
            if len(found) < least:
                fail(f'{name}: {len(found)} files of {kind}, not {least}: {sorted(map(str, written))}')
        subprocess.run(['rm', '-r', folder], check=True)


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    (top / 'experiment.yaml').write_text(TEXT)
    call([compiler, 'experiment.yaml', '-o', 'plan.bin'], top)
    alone = check(1, top)
    for ranks in [2, 3, 5] if '--ranks' in sys.argv else []:
        if check(ranks, top) != alone:
            fail(f'other mini-batches on {ranks} ranks')
    check_hostile_names(top / 'names')
