"""Eight samples of three numbers."""


def num_samples():
    return 8


def sample_dims():
    return [3]


def get_sample(index):
    return [index, 0, 1]
