"""The smallest experiment that trains, which tests of the command break in one way each."""

GOOD = '''trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}
data_reader:
  - digits: {role: train, num_samples: 8}
model:
  layers:
    - input: {data_field: samples}
    - fully_connected: {name: fc, num_neurons: 3}
    - l2_norm2: {name: loss}
  objective_function:
    - layer_term: {layer: loss}
optimizer: {sgd: {learn_rate: 0.1}}
'''
