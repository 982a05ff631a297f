"""Activations computed again in the backward pass train as kept ones do, on any number of ranks, and take less memory.

    recompute_test.py lbann-compile lbann-run
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from ranks import RankedExperiment, events, fail, require_mpirun, values_of, weights, worst_values, worst_weights

TOLERANCE = 1e-13
BLOCK = """
    - convolution: {name: conv%d, num_dims: 2, out_channels: 6, kernel_size: 3, padding: 1, has_bias: false}
    - batch_normalization: {name: norm%d}
    - relu: {name: bend%d}
    - dropout: {name: drop%d, keep_prob: 0.8}"""
TEXT = """
trainer:
  mini_batch_size: 8
  training_algorithm: {sgd: {max_epochs: 2}}
  data_coordinator: {datatype: double}
model:
  datatype: double
  layers:
    - input: {name: x, data_field: samples}
    - input: {name: t, data_field: labels}
    - identity: {name: first, parents: x}""" + ''.join(BLOCK % ((number,) * 4) for number in range(8)) + """
    - sum: {name: both, parents: [drop1, drop7]}
    - fully_connected: {name: down, num_neurons: 3}
    - softmax: {name: p}
    - cross_entropy: {name: loss, parents: [p, t]}
    - categorical_accuracy: {name: right, parents: [p, t]}
  objective_function: [{layer_term: {layer: loss}}]
  metrics: [{layer_metric: {layer: right, name: accuracy}}]
  callbacks: [{dump_weights: {directory: dumped}}]
optimizer: {adam: {learn_rate: 0.02, eps: 1e-3}}
data_reader:
  - synthetic: {role: train, num_samples: 29, synth_dimensions: [2, 9, 7], num_labels: 3}
  - synthetic: {role: validate, num_samples: 13, synth_dimensions: [2, 9, 7], num_labels: 3}
"""


def main():
    require_mpirun()
    tools = [pathlib.Path(tool).resolve() for tool in sys.argv[1:3]]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def experiment(change=''):
            place = folder / f'experiment{len(list(folder.iterdir()))}'
            place.mkdir()
            (place / 'experiment.yaml').write_text(TEXT.replace('trainer:\n', 'trainer:\n' + change))
            return RankedExperiment(*tools, place / 'experiment.yaml', place)

        def told(of, *options, code=0):
            done = subprocess.run([tools[0], of.folder / 'experiment.yaml', '--threads', '1', '--set',
                                   'trainer.mini_batch_size=64', '--set', 'data_reader.synthetic[train].num_samples=640',
                                   *options], capture_output=True, text=True)
            if done.returncode != code:
                fail(done.stdout + done.stderr)
            return done.stdout if code == 0 else done.stdout + done.stderr

        def memory(of, *options):
            report = json.loads(told(of, '--report', 'memory', '--report-format', 'json', *options))
            return report['groups'][0]['memory']['total']

        def limited(limit, which='auto'):
            return experiment(f'  recompute: {which}\n  memory_limit: {limit}B\n')

        plain = experiment()
        kept = memory(plain)
        needed = [kept]
        for which, share in (('selective', 0.85), ('full', 0.55)):
            again = experiment(f'  recompute: {which}\n')
            less = memory(again)
            if not less < share * kept:
                fail(f'{less} bytes with activations computed again ({which}), {kept} without')
            words = told(plain, '--fits', f'{less + 1000}B', code=1)
            if f'trainer: {{recompute: {which}}}' not in words:
                fail(f'--fits does not tell it:\n{words}')
            told(again, '--fits', f'{less + 1000}B')
            needed.append(less)
        # The first that needs no more than the limit, in the run that the command line describes.
        for least, most in zip(needed, [None] + needed):
            for limit in (least, *([] if most is None else [most - 1])):
                if (found := memory(limited(limit))) != least:
                    fail(f'{found} bytes where {limit} are the limit, and {least} are possible')
        for of in (limited(needed[-1] - 1), limited(kept - 1, 'none')):
            words = told(of, code=1)
            if 'error[over-memory-limit]' not in words or '; it fits with mini_batch_size: ' not in words:
                fail(f'more than the limit is compiled, or not told:\n{words}')
        if memory(limited(kept - 1, 'none'), '--ranks', '2') >= kept:
            fail('ranks need no less where there are two')
        expected = plain.run_on(1)
        largest = 0.0
        for of, ranks in ((experiment('  recompute: selective\n'), 1), (experiment('  recompute: selective\n'), 2), (again, 1), (again, 3),
                          (experiment('  recompute: full\n  accumulate: 1\n  shard_updates: true\n'), 2)):
            found = of.run_on(ranks)
            off = max(worst_weights(weights(found), weights(expected)),
                      worst_values(values_of(events(found)), values_of(events(expected))))
            # Ranks sum gradients in another order.
            if not off <= (TOLERANCE if ranks == 1 else 1e-12):
                fail(f'on {ranks} ranks: numbers differ by {off:.2g}')
            largest = max(largest, off)
        print(f'activations computed again: {less} bytes instead of {kept}, numbers at most {largest:.2g} off')


main()
