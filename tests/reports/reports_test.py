"""Reports of all experiments equal what is measured, for 1 to 4 ranks.

  reports_test.py COMPILER MEASURE EXPERIMENTS EXPERIMENT...
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import small_experiments
from sanitized import is_sanitized

compiler, measure, top = [pathlib.Path(a).resolve() for a in sys.argv[1:4]]
failures = 0
sizes = ((3, 5),) if is_sanitized(measure) else ((1, 5), (3, 5), (4, 5), (3, 2))


def complain(words):
    global failures
    failures += 1
    print('wrong:', words)


def call(*command, code=0):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode != code:
        print(f'exit code {done.returncode}, not {code}:', *command, '\n' + done.stdout + done.stderr)
        sys.exit(1)
    return done


def report(path, ranks, batch, *options):
    told = json.loads(call(compiler, path, '--report', 'memory', '--report', 'flops', '--report', 'messages',
                           '--ranks', ranks, '--mini-batch', batch, '--threads', 2, '--report-format', 'json', *options).stdout)
    if sum(group['ranks_of_all_trainers'] for group in told['groups']) != ranks:
        complain(f'{path}: groups of {ranks} ranks: {told["groups"]}')
    return told


def groups_by_rank(told):
    """The group of each rank of a trainer."""
    ranks = sum(group['ranks_of_all_trainers'] for group in told['groups'])
    # On a mesh ranks of a group need not stand in a row; then the first of each is compared.
    groups = [None] * ranks
    for group in told['groups']:
        first, last = group['first_rank'], group['last_rank']
        for rank in range(first, last + 1) if last - first + 1 == group['ranks_of_all_trainers'] else [first]:
            groups[rank] = group
    return groups


def check_memory(name, told, ranks, batch, plan):
    measured = json.loads(call(measure, plan, ranks, batch, 'memory').stdout)
    for rank, (group, found) in enumerate(zip(groups_by_rank(told), measured, strict=True)):
        if group is None:
            continue
        place = f'{name}, rank {rank} of {ranks}, mini-batch {batch}'
        memory = group['memory']
        for kind in ('weights', 'gradients', 'state', 'data', 'activations', 'messages'):
            if memory[kind] != found[kind]:
                complain(f'{place}: {kind}: {memory[kind]} bytes told, {found[kind]} measured')
        # Scratch is a bound for all kernels of an operator.
        if memory['scratch'] < found['scratch']:
            complain(f'{place}: {memory["scratch"]} bytes of scratch told, {found["scratch"]} measured')
        if found['stray'] or found['unset']:
            complain(f'{place}: {found["stray"]} stray bytes, {found["unset"]} unset')
        classes = ('weights', 'gradients', 'state', 'data', 'activations', 'scratch', 'messages', 'padding')
        if sum(memory[kind] for kind in classes) != memory['total'] or memory['padding'] < 0:
            complain(f'{place}: classes do not add up: {memory}')
        if not 0 < memory['live'] <= memory['placed'] or memory['ratio'] != memory['placed'] / memory['live']:
            complain(f'{place}: {memory}')


def check_flops(name, told, ranks, batch, plan):
    measured = json.loads(call(measure, plan, ranks, batch, 'flops').stdout)
    for rank, (group, found) in enumerate(zip(groups_by_rank(told), measured, strict=True)):
        if group is None:
            continue
        place = f'{name}, rank {rank} of {ranks}, mini-batch {batch}'
        for entry, layers in found.items():
            if group['flops'][entry]['layers'] != layers:
                complain(f'{place}, {entry}: told {group["flops"][entry]["layers"]}, measured {layers}')
            if group['flops'][entry]['total'] != sum(layers.values()):
                complain(f'{place}, {entry}: layers do not add up')
        if group['samples'] and not any(group['flops']['train']['layers'].values()):
            complain(f'{place}: no operations')


with tempfile.TemporaryDirectory() as folder:
    for name in sys.argv[4:]:
        plan = pathlib.Path(folder) / 'plan.bin'
        small = small_experiments.options(name)
        call(compiler, top / name, '-o', plan, *small)
        for ranks, batch in sizes:
            told = report(plan, ranks, batch)
            if told != report(top / name, ranks, batch, *small):
                complain(f'{name}: the experiment and its plan give different reports')
            check_memory(name, told, ranks, batch, plan)
            check_flops(name, told, ranks, batch, plan)
        # The mini-batch of the experiment.
        told = json.loads(call(compiler, plan, '--report', 'memory', '--threads', 2, '--report-format', 'json').stdout)
        check_memory(name, told, 1, told['mini_batch'], plan)
        # As many ranks as one likes, in trainers.
        told = report(plan, 1024, 100, '--procs-per-trainer', '64', '--procs-per-node', '1')
        if 'sharded' in name:
            # Every rank may hold parts of its own sizes.
            if sum(group['samples'] * group['ranks_of_all_trainers'] for group in told['groups']) != 16 * 100:
                complain(f'{name}: groups of 64 ranks: {told["groups"]}')
        elif told['mesh']['rows'] * told['mesh']['columns'] > 1:
            # Parts of weights differ as well.
            samples = sum(group['samples'] * group['ranks_of_all_trainers'] for group in told['groups'])
            if samples != 16 * 100 or len(told['groups']) > 16:
                complain(f'{name}: groups of 64 ranks in a mesh: {told["groups"]}')
        elif [(g['first_rank'], g['last_rank'], g['samples'], g['ranks_of_all_trainers']) for g in told['groups']] != [
                (0, 35, 2, 576), (36, 63, 1, 448)]:
            complain(f'{name}: groups of 64 ranks: {told["groups"]}')
        print(f'{name}: compared')

    # What cannot be is one message.
    outcome = call(compiler, plan, '--report', 'memory', '--ranks', 7, '--procs-per-trainer', 2, code=2)
    if '--procs-per-trainer' not in outcome.stderr:
        complain(outcome.stderr)
    for options in (['--ranks', 0], ['--mini-batch', 0], ['--report', 'time'], ['--report-format', 'xml']):
        call(compiler, plan, '--report', 'memory', *options, code=2)
    call(compiler, plan, code=2)
    damaged = pathlib.Path(folder) / 'damaged.bin'
    damaged.write_bytes(plan.read_bytes()[:-1])
    call(compiler, damaged, '--report', 'memory', code=3)
sys.exit(1 if failures else 0)
