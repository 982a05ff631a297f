// Tests of what layers do with weights that are not trained.
#include <doctest/doctest.h>

#include "tests/compiler/lowering/perceptron.hpp"

namespace lbann::compiler {

namespace {

/// Names of weights that an entry point writes, in order, after `pass`.
Words weights_written(std::string const& layers, std::string_view entry, std::string_view pass,
                      std::int64_t micro_batches = 1) {
  Perceptron model;
  model.experiment.layers = layer_entries(model.layer_types, layers);
  model.experiment.mini_batch_size = 8;
  model.experiment.accumulate = micro_batches;
  model.compile(pass);
  auto const& program = model.compilation.program;
  Words names;
  for (auto const& instruction : program.entry_point(entry)->instructions)
    for (auto const id : instruction.outputs)
      if (program[id].role == TensorRole::weights) names.push_back(program[id].name);
  return names;
}

std::string const plain =
    "x: input {data_field: \"samples\"}\n"
    "f: fully_connected {num_neurons: 3}\n"
    "loss: l2_norm2\n";
std::string const normalised =
    "x: input {data_field: \"samples\"}\n"
    "f: fully_connected {num_neurons: 3}\n"
    "b: batch_normalization {}\n"
    "loss: l2_norm2\n";

}  // namespace

TEST_CASE("update_state writes running statistics in training alone") {
  CHECK(weights_written(plain, "train", "update_state") == Words{});
  CHECK(weights_written(normalised, "train", "derive_backward") == Words{});
  CHECK(weights_written(normalised, "train", "update_state") ==
        Words{"b_running_mean", "b_running_variance"});
  CHECK(weights_written(normalised, "evaluate", "update_state") == Words{});
}

TEST_CASE("update_state writes running statistics with every micro-batch") {
  Words const statistics{"b_running_mean", "b_running_variance"};
  CHECK(weights_written(normalised, "accumulate", "accumulate_gradients", 4) == statistics);
}

}  // namespace lbann::compiler
