// Tests of softmax, losses, accuracies and the evaluation layer.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"

namespace lbann::compiler {

TEST_CASE("softmax and log_softmax") {
  CHECK(run_layer("softmax", {{2, 3}}).train ==
        "l.0 = softmax(x0) {minimum: 1.0842021724855044e-19}\n");
  CHECK(run_layer("softmax", {{3}}, 1, DataType::f64).train ==
        "l.0 = softmax(x0) {minimum: 1.4916681462400413e-154}\n");
  CHECK(run_layer("log_softmax", {{3}}).train == "l.0 = softmax(x0) {logarithm: true}\n");
}

TEST_CASE("losses give one number per sample") {
  for (auto const* type : {"cross_entropy", "mean_squared_error", "mean_absolute_error",
                           "categorical_accuracy", "top_k_categorical_accuracy {k: 2}"}) {
    CAPTURE(type);
    auto const good = run_layer(type, {{2, 4}, {2, 4}});
    CHECK(good.messages.empty());
    CHECK(good.outputs == std::vector<Dims>{{1}});
    CHECK(run_layer(type, {{4}, {5}}).codes == std::vector<std::string>{"unequal-inputs"});
  }
  CHECK(run_layer("cross_entropy", {{2, 4}, {2, 4}}).train ==
        "l/reduce = reduce(x0, x1) {expression: (negative(multiply(i1, log(select(equal(i1, 0), "
        "1, i0))))), shape: [batch, 2, 4], axes: [1, 2]}\n"
        "l.0 = reshape(l/reduce) {shape: [batch, 1]}\n");
  CHECK(run_layer("mean_squared_error", {{2, 4}, {2, 4}}).train ==
        "l/reduce = reduce(x0, x1) {expression: (multiply(square(subtract(i0, i1)), 0.125)), "
        "shape: [batch, 2, 4], axes: [1, 2]}\n"
        "l.0 = reshape(l/reduce) {shape: [batch, 1]}\n");
  CHECK(run_layer("mean_absolute_error", {{8}, {8}}).train ==
        "l/reduce = reduce(x0, x1) {expression: (multiply(abs(subtract(i0, i1)), 0.125)), "
        "shape: [batch, 8], axes: [1]}\n"
        "l.0 = reshape(l/reduce) {shape: [batch, 1]}\n");
  CHECK(run_layer("l1_norm", {{3}}).train ==
        "l/reduce = reduce(x0) {expression: (abs(i0)), shape: [batch, 3], axes: [1]}\n"
        "l.0 = reshape(l/reduce) {shape: [batch, 1]}\n");
  CHECK(run_layer("l2_norm2", {{3}}).train ==
        "l/reduce = reduce(x0) {expression: (square(i0)), shape: [batch, 3], axes: [1]}\n"
        "l.0 = reshape(l/reduce) {shape: [batch, 1]}\n");
}

TEST_CASE("accuracies") {
  CHECK(run_layer("categorical_accuracy", {{9}, {9}}).train ==
        "l/argmax = argmax(x0)\n"
        "l/argmax_2 = argmax(x1)\n"
        "l.0 = map(l/argmax, l/argmax_2) {expression: (equal(i0, i1)), shape: [batch, 1], types: "
        "[f32]}\n");
  CHECK(run_layer("top_k_categorical_accuracy {k: 5}", {{9}, {9}}).train ==
        "l/argmax = argmax(x1)\n"
        "l/rank = rank(x0, l/argmax)\n"
        "l.0 = map(l/rank) {expression: (less(i0, 5)), shape: [batch, 1], types: [f32]}\n");
}

TEST_CASE("evaluation") {
  CHECK(run_layer("evaluation", {{1, 1}}, 0).train ==
        "l.0 = reduce(x0) {expression: (i0), shape: [batch, 1, 1], axes: [0, 1, 2], type: "
        "f64}\n");
  auto const several = run_layer("evaluation", {{2}}, 0);
  CHECK(several.codes == std::vector<std::string>{"not-a-number"});
}

}  // namespace lbann::compiler
