# lbann-run --serve: the numbers of --predict, wrong lines answered and passed over, ends in order; the script that
# samples text.
#   serve_test.py lbann-compile lbann-run experiments
import json
import random
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from classifier_runs import check, classifier, finish, run  # noqa: E402

compiler, runtime, experiments = (Path(path).resolve() for path in sys.argv[1:4])
MODEL = classifier('csv: {role: train, data_filename: train.csv, num_labels: 2}', classes=2)


def single(number):
    return struct.unpack('<f', struct.pack('<f', number))[0]


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    draw = random.Random(3)
    samples = [[round(draw.gauss(0, 1), 3) for _ in range(3)] for _ in range(10)]
    (folder / 'train.csv').write_text('a,b,c,kind\n' + ''.join(
        f'{a},{b},{c},{int(a > 0)}\n' for a, b, c in samples))
    (folder / 'experiment.yaml').write_text(MODEL)
    run(compiler, 'experiment.yaml', '-o', 'plan.bin', cwd=folder)
    run(runtime, 'plan.bin', '--work-dir', 'runs', '--save-model', 'model', '--quiet', cwd=folder)
    run(runtime, 'plan.bin', '--predict', '--load-model', 'model', '--out', 'p.npy', cwd=folder)
    data = (folder / 'p.npy').read_bytes()[-80:]
    expected = [list(struct.unpack_from('<2f', data, 8 * i)) for i in range(10)]

    serve = [str(runtime), 'plan.bin', '--serve', '--load-model', 'model']
    # Each line by one, in order; wrong ones are told and passed over; the last has no end.
    lines = [json.dumps(samples), '', json.dumps({'samples': samples[:1]}), '[[1, 2]]', 'hello', '{"samples": [], "x": 1}',
             '[]', json.dumps(samples[3:])]
    done = run(*serve, cwd=folder, input='\n'.join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    check(len(answers) == 7, f'{len(answers)} answers:\n{done.stdout}')
    def numbers(answer):
        return [[single(x) for x in row] for row in answer['probabilities']]
    check(numbers(answers[0]) == expected, f'not the predictions:\n{answers[0]}\n{expected}')
    check(numbers(answers[1]) == expected[:1], 'the first sample alone')
    for answer, words in zip(answers[2:5], ('it is [2], not [3]', 'no JSON', '`x` is nothing')):
        check(words in answer.get('error', ''), f'`{words}` is not told: {answer}')
    check(answers[5] == {'probabilities': []}, f'no samples: {answers[5]}')
    check(numbers(answers[6]) == expected[3:], 'after errors')
    check('serve :' in done.stderr and 'weights loaded' in done.stderr, f'the log:\n{done.stderr}')
    check(list(json.loads(run(*serve, '--layers', 'scores', cwd=folder, input='[[1,2,3]]').stdout)) == ['scores'],
          '--layers')

    # Answers come at once; SIGTERM ends it after the answer.
    with subprocess.Popen(serve, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as server:
        for sample, row in zip(samples, expected):
            server.stdin.write(json.dumps([sample]) + '\n')
            server.stdin.flush()
            check(numbers(json.loads(server.stdout.readline())) == [row], 'one after the other')
        server.send_signal(signal.SIGTERM)
        check(server.stdout.read() == '' and server.wait() == 143, f'SIGTERM: {server.returncode}')
    # Whoever asked has gone.
    with subprocess.Popen(serve, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as server:
        server.stdout.close()
        server.stdin.write('[[1,2,3]]\n')
        server.stdin.flush()
        check(server.wait() == 0 and 'error' not in server.stderr.read(), f'a closed pipe: {server.returncode}')
    check('nothing: no such folder or file' in run(*serve[:-1], 'nothing', cwd=folder, code=3).stderr, 'no model')
    run(*serve, '--predict', '--out', 'x.npy', cwd=folder, code=2)

    # 200 characters of a small model of text.
    beginning = 'to be or not to be, that it is:\n' * 3
    text = beginning + 'to be or not to be, that is the question:\n' * 30
    (folder / 'text.txt').write_text(text)
    run(compiler, experiments / 'char_gpt/experiment.yaml', '-o', folder / 'gpt.bin', '--data-root', folder,
        '--set', f'variables.characters={len(set(text))}', '--set', 'variables.text=text.txt', '--set', 'variables.width=16',
        '--set', 'variables.heads=2', '--set', 'variables.depth=1')
    run(runtime, 'gpt.bin', '--work-dir', 'runs', '--save-model', 'gpt', '--quiet', cwd=folder)
    # Characters of another text keep their numbers, although it lacks some.
    (folder / 'beginning.txt').write_text(beginning)
    rows = []
    for out, data in (('all.npy', []), ('beginning.npy', ['--data', 'beginning.txt'])):
        run(runtime, 'gpt.bin', '--predict', '--load-model', 'gpt', '--out', out, *data, cwd=folder)
        rows.append(struct.unpack_from(f'<{64 * len(set(text))}f', (folder / out).read_bytes(), 128))
    check(max(abs(a - b) for a, b in zip(*rows)) < 1e-5, '--data of another text predicts otherwise')
    sample = [sys.executable, experiments / 'char_gpt/sample.py', '--lbann-run', runtime, '--plan', 'gpt.bin',
              '--model', 'gpt', '--text', 'text.txt']
    written = run(*sample, '--prompt', 'to be', cwd=folder).stdout
    check(written.startswith('to be') and len(written) == len('to be') + 200 + 1 and set(written) <= set(text),
          f'sampled {len(written)} characters: {written}')
    check(run(*sample, '--prompt', 'to be', cwd=folder).stdout == written, 'another text from the same seed')
    check('none of' in run(*sample, '--prompt', '#', cwd=folder, code=1).stderr, 'an unknown character')
finish()
