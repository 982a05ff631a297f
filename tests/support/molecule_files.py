"""Molecules and their vocabulary as the reader `smiles` takes them."""


def make_molecules(folder, count):
    """Writes small.smi and tokens.txt; settings of an experiment whose variables name them."""
    tokens = [*'CON=1', '<pad>', '<unk>', '<bos>', '<eos>']
    (folder / 'tokens.txt').write_text(''.join(f'{token} {number}\n' for number, token in enumerate(tokens)))
    (folder / 'small.smi').write_text(''.join(f'{i % 5 * "C"}O{"N" * (i % 3)}C1=CC=C1\n' for i in range(count)))
    return [f'variables.molecules={folder / "small.smi"}', f'variables.vocabulary={folder / "tokens.txt"}']
