"""Messages of reports equal what lbann-run hands to MPI on 2, 3 or 4 ranks, and what a dry run sends, for 1 to 4.

  messages_test.py COMPILER RUNNER COUNTER EXPERIMENTS EXPERIMENT...

COUNTER is the library that notes MPI's calls; - where there is no MPI.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'training'))
from mnist_files import make_mnist  # noqa: E402
from picture_files import make_pictures  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import own_mpi_folder
from hdf5_files import make_shots
from molecule_files import make_molecules
import small_experiments
from sanitized import is_sanitized

compiler, runner = [pathlib.Path(a).resolve() for a in sys.argv[1:3]]
counter = sys.argv[3] if sys.argv[3] == '-' else pathlib.Path(sys.argv[3]).resolve()
top = pathlib.Path(sys.argv[4]).resolve()
failures = 0
in_memory = ('gather', 'shared_sum')


def complain(words):
    global failures
    failures += 1
    print('wrong:', words)


def call(*command, code=0, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          **options)
    if done.returncode != code:
        print(f'exit code {done.returncode}, not {code}:', *command, '\n' + done.stdout + done.stderr)
        sys.exit(1)
    return done


def reported(plan, ranks, *options):
    told = json.loads(call(compiler, plan, '--report', 'messages', '--report', 'memory', '--ranks', ranks,
                           '--threads', 1, '--report-format', 'json', *options).stdout)
    return told['groups']


def sent(message):
    """What a rank hands to MPI for a message: exchanges of parts are one for each partner."""
    if message['kind'] in ('all_gather', 'reduce_scatter', 'all_to_all'):
        return [f'send {size}' for size in message.get('sends', [])]
    return [f'{message["kind"]} {message["bytes"]}']


def check_dry_run(name, plan, ranks):
    # Of ranks of a mesh with parts of other sizes between them the first is tried.
    groups = {rank: group for group in reported(plan, ranks, '--mini-batch', 5)
              for rank in (range(group['first_rank'], group['last_rank'] + 1)
                           if group['last_rank'] - group['first_rank'] + 1 == group['ranks_of_all_trainers']
                           else [group['first_rank']])}
    for rank, group in groups.items():
        output = call(runner, plan, '--dry-run-ranks', ranks, '--dry-run-rank', rank, '--dry-run-mini-batch', 5,
                      '--steps', 1, '--threads', 1).stdout
        place = f'{name}, dry run of rank {rank} of {ranks}'
        for entry, told in group['messages'].items():
            count = sum(len(sent(message)) for message in told['messages'])
            words = f'{count} messages? of {told["bytes"]} bytes'
            if not re.search(rf'^{entry} : .*, {words}$', output, re.M):
                complain(f'{place}: {entry}: {words} told, but\n{output}')
        if f'({group["memory"]["total"]} bytes)' not in output:
            complain(f'{place}: {group["memory"]["total"]} bytes of memory told, but\n{output}')
        if f'{group["samples"]} samples of 5' not in output:
            complain(f'{place}: {group["samples"]} samples told, but\n{output}')


def counted(plan, ranks, steps, folder):
    """What each rank handed to MPI in a run of so many steps of each pass."""
    folder.mkdir()
    # Where lbann-run is built with sanitizers, their library stands behind the preloaded one.
    sanitizer = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
    call('mpirun', '-n', ranks, '-x', f'LD_PRELOAD={counter}', '-x', f'COUNT_MESSAGES_TO={folder / "messages"}',
         '-x', f'ASAN_OPTIONS={sanitizer}', runner, plan, '--steps', steps, '--work-dir', folder, '--threads', 1, '--data-root', folder.parent.parent,
         cwd=folder)
    return [collections.Counter((folder / f'messages.{rank}').read_text().splitlines()) for rank in range(ranks)]


def check_mpi(name, plan, ranks, folder, evaluations):
    # Ranks tell one another the name of their folder, which must be as long in both runs.
    before, after = [counted(plan, ranks, steps, folder / str(steps)) for steps in (2, 3)]
    groups = reported(plan, ranks)
    replay = folder / 'replay'
    call(compiler, plan, '--replay', replay, '--ranks', ranks, '--threads', 1)
    exchanges = any(sent(message)[:1] != [f'{message["kind"]} {message["bytes"]}']
                    for message in groups[0]['messages']['train']['messages'])
    for rank in range(ranks):
        # What ranks of a group exchange is told of the first of them; sums are the same for all.
        group = next((group for group in groups if group['first_rank'] == rank), None if exchanges else groups[0])
        if group is None:
            continue
        told = collections.Counter()
        # One more step trains once, and validates or tests once each.
        for entry in ['train'] + ['evaluate'] * evaluations:
            # Factors and gradients go through shared memory, not through MPI.
            told.update(words for message in group['messages'][entry]['messages'] if message['kind'] not in in_memory
                        for words in sent(message))
        found = after[rank] - before[rank]
        # Messages of the trace that SimGrid replays: tags begin with the number of the message.
        messages = group['messages']['train']['messages']
        replayed = [words.split() for words in (replay / f'rank{rank}.txt').read_text().splitlines()]
        sends = collections.Counter(int(words[4]) for words in replayed if words[1] == 'isend'
                                    and messages[int(words[3]) >> 12]['kind'] not in ('all_reduce', *in_memory))
        if sends != collections.Counter(size for message in messages for size in message.get('sends', [])):
            complain(f'{name}, rank {rank} of {ranks}: told other messages than are replayed: {sends}')
        if found != told or before[rank] - after[rank]:
            complain(f'{name}, rank {rank} of {ranks}: told {told}, handed to MPI {found}')


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    plan = folder / 'plan.bin'
    for experiment in sys.argv[5:]:
        call(compiler, top / experiment, '-o', plan, *small_experiments.options(experiment))
        for ranks in (3,) if is_sanitized(runner) else range(1, 5):
            check_dry_run(experiment, plan, ranks)
        print(f'{experiment}: dry runs compared')
    for options, words in ((['--dry-run-ranks', 3, '--dry-run-rank', 3], 'the last is 2'),
                           (['--dry-run-ranks', 3, '--procs-per-trainer', 2], 'a multiple of 2'),
                           (['--dry-run-rank', 1], '--dry-run-ranks')):
        outcome = call(runner, plan, *options, code=2)
        if words not in outcome.stderr:
            complain(f'{options}: {outcome.stderr}')
    if counter == '-' or shutil.which('mpirun') is None:
        print('not compared with MPI: there is none')
    else:
        make_mnist(folder / 'mnist')
        for part in ('train', 'val'):
            make_pictures(folder / 'pictures' / part, 10, 3)
        (folder / 'text.txt').write_text('the cat chat ' * 300)
        for number, experiment in enumerate(sys.argv[5:]):
            # Under sanitizers each start of a rank takes seconds: a quarter of the experiments shows their memory.
            if is_sanitized(runner) and number % 4 and 'stacked' not in experiment:
                continue
            text = small_experiments.text_of(top / experiment)
            # Three full mini-batches in every pass.
            settings = ['trainer.mini_batch_size=7', *small_experiments.settings(experiment, samples=21)]
            for role in ('train', 'test'):
                if f'digits: {{role: {role}' in text:
                    settings.append(f'data_reader.{role}.num_samples=400')
            if '- image_folder:' in text:
                settings.append(f'variables.data={folder / "pictures"}')
                settings += [f'data_reader.{role}.absolute_sample_count=21' for role in ('train', 'validate')]
            if '- mnist:' in text:
                settings.append(f'variables.data={folder / "mnist"}')
            if '- smiles:' in text:
                settings += make_molecules(folder, 230)
            if '- hdf5:' in text:
                settings += make_shots(compiler, runner, folder, 21)
            if '- text:' in text:
                settings.append(f'variables.text={folder / "text.txt"}')
            # Steps of one work go on from the weights of the step before.
            if '\n  pretrained:' in text:
                settings.append(f'variables.pretrained={saved}')
            call(compiler, top / experiment, '-o', plan, *(word for one in settings for word in ('--set', one)))
            evaluations = ('validation_fraction' in text) + ('role: validate' in text) + ('role: test' in text)
            # Each experiment on one number of ranks: these take turns.
            ranks = 2 + number % 3
            place = folder / str(number)
            place.mkdir()
            check_mpi(experiment, plan, ranks, place, evaluations)
            saved = place / '3' / 'latest' / 'model'
            print(f'{experiment}: calls of MPI on {ranks} ranks compared')
sys.exit(1 if failures else 0)
