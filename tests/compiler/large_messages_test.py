"""Texts as large as LBANN's front end writes them: a causal mask for each layer of a transformer, number by number.
They compile within 1 GiB of memory.

    large_messages_test.py lbann-compile
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MASKS, SIZE = 17, 512
MOST_MEMORY = 1 << 20  # KiB
LARGEST_TEXT = 128 << 20
# Runs a command and tells the most memory that it held, in KiB.
MEASURE = ('import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; '
           'print("PEAK", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)')


def write_experiment(file):
    file.write('trainer { mini_batch_size: 2 }\n'
               'data_reader { reader { name: "synthetic" role: "train" num_samples: 4 synth_dimensions: "2" } }\n'
               'model {\n  layer {\n    name: "x"\n    input {\n      data_field: "samples"\n    }\n  }\n'
               '  layer { name: "y" parents: "x" fully_connected { num_neurons: 1 } }\n'
               '  objective_function { layer_term { layer: "total" scale_factor: 1.0 } }\n')
    row = {value: f'        values: {value}\n' for value in ('0.0', '-1000000000.0')}
    for mask in range(MASKS):
        file.write(f'  layer {{\n    name: "mask{mask}"\n    weights: "w{mask}"\n'
                   f'    weights_layer {{\n      dims: {SIZE}\n      dims: {SIZE}\n    }}\n  }}\n'
                   f'  layer {{ name: "sum{mask}" parents: "mask{mask}" reduction {{ mode: "mean" }} }}\n'
                   f'  weights {{\n    name: "w{mask}"\n    optimizer {{\n      no_optimizer {{\n      }}\n    }}\n'
                   '    initializer {\n      value_initializer {\n')
        for line in range(SIZE):
            file.write(row['0.0'] * (line + 1) + row['-1000000000.0'] * (SIZE - line - 1))
        file.write('      }\n    }\n  }\n')
    parents = ' '.join(f'parents: "sum{mask}"' for mask in range(MASKS))
    file.write(f'  layer {{ name: "total" parents: "y" {parents} sum {{ }} }}\n}}\noptimizer {{ sgd {{ learn_rate: 0.1 }} }}\n')


def peak_of(command):
    """The most memory a command held, in KiB, and what it printed."""
    done = subprocess.run([sys.executable, '-c', MEASURE, *map(str, command)], capture_output=True, text=True)
    found = re.search(r'^PEAK (\d+)$', done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found:
        sys.exit(f'exit code {done.returncode}: {done.stderr[:2000]}')
    return int(found[1])


def main(compiler):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / 'masks.prototext'
        with text.open('w') as file:
            write_experiment(file)
        size = text.stat().st_size
        peak = peak_of([compiler, text, '-o', folder / 'plan.bin'])
        print(f'{size / 1e6:.1f} MB of text: {peak / 1024:.0f} MiB of memory, a plan of '
              f'{(folder / "plan.bin").stat().st_size / 1e6:.1f} MB')
        sanitized = b'__asan_init' in Path(compiler).read_bytes()
        if size < 105e6 or (peak > MOST_MEMORY and not sanitized):
            sys.exit('that is more than a GiB, or the text is too small')
        with text.open('a') as file:
            file.write('# ' + 'x' * LARGEST_TEXT + '\n')
        done = subprocess.run([compiler, str(text)], capture_output=True, text=True)
        if done.returncode != 1 or 'error[too-large]: the file is larger than 128 MiB' not in done.stderr:
            sys.exit(f'too large a text: exit code {done.returncode}: {done.stderr[:500]}')


if __name__ == '__main__':
    main(sys.argv[1])
