// Tests of softmax, losses, accuracies and the evaluation layer.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"
#include "tests/support/expected.hpp"

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
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected", "cross_entropy",
                          run_layer("cross_entropy", {{2, 4}, {2, 4}}).train) == "");
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected", "mean_squared_error",
                          run_layer("mean_squared_error", {{2, 4}, {2, 4}}).train) == "");
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected", "mean_absolute_error",
                          run_layer("mean_absolute_error", {{8}, {8}}).train) == "");
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected", "l1_norm",
                          run_layer("l1_norm", {{3}}).train) == "");
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected", "l2_norm2",
                          run_layer("l2_norm2", {{3}}).train) == "");
}

TEST_CASE("cross_entropy with smoothed labels") {
  CHECK(tests::difference(
            "tests/compiler/layers/loss_layers.expected", "cross_entropy {label_smoothing: 0.25}",
            run_layer("cross_entropy {label_smoothing: 0.25}", {{4}, {4}}).train) == "");
  CHECK(run_layer("cross_entropy {label_smoothing: 0.25}", {{2, 4}, {2, 4}}).codes ==
        std::vector<std::string>{"smoothing-dims"});
  CHECK(run_layer("cross_entropy {label_smoothing: 0.25, use_labels: true}", {{2, 4}, {1, 4}})
            .codes.empty());
}

TEST_CASE("accuracies") {
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected", "categorical_accuracy",
                          run_layer("categorical_accuracy", {{9}, {9}}).train) == "");
  CHECK(tests::difference("tests/compiler/layers/loss_layers.expected",
                          "top_k_categorical_accuracy {k: 5}",
                          run_layer("top_k_categorical_accuracy {k: 5}", {{9}, {9}}).train) == "");
}

TEST_CASE("evaluation") {
  CHECK(run_layer("evaluation", {{1, 1}}, 0).train ==
        "l.0 = reduce(x0) {expression: (i0), shape: [batch, 1, 1], axes: [0, 1, 2], type: "
        "f64}\n");
  auto const several = run_layer("evaluation", {{2}}, 0);
  CHECK(several.codes == std::vector<std::string>{"not-a-number"});
}

}  // namespace lbann::compiler
