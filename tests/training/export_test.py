# Every shipped experiment and every protobuf text, written out as YAML and TOML, means the same;
# what is not built is written out too, and the runtime refuses its plan.
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

compiler, runtime, experiments, prototexts = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
failed = []


def run(*arguments, code=0, cwd=None):
    done = subprocess.run([compiler, *map(str, arguments)], text=True, capture_output=True, cwd=cwd)
    if done.returncode != code:
        failed.append(f'{arguments}: exit code {done.returncode}, not {code}\n{done.stderr}')
    return done


def meaning(*arguments):
    text = run(*arguments, '--emit', 'plan-text').stdout
    found = re.match(r'plan version \d+ meaning ([0-9a-f]{16})\n', text)
    return found[1] if found else None


def check(name, files, folder, options=()):
    # What is not built has no plan to compare.
    built = '--allow-unbuilt' not in options
    whole = ['--stop-after', 'experiment', '--dump-after', 'experiment']
    expected = meaning(*files) if built else run(*files, *options, *whole).stdout
    for syntax in ('yaml', 'toml'):
        again = Path(folder) / f'{name}.{syntax}'
        again.write_text(run(*files, '--emit', syntax).stdout)
        if (meaning(again) if built else run(again, *options, *whole).stdout) != expected:
            failed.append(f'{name}: {syntax} means something else\n{again.read_text()}')
        if run(again, '--emit', syntax).stdout != again.read_text():
            failed.append(f'{name}: {syntax} is not canonical')
    if not expected:
        failed.append(f'{name}: nothing was compared')


with tempfile.TemporaryDirectory() as folder:
    shipped = sorted([*experiments.rglob('*.yaml'), *experiments.rglob('*.toml')])
    for path in shipped:
        check('-'.join(path.relative_to(experiments).with_suffix('').parts), [path], folder)
    parts = [prototexts / f'{part}.prototext' for part in ('model', 'reader', 'optimizer')]
    check('lenet', [prototexts / 'lenet.prototext'], folder)
    # Layers, weights and samples of types of their own.
    mixed = Path(folder) / 'mixed.prototext'
    lenet = (prototexts / 'lenet.prototext').read_text()
    mixed.write_text(lenet.replace('name: "fc1"', 'name: "fc1" datatype: DOUBLE', 1)
                     .replace('name: "conv1_kernel"', 'name: "conv1_kernel" datatype: DOUBLE')
                     .replace('trainer {', 'trainer { data_coordinator { datatype: DOUBLE }'))
    check('mixed types', [mixed], folder)
    if (words := run(mixed, '--emit', 'yaml').stdout).count('datatype: double') != 3:
        failed.append(f'not three types are written out:\n{words}')
    check('three files', parts, folder)
    # LBANN takes a mini-batch that is larger than the data as large as these.
    large = Path(folder) / 'large.prototext'
    large.write_text(re.sub(r'mini_batch_size: \d+', 'mini_batch_size: 1000', lenet))
    check('large mini-batch', [large], folder)
    check('not built', [prototexts / 'not_built.prototext'], folder,
          ['--allow-unbuilt', '--field', 'samples=4'])

    # What is not built: an error, or a plan that cannot be run.
    not_built = prototexts / 'not_built.prototext'
    errors = run(not_built, '--field', 'samples=4', code=1).stderr
    for name in ('ltfb', 'datatype: fp16'):
        if f'`{name}` is declared, but not supported yet' not in errors:
            failed.append(f'`{name}` is not among what is not supported yet:\n{errors}')
    for name in ('data_set_metadata', 'role: tournament', 'grid_tag', 'parallel_strategy'):
        if f'`{name}` has no effect' not in errors:
            failed.append(f'`{name}` is not among what has no effect:\n{errors}')
    small = Path(folder) / 'small.prototext'
    small.write_text((prototexts / 'lenet.prototext').read_text().replace('timer {', 'export_onnx {'))
    plan = Path(folder) / 'plan.bin'
    run(small, '--allow-unbuilt', '-o', plan)
    refused = subprocess.run([runtime, plan, '--work-dir', folder], text=True, capture_output=True)
    if refused.returncode != 3 or 'not supported yet: export_onnx' not in refused.stderr:
        failed.append(f'lbann-run does not refuse it: {refused.returncode}\n{refused.stderr}')

    # No training at all, then the test.
    none = Path(folder) / 'none.prototext'
    none.write_text((prototexts / 'lenet.prototext').read_text().replace('num_epochs: 2', 'num_epochs: 0'))
    run(none, '-o', plan)
    ran = subprocess.run([runtime, plan, '--work-dir', folder], text=True, capture_output=True)
    if ran.returncode != 0 or 'test accuracy' not in ran.stdout or 'training epoch' in ran.stdout:
        failed.append(f'0 epochs: {ran.returncode}\n{ran.stdout}{ran.stderr}')

    # Pictures: drawn where Graphviz is, refused with a word where it is not.
    lenet = prototexts / 'lenet.prototext'
    if shutil.which('dot'):
        drawn = run(lenet, '--emit', 'svg').stdout
        if '<svg' not in drawn or '#fde0c5' not in drawn or 'insert_split_layers' not in drawn:
            failed.append(f'svg shows no inserted layers\n{drawn[:500]}')
    else:
        print('no dot here: svg is not drawn')
    missing = subprocess.run([compiler, lenet, '--emit', 'svg'], text=True, capture_output=True, env={'PATH': folder})
    if missing.returncode != 3 or '`dot` is not found' not in missing.stderr:
        failed.append(f'without dot: {missing.returncode}\n{missing.stderr}')
    if 'layer images: input' not in run(lenet, '--emit', 'graph').stdout:
        failed.append('--emit graph shows no layers')

    run(*parts[:1], prototexts.parent / 'nothing.yaml', code=2)
    print(f'{len(shipped)} experiments, 3 of protobuf text')
print('\n'.join(failed))
sys.exit(1 if failed else 0)
