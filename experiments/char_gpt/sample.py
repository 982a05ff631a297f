"""Writes text with a model that was trained on experiment.yaml, character by character.

    python3 sample.py --plan plan.bin --model model --text tinyshakespeare.txt --prompt 'ROMEO:' --characters 200

--text is the text of training: its characters, in the order of their code points, are the symbols of the model.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--plan', required=True, help='plan of lbann-compile')
    parser.add_argument('--model', required=True, help='what lbann-run --save-model has written')
    parser.add_argument('--text', required=True, help='the text of training')
    parser.add_argument('--prompt', default='\n', help='what the text begins with')
    parser.add_argument('--characters', type=int, default=200, help='how many to add')
    parser.add_argument('--length', type=int, default=64, help='characters the model sees')
    parser.add_argument('--temperature', type=float, default=0.8, help='0: always the most probable character')
    parser.add_argument('--seed', type=int, default=0, help='of the random numbers')
    parser.add_argument('--lbann-run', default='lbann-run', help='the program')
    return parser.parse_args()


def choose(probabilities, temperature, draw):
    """The number of a symbol, drawn by its probability."""
    if temperature == 0:
        return max(range(len(probabilities)), key=probabilities.__getitem__)
    return draw.choices(range(len(probabilities)), [p ** (1 / temperature) for p in probabilities])[0]


def main():
    asked = arguments()
    symbols = sorted(set(pathlib.Path(asked.text).read_text(encoding='utf-8')))
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    if unknown := sorted(set(asked.prompt) - set(symbols)):
        sys.exit(f'sample.py: the text of training has none of {unknown}')
    if not asked.prompt:
        sys.exit('sample.py: the prompt is empty')
    model = subprocess.Popen([asked.lbann_run, asked.plan, '--serve', '--load-model', asked.model,
                              '--layers', 'probabilities', '--quiet'],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    draw = random.Random(asked.seed)
    text = [numbers[symbol] for symbol in asked.prompt]
    print(asked.prompt, end='')
    for _ in range(asked.characters):
        seen = text[-asked.length:]
        # A position sees none behind it, so that it does not matter what stands there.
        model.stdin.write(json.dumps({'samples': [seen + [0] * (asked.length - len(seen))]}) + '\n')
        model.stdin.flush()
        line = model.stdout.readline()
        answer = json.loads(line) if line else {'error': 'lbann-run has ended'}
        if 'error' in answer:
            sys.exit(f'sample.py: {answer["error"]}')
        # [symbols, positions]
        following = [of_symbol[len(seen) - 1] for of_symbol in answer['probabilities'][0]]
        text.append(choose(following, asked.temperature, draw))
        print(symbols[text[-1]], end='', flush=True)
    print()
    model.stdin.close()
    return model.wait()


sys.exit(main())
