// Tests of gradients accumulated over micro-batches.
#include <doctest/doctest.h>

#include <algorithm>

#include "schemas/program/distribution.hpp"
#include "tests/compiler/lowering/perceptron.hpp"
#include "tests/support/contains.hpp"

namespace lbann::compiler {

using testing::contains;

namespace {

/// A perceptron whose mini-batches are computed in micro-batches.
struct AccumulatingPerceptron : Perceptron {
  explicit AccumulatingPerceptron(std::int64_t count) {
    experiment.mini_batch_size = 8;
    experiment.accumulate = count;
  }

  Program& program() { return compilation.program; }

  /// Instructions of an entry point that write gradients.
  std::string gradients(std::string_view entry) {
    std::string text;
    for (auto const& instruction : program().entry_point(entry)->instructions)
      for (auto const id : instruction.outputs)
        if (program()[id].role == TensorRole::gradient)
          text += to_text(program(), instruction) + "\n";
    return text;
  }
};

}  // namespace

TEST_CASE("micro-batches have an entry point, whole mini-batches none") {
  auto const has = [](std::int64_t count) {
    AccumulatingPerceptron model(count);
    return std::ranges::count(model.compile(), accumulate_entry) > 0;
  };
  CHECK(has(4));
  CHECK(!has(1));
}

TEST_CASE("the gradient of a micro-batch is added to those before") {
  AccumulatingPerceptron model(4);
  model.compile("accumulate_gradients");
  auto const added = [](std::string const& prefix) {
    return "f_bias_weights/gradient = map(f_bias_weights/gradient, " + prefix +
           "f_bias_weights/gradient/micro_batch, mini_batch_size, step_samples, samples_before) "
           "{expression: (add(select(less_equal(i4, 0), 0, i0), multiply(i1, divide(i2, i3)))), "
           "shape: [3], types: [f32]}";
  };
  CHECK(contains(model.gradients("train"), added("")));
  CHECK(contains(model.gradients("accumulate"), added("accumulate/")));
  // Nothing but gradients, sums of losses and running statistics is written.
  for (auto const& instruction : model.program().entry_point(accumulate_entry)->instructions)
    for (auto const id : instruction.outputs) {
      auto const role = model.program()[id].role;
      CHECK(role != TensorRole::weights);
      CHECK(role != TensorRole::moment);
    }
}

TEST_CASE("gradients are summed over ranks with the last micro-batch alone") {
  AccumulatingPerceptron model(2);
  model.compile();
  CHECK(contains(model.gradients("train"), "all_reduce"));
  CHECK(!contains(model.gradients("accumulate"), "all_reduce"));
  REQUIRE(verify_distribution(model.program()).value_or("") == "");

  auto& train = model.program().entry_point("train")->instructions;
  auto const without_sums = [&](Instruction const& instruction) {
    return std::holds_alternative<operators::all_reduce>(instruction.op) &&
           model.program()[instruction.outputs[0]].role == TensorRole::gradient;
  };
  auto const saved = train;
  std::erase_if(train, without_sums);
  CHECK(verify_distribution(model.program()).value_or("") != "");
  train = saved;
  // The next micro-batch is added to what each rank has of its own.
  auto& accumulate = model.program().entry_point(accumulate_entry)->instructions;
  std::vector<Instruction> sums;
  for (auto const& instruction : saved)
    if (without_sums(instruction)) sums.push_back(instruction);
  accumulate.insert(accumulate.end(), sums.begin(), sums.end());
  CHECK(contains(verify_distribution(model.program()).value_or(""), "not left as it is added to"));
}

}  // namespace lbann::compiler
