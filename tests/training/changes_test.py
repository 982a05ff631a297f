"""What changes a model during training, against loops in Python's float64.

A linear network y = B (A x) is trained on squared errors, with weights and samples that are given; the
loss of every step, the number of epochs and the weights at the end must be those of the loop.

    changes_test.py lbann-compile lbann-run [--ranks]
"""
import math
import pathlib
import sys
import tempfile

from numpy_samples import npy
from ranks import RankedExperiment, events, numbers, require_mpirun, worst_weights
from run_experiment import fail, losses

ROWS, COLUMNS, BATCH, SAMPLES, EPOCHS = 2, 3, 4, 10, 4
STEPS_PER_EPOCH = 3
FIRST = {"a": [0.3, -0.2, 0.5, -0.4, 0.1, 0.25], "b": [0.7, -0.6]}
X = [[math.sin(1.3 * i + 0.7 * k) for k in range(COLUMNS)] for i in range(SAMPLES)]
T = [math.cos(0.9 * i) for i in range(SAMPLES)]


# The loop.

def norm(values):
    return math.sqrt(sum(value * value for value in values))


def loss_and_gradients(weights, samples):
    a, b = weights["a"], weights["b"]
    loss, da, db = 0.0, [0.0] * len(a), [0.0] * len(b)
    for i in samples:
        hidden = [sum(a[r * COLUMNS + k] * X[i][k] for k in range(COLUMNS)) for r in range(ROWS)]
        error = sum(b[r] * hidden[r] for r in range(ROWS)) - T[i]
        loss += error * error / len(samples)
        scale = 2 * error / len(samples)
        for r in range(ROWS):
            db[r] += scale * hidden[r]
            for k in range(COLUMNS):
                da[r * COLUMNS + k] += scale * b[r] * X[i][k]
    return loss, {"a": da, "b": db}


class Sgd:
    def __init__(self, rate, momentum=0.0):
        self.rate, self.momentum, self.velocity = rate, momentum, None

    def step(self, w, g, factor):
        self.velocity = [self.momentum * v + x for v, x in zip(self.velocity or [0.0] * len(w), g)]
        return [x - self.rate * factor * v for x, v in zip(w, self.velocity)]


class AdaGrad:
    def __init__(self, rate, eps):
        self.rate, self.eps, self.sum = rate, eps, None

    def step(self, w, g, factor):
        self.sum = [c + x * x for c, x in zip(self.sum or [0.0] * len(w), g)]
        return [x - self.rate * factor * y / (math.sqrt(c) + self.eps)
                for x, y, c in zip(w, g, self.sum)]


class RmsProp:
    def __init__(self, rate, decay, eps):
        self.rate, self.decay, self.eps, self.mean = rate, decay, eps, None

    def step(self, w, g, factor):
        self.mean = [self.decay * c + (1 - self.decay) * x * x
                     for c, x in zip(self.mean or [0.0] * len(w), g)]
        return [x - self.rate * factor * y / (math.sqrt(c) + self.eps)
                for x, y, c in zip(w, g, self.mean)]


class Adam:
    def __init__(self, rate, beta1=0.9, beta2=0.99, eps=1e-8, decay=0.0, hyper=None):
        self.rate, self.beta1, self.beta2, self.eps, self.decay = rate, beta1, beta2, eps, decay
        self.hyper, self.time = hyper, 0

    def step(self, w, g, factor):
        if self.time == 0:
            self.m, self.s, self.direction = [0.0] * len(w), [0.0] * len(w), [0.0] * len(w)
        self.time += 1
        if self.hyper is not None:
            self.rate += self.hyper * sum(x * d for x, d in zip(g, self.direction))
            g = [x + self.eps for x in g]
        self.m = [self.beta1 * m + (1 - self.beta1) * x for m, x in zip(self.m, g)]
        self.s = [self.beta2 * s + (1 - self.beta2) * x * x for s, x in zip(self.s, g)]
        correction = math.sqrt(1 - self.beta2 ** self.time) / (1 - self.beta1 ** self.time)
        self.direction = [correction * m / (math.sqrt(s) + self.eps)
                          for m, s in zip(self.m, self.s)]
        rate = self.rate * factor
        return [x - rate * d - rate * self.decay * x for x, d in zip(w, self.direction)]


class Loop:
    """Trains as the experiment should. Cases override what they change."""

    def __init__(self, optimizers):
        self.optimizers = optimizers
        self.steps = self.epochs = 0
        self.losses, self.stop = [], False
        self.weights = {name: list(values) for name, values in FIRST.items()}

    def batch(self): return BATCH
    def before_step(self): pass
    def change(self, gradients): return gradients
    def factor(self, name, gradients): return 1.0
    def active(self, name): return True
    def after_step(self): pass
    def after_epoch(self, objective): pass

    def run(self):
        while self.epochs < EPOCHS and not self.stop:
            total = 0.0
            for begin in range(0, SAMPLES, batch := self.batch()):
                samples = range(begin, min(begin + batch, SAMPLES))
                self.before_step()
                loss, gradients = loss_and_gradients(self.weights, samples)
                self.losses.append(loss)
                total += loss * len(samples)
                gradients = self.change(gradients)
                for name, optimizer in self.optimizers.items():
                    if optimizer is not None and self.active(name):
                        self.weights[name] = optimizer.step(
                            self.weights[name], gradients[name], self.factor(name, gradients))
                self.steps += 1
                self.after_step()
            self.epochs += 1
            self.after_epoch(total / SAMPLES)
        return self


def both(make):
    return {"a": make(), "b": make()}


def loop(optimizers, **overrides):
    return type("Case", (Loop,), overrides)(optimizers)


def rates(self):
    return [optimizer for optimizer in self.optimizers.values() if optimizer is not None]


def set_rates(rule):
    def change(self, *_):
        for name, optimizer in self.optimizers.items():
            optimizer.rate = rule(self, name, optimizer.rate)
    return change


def clipped(values, largest):
    scale = min(1.0, largest / norm(values)) if norm(values) > 0 else 1.0
    return [scale * value for value in values]


def clip_each(self, gradients):
    return {name: clipped(g, 0.2) for name, g in gradients.items()}


def clip_all(self, gradients):
    scale = min(1.0, 0.2 / norm(gradients["a"] + gradients["b"]))
    return {name: [scale * x for x in g] for name, g in gradients.items()}


def clip_first(self, gradients):
    return {"a": clipped(gradients["a"], 0.1), "b": gradients["b"]}


def poly(self, name, rate):
    return (0.1 - 0.01) * max(0.0, 1 - self.steps / 9) ** 1.5 + 0.01


def custom(self, name, rate):
    epoch = self.steps / STEPS_PER_EPOCH
    if self.steps % 5 > 1:
        return 0.1 * 0.7 ** (epoch - 0.5)
    return 0.02 * max(1, math.floor(epoch)) + 0.01


def cosine(self, name, rate):
    if self.steps < 4:
        return 0.02 + (0.1 - 0.02) * self.steps / 4
    if self.steps >= 4 + 6:
        return 0.005
    return 0.005 + (0.1 - 0.005) * (1 + math.cos(math.pi * (self.steps - 4) / 6)) / 2


def cosine_to_the_end(self, name, rate):
    """Epochs have three steps: one of warm-up, three of decay."""
    if self.steps < 3:
        return 0.02 + (0.1 - 0.02) * self.steps / 3
    return 0.005 + (0.1 - 0.005) * (1 + math.cos(math.pi * (self.steps - 3) / 9)) / 2


def of_a_only(rule):
    return lambda self, name, rate: rule(self, name, rate) if name == "a" else rate


def on_plateau(self, objective):
    """patience 0: every epoch that is not better than the best before."""
    lowest = getattr(self, "lowest", math.inf)
    self.lowest = objective
    if not objective < lowest:
        for optimizer in rates(self):
            optimizer.rate *= 0.5


def stops(self, objective):
    """Validated on the training samples; patience 1."""
    value, _ = loss_and_gradients(self.weights, range(SAMPLES))
    lowest = getattr(self, "lowest", math.inf)
    self.stop = not value < lowest
    self.lowest = min(value, lowest)


def takes_turns(self, name):
    return (self.steps % 3 < 2) == (name == "a")


def sets_b(self):
    if self.steps == 5:
        self.weights["b"] = [0.25, 0.25]


def sets_b_at_times(self):
    if self.steps % 2 == 0:
        self.weights["b"] = [0.25, 0.25]


def counts(self):
    self.weights["c"] = [2.0 * ROWS * COLUMNS + ROWS] * (ROWS * COLUMNS)


def copies_a(self):
    if self.steps % 5 == 0:
        self.weights["c"] = self.weights["a"]


def ramps(self, objective):
    """Rates double with the size after epochs 1 and 2, in two steps."""
    for optimizer in rates(self):
        if self.epochs <= 2:
            self.step_of_rate = (2 * optimizer.rate - optimizer.rate) / 2
        if self.epochs <= 3:
            optimizer.rate += self.step_of_rate


SGD = "sgd: {learn_rate: 0.1}"
MOMENTUM = "sgd: {learn_rate: 0.1, momentum: 0.5}"
ADAM = "adam: {learn_rate: 0.03}"


def sgd():
    return both(lambda: Sgd(0.1))


# name: optimizer, own optimizer of b, callbacks, loop.
CASES = {
    "adagrad": ("adagrad: {learn_rate: 0.1, eps: 1.0e-5}", None, [],
                lambda: loop(both(lambda: AdaGrad(0.1, 1e-5)))),
    "rmsprop": ("rmsprop: {learn_rate: 0.02, decay_rate: 0.8, eps: 1.0e-5}", None, [],
                lambda: loop(both(lambda: RmsProp(0.02, 0.8, 1e-5)))),
    "adam": (ADAM, None, [], lambda: loop(both(lambda: Adam(0.03)))),
    "adam with weight decay": ("adam: {learn_rate: 0.03, adamw_weight_decay: 0.2}", None, [],
                               lambda: loop(both(lambda: Adam(0.03, decay=0.2)))),
    "hypergradient_adam": (
        "hypergradient_adam: {init_learning_rate: 0.03, hyper_learning_rate: 0.01, beta1: 0.8, "
        "beta2: 0.95, eps: 1.0e-4}", None, [],
        lambda: loop(both(lambda: Adam(0.03, 0.8, 0.95, 1e-4, hyper=0.01)))),
    "own optimizer": (SGD, "adagrad: {learn_rate: 0.02, eps: 1.0e-4}", [],
                      lambda: loop({"a": Sgd(0.1), "b": AdaGrad(0.02, 1e-4)})),
    "no optimizer": (MOMENTUM, "no_optimizer: {}", [],
                     lambda: loop({"a": Sgd(0.1, 0.5), "b": None})),
    "step_learning_rate": (
        SGD, None, ["step_learning_rate: {step: 2, amt: 0.3}"],
        lambda: loop(sgd(), after_epoch=set_rates(
            lambda self, name, rate: rate * 0.3 if self.epochs % 2 == 0 else rate))),
    "set_learning_rate": (
        MOMENTUM, None, ["set_learning_rate: {step: 3, val: 0.015}"],
        lambda: loop(both(lambda: Sgd(0.1, 0.5)), after_epoch=set_rates(
            lambda self, name, rate: 0.015 if self.epochs == 3 else rate))),
    "drop_fixed_learning_rate": (
        SGD, None, ["drop_fixed_learning_rate: {drop_epoch: [1, 3], amt: 0.4}"],
        lambda: loop(sgd(), after_epoch=set_rates(
            lambda self, name, rate: rate * 0.4 if self.epochs in (1, 3) else rate))),
    "linear_growth_learning_rate": (
        SGD, None, ["linear_growth_learning_rate: {target: 0.4, num_epochs: 2, delay: 1}"],
        lambda: loop(sgd(), after_epoch=set_rates(
            lambda self, name, rate: 0.1 + 0.15 * (self.epochs - 1) if self.epochs <= 3 else rate))),
    "poly_learning_rate": (
        SGD, None, ["poly_learning_rate: {power: 1.5, num_epochs: 3, end_lr: 0.01}"],
        lambda: loop(sgd(), before_step=set_rates(poly))),
    "custom_learning_rate": (
        SGD, None, ['custom_learning_rate: {expression: "first * 0.7 ** (epoch - 0.5) if step % 5 > 1 else 0.02 * '
                    'max(1, floor(epoch)) + steps_per_epoch // 2 / 100"}'],
        lambda: loop(sgd(), before_step=set_rates(custom))),
    "cosine_decay_learning_rate": (
        SGD, None, ["cosine_decay_learning_rate: {lr_max: 0.1, lr_min: 0.005, decay_steps: 6, "
                    "initial_warmup_learning_rate: 0.02, warmup_steps: 4}"],
        lambda: loop(sgd(), before_step=set_rates(cosine))),
    "cosine_decay_learning_rate of epochs": (
        SGD, None, ["cosine_decay_learning_rate: {lr_max: 0.1, lr_min: 0.005, decay_epochs: 2, "
                    "initial_warmup_learning_rate: 0.02, warmup_steps: 4}"],
        lambda: loop(sgd(), before_step=set_rates(cosine))),
    "cosine_decay_learning_rate to the end": (
        SGD, None, ["cosine_decay_learning_rate: {lr_max: 0.1, lr_min: 0.005, "
                    "initial_warmup_learning_rate: 0.02, warmup_epochs: 1}"],
        lambda: loop(sgd(), before_step=set_rates(cosine_to_the_end))),
    "schedules of their own": (
        SGD, None,
        ["cosine_decay_learning_rate: {weights: [a], lr_max: 0.1, lr_min: 0.005, decay_steps: 6, "
         "initial_warmup_learning_rate: 0.02, warmup_steps: 4}",
         "step_learning_rate: {weights: [b], step: 1, amt: 0.5}"],
        lambda: loop(sgd(), before_step=set_rates(of_a_only(cosine)),
                     after_epoch=set_rates(
                         lambda self, name, rate: rate if name == "a" else 0.5 * rate))),
    "adaptive_learning_rate": (
        "sgd: {learn_rate: 0.3}", None, ["adaptive_learning_rate: {patience: 0, amt: 0.5}"],
        lambda: loop(both(lambda: Sgd(0.3)), after_epoch=on_plateau)),
    "optimizerwise_adaptive_learning_rate": (
        MOMENTUM, None, ["optimizerwise_adaptive_learning_rate: {scale: 0.3}"],
        lambda: loop(both(lambda: Sgd(0.1, 0.5)),
                     factor=lambda self, name, g: 0.3 * norm(self.weights[name]) / norm(g[name]))),
    "step_minibatch": (
        "sgd: {learn_rate: 0.02}", None, ["step_minibatch: {starting_mbsize: 1, step: 1, ramp_time: 2}"],
        lambda: loop(both(lambda: Sgd(0.02)), after_epoch=ramps,
                     batch=lambda self: [1, 2, 4, 4][self.epochs])),
    "minibatch_schedule": (
        SGD, "sgd: {learn_rate: 0.03}",
        ["minibatch_schedule: {starting_mbsize: 3, step: [{epoch: 3, mbsize: 4}, "
         "{epoch: 1, mbsize: 2, lr: 0.05}]}"],
        lambda: loop({"a": Sgd(0.1), "b": Sgd(0.03)},
                     after_epoch=set_rates(lambda self, name, rate: 0.05),
                     batch=lambda self: [3, 2, 2, 4][self.epochs])),
    "clip_gradient_norm": (SGD, None, ["clip_gradient_norm: {value: 0.2}"],
                           lambda: loop(sgd(), change=clip_each)),
    "clip_gradient_norm of all": (
        ADAM, None, ["clip_gradient_norm: {value: 0.2, global_norm: true}"],
        lambda: loop(both(lambda: Adam(0.03)), change=clip_all)),
    "clip_gradient_norm of one": (
        SGD, None, ["clip_gradient_norm: {value: 0.1, weights: [a]}"],
        lambda: loop(sgd(), change=clip_first)),
    "clipped, then adapted": (
        SGD, None, ["clip_gradient_norm: {value: 0.2}",
                    "optimizerwise_adaptive_learning_rate: {scale: 0.3, weights: [b]}"],
        lambda: loop(sgd(), change=clip_each,
                     factor=lambda self, name, g:
                     0.3 * norm(self.weights[name]) / norm(g[name]) if name == "b" else 1.0)),
    "alternate_updates": (
        ADAM, None, ["alternate_updates: {layers_1: [hidden], layers_2: [out], iters_1: 2, "
                     "iters_2: 1}"],
        lambda: loop(both(lambda: Adam(0.03)), active=takes_turns)),
    "hypergradients in turn": (
        "hypergradient_adam: {init_learning_rate: 0.03, hyper_learning_rate: 0.01}", None,
        ["alternate_updates: {layers_1: [hidden], layers_2: [out], iters_1: 2, iters_2: 1}"],
        lambda: loop(both(lambda: Adam(0.03, hyper=0.01)), active=takes_turns)),
    "set_weights_value": (
        SGD, None, ["set_weights_value: {weights: [b], value: 0.25, step: 5}"],
        lambda: loop(sgd(), before_step=sets_b)),
    "replace_weights": (
        SGD, None, ["replace_weights: {source_layers: [hidden], destination_layers: [copy], "
                    "batch_interval: 5}"],
        lambda: loop(sgd(), after_step=copies_a)),
    "perturb_weights with one value between its bounds": (
        SGD, None, ["perturb_weights: {output_name: b, lower: 0.25, upper: 0.25, scale: 2, "
                    "perturb_probability: 1, batch_interval: 2}"],
        lambda: loop(sgd(), before_step=sets_b_at_times)),
    "perturb_weights of no entry": (
        SGD, None, ["perturb_weights: {output_name: b, lower: -9, upper: 9, scale: 2, "
                    "perturb_probability: 0}"],
        lambda: loop(sgd())),
    "perturb_learning_rate by nothing": (
        SGD, None, ["perturb_learning_rate: {learning_rate_factor: 0, perturb_during_training: true}"],
        lambda: loop(sgd())),
    "perturb_adam by nothing": (
        ADAM, None, ["perturb_adam: {beta1_factor: 1e-14, beta2_factor: 1e-14, eps_factor: 1e-14, "
                     "perturb_during_training: true}"],
        lambda: loop(both(lambda: Adam(0.03)))),
    "perturb_adam of the other weights": (
        ADAM, SGD, ["perturb_adam: {beta1_factor: 1e-14, learning_rate_factor: 1e-14}"],
        lambda: loop({"a": Adam(0.03), "b": Sgd(0.1)})),
    "compute_model_size": (
        SGD, None, ["compute_model_size: {output_name: c}"], lambda: loop(sgd(), before_step=counts)),
    "early_stopping": (
        "sgd: {learn_rate: 0.7}", None, ["early_stopping: {patience: 1}"],
        lambda: loop(both(lambda: Sgd(0.7)), after_epoch=stops)),
}
RANKED = ["hypergradient_adam", "schedules of their own", "adaptive_learning_rate",
          "optimizerwise_adaptive_learning_rate", "clip_gradient_norm of all",
          "hypergradients in turn", "set_weights_value", "early_stopping", "step_minibatch"]

EXPERIMENT = """
trainer: {{mini_batch_size: {batch}, training_algorithm: {{sgd: {{max_epochs: {epochs}}}}}}}
data_reader:
  - numpy: {{role: train, data_filename: samples.npy}}
  - numpy: {{role: validate, data_filename: samples.npy}}
model:
  datatype: double
  layers:
    - input: {{name: sample, data_field: samples}}
    - slice: {{name: parts, slice_points: [0, {columns}, {all}]}}
    - fully_connected: {{name: hidden, parents: [parts.0], num_neurons: {rows}, has_bias: false, weights: [a]}}
    - fully_connected: {{name: out, num_neurons: 1, has_bias: false, weights: [b]}}
    - mean_squared_error: {{name: error, parents: [out, parts.1]}}
    - fully_connected: {{name: copy, parents: [parts.0], num_neurons: {rows}, has_bias: false, weights: [c]}}
  objective_function:
    - layer_term: {{layer: error}}
  weights:
    - {{name: a}}
    - {{name: b{own}}}
    - {{name: c, optimizer: {{no_optimizer: {{}}}}}}
  callbacks:
    - load_model: {{dirs: [{folder}], partial: true}}
{callbacks}
optimizer:
  {optimizer}
"""


# Callbacks that draw random numbers, and until which step nothing happens.
RANDOM = [
    ("perturb_weights: {output_name: b, lower: -9, upper: 9, scale: 0.1, perturb_probability: 0.5}", 0),
    ("perturb_learning_rate: {learning_rate_factor: 0.5}", 1),
    ("perturb_learning_rate: {learning_rate_factor: 0.5, weights: [b]}", 1),
]
# Dropout between the two layers, with which the next case trains as well.
DROPOUT = ("    - fully_connected: {name: out", "    - dropout: {keep_prob: 0.6}\n    - fully_connected: {name: out")
# The same for Adam.
RANDOM_OF_ADAM = [
    ("perturb_adam: {learning_rate_factor: 0.5}", 1),
    ("perturb_adam: {beta1_factor: 0.5, weights: [b]}", 2),
    ("perturb_adam: {beta2_factor: 0.5}", 2),
    ("perturb_adam: {eps_factor: 20}", 1),
    ("perturb_adam: {beta1_factor: 0.5, perturb_during_training: true, batch_interval: 5}", 2),
]


def check_random(compiler, runner, counts):
    """Numbers that are drawn change training, and are the same on any number of ranks."""
    def on_ranks(optimizer, callbacks, ranks, change=("", "")):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            experiment = compile_case(compiler, runner, folder, (optimizer, None, callbacks, None), change)
            return [losses(events(experiment.run_on(count, "--data-root", folder))) for count in ranks]

    def check_callback(optimizer, plain, callback, first, change=("", "")):
        runs = on_ranks(optimizer, [callback], counts, change)
        for step, (changed, unchanged) in enumerate(zip(runs[0], plain)):
            if step >= first and abs(changed - unchanged) <= 1e-9:
                fail(f"{callback}: step {step} is as without it")
        for again in runs[1:]:
            check(callback, again, runs[0], 1e-12)
        print(f"{callback}: the same on {counts} ranks")

    for callback, first in RANDOM:
        check_callback(SGD, loop(sgd()).run().losses, callback, first)
    for callback, first in RANDOM_OF_ADAM:
        check_callback(ADAM, loop(both(lambda: Adam(0.03))).run().losses, callback, first)
    dropped = on_ranks(SGD, [], counts[:1], DROPOUT)[0]
    check_callback(SGD, dropped, "perturb_dropout: {keep_dropout_factor: 0.5}", 0, DROPOUT)
    for factor in (0, 1e-14):
        same = on_ranks(SGD, [f"perturb_dropout: {{keep_dropout_factor: {factor}}}"], counts[:1], DROPOUT)[0]
        check("perturb_dropout by nothing", same, dropped, 1e-12)


def compile_case(compiler, runner, folder, case, change=("", "")):
    optimizer, own, callbacks, _ = case
    (folder / "a.npy").write_bytes(npy(FIRST["a"], ROWS, COLUMNS, type="f8"))
    (folder / "b.npy").write_bytes(npy(FIRST["b"], 1, ROWS, type="f8"))
    rows = [v for x, t in zip(X, T) for v in [*x, t]]
    (folder / "samples.npy").write_bytes(npy(rows, SAMPLES, COLUMNS + 1, type="f8"))
    text = EXPERIMENT.format(
        batch=BATCH, epochs=EPOCHS, columns=COLUMNS, all=COLUMNS + 1, rows=ROWS, folder=folder,
        own="" if own is None else f", optimizer: {{{own}}}", optimizer=optimizer,
        callbacks="\n".join(f"    - {callback}" for callback in callbacks))
    (folder / "experiment.yaml").write_text(text.replace(*change) if change[0] else text)
    return RankedExperiment(compiler, runner, folder / "experiment.yaml", folder)


def check(name, found, expected, tolerance):
    if len(found) != len(expected):
        fail(f"{name}: {len(found)} steps instead of {len(expected)}")
    for step, (loss, exact) in enumerate(zip(found, expected)):
        if not abs(loss - exact) <= tolerance * max(1.0, abs(exact)):
            fail(f"{name}: loss of step {step} is {loss!r} instead of {exact!r}")


def main(compiler, runner, *options):
    ranked = "--ranks" in options
    if ranked:
        require_mpirun()
    for name in RANKED if ranked else CASES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            experiment = compile_case(compiler, runner, folder, CASES[name])
            expected = CASES[name][3]().run()
            if len(set(expected.losses)) < len(expected.losses) // 2:
                fail(f"{name}: the loop itself does not train")
            for ranks in (2, 3) if ranked else (1,):
                top = experiment.run_on(ranks, "--data-root", folder)
                check(f"{name} on {ranks} ranks", losses(events(top)), expected.losses, 1e-12)
                weights = {f"{w}.npy": numbers(top / "model" / f"{w}.npy")
                           for w in expected.weights}
                worst = worst_weights(
                    weights, {f"{w}.npy": values for w, values in expected.weights.items()})
                if not worst < 1e-11:
                    fail(f"{name} on {ranks} ranks: weights differ by {worst}")
            print(f"{name}: {len(expected.losses)} steps, as the loop")
    check_random(compiler, runner, (1, 2, 3) if ranked else (1, 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
