// Tests of layers that normalise, and of statistics of samples and mini-batches.
#include <doctest/doctest.h>

#include "tests/compiler/layers/layer_case.hpp"
#include "tests/support/expected.hpp"

namespace lbann::compiler {
namespace {

using Complaints = std::vector<std::string>;

/// How often `part` stands in `text`.
int count_of(std::string_view part, std::string_view text) {
  int count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("batch_normalization") {
  auto const images = run_layer("batch_normalization", {{3, 4, 5}});
  CHECK(images.outputs == std::vector<Dims>{{3, 4, 5}});
  CHECK(tests::difference("tests/compiler/layers/normalisation_layers.expected",
                          "batch_normalization images weights", images.weights) == "");
  CHECK(count_of("moments(x0) {axes: [0, 2, 3]}", images.train) == 1);
  // In training statistics come from the mini-batch alone, in evaluation from the running ones.
  CHECK(count_of("running", images.train) == 0);
  CHECK(count_of("moments", images.evaluate) == 0);
  CHECK(count_of("l_running_mean", images.evaluate) == 1);
  CHECK(run_layer("batch_normalization", {{7}}).train.find("axes: [0]") != std::string::npos);
  CHECK(run_layer("batch_normalization {statistics_group_size: -1}", {{3}}).codes == Complaints{});
  CHECK(run_layer("batch_normalization {statistics_group_size: 2}", {{3}}).codes ==
        Complaints{"statistics-group"});
}

TEST_CASE("entrywise_batch_normalization") {
  auto const found = run_layer("entrywise_batch_normalization", {{3, 4}}, 1, DataType::f64);
  CHECK(tests::difference("tests/compiler/layers/normalisation_layers.expected",
                          "entrywise_batch_normalization found weights", found.weights) == "");
  CHECK(count_of("moments(x0) {axes: [0]}", found.train) == 1);
}

TEST_CASE("layer_norm") {
  CHECK(run_layer("layer_norm", {{3, 4}}).train.find("normalise(x0)") != std::string::npos);
  auto const last = run_layer("layer_norm {start_dim: -1, scale: true, bias: true}", {{3, 4}});
  CHECK(tests::difference("tests/compiler/layers/normalisation_layers.expected",
                          "layer_norm last weights", last.weights) == "");
  CHECK(last.train.find("normalise(x0, l_scale, l_bias) {axis: 2, scale: true, bias: true}") !=
        std::string::npos);
  CHECK(run_layer("layer_norm {bias: true}", {{3, 4}}).weights ==
        "l_bias: [3, 4] initializer constant_initializer\n");
  CHECK(run_layer("layer_norm {start_dim: 2}", {{3, 4}}).codes == Complaints{"axis-out-of-range"});
  CHECK(run_layer("layer_norm {start_dim: -3}", {{3, 4}}).codes == Complaints{"axis-out-of-range"});
}

TEST_CASE("rms_norm") {
  auto const plain = run_layer("rms_norm", {{3, 4}});
  CHECK(tests::difference("tests/compiler/layers/normalisation_layers.expected", "rms_norm",
                          plain.evaluate) == "");
  CHECK(plain.weights.empty());
  CHECK(run_layer("rms_norm {start_dim: -1, scale: true}", {{3, 4}}).weights ==
        "l_scale: [4] initializer constant_initializer {value: 1}\n");
  CHECK(run_layer("rms_norm {start_dim: 2}", {{3, 4}}).codes == Complaints{"axis-out-of-range"});
}

TEST_CASE("group_norm") {
  auto const layer = run_layer("group_norm {num_groups: 2, epsilon: 0.1}", {{4, 3, 5}});
  CHECK(layer.train.find("normalise(") != std::string::npos);
  CHECK(layer.train.find("axis: 2, epsilon: 0.1") != std::string::npos);
  CHECK(layer.weights ==
        "l_scale: [4] initializer constant_initializer {value: 1}\n"
        "l_bias: [4] initializer constant_initializer\n");
  CHECK(run_layer("group_norm {num_groups: 4, scale: false, bias: false}", {{4}}).weights.empty());
  CHECK(run_layer("group_norm {num_groups: 3}", {{4, 2}}).codes ==
        Complaints{"channels-do-not-divide"});
}

TEST_CASE("instance_norm, local_response_normalization, selu_dropout") {
  CHECK(run_layer("instance_norm {epsilon: 0.1}", {{3, 4, 5}})
            .train.find("normalise(x0) {axis: 2, epsilon: 0.1}") != std::string::npos);
  // Windows of 4 and 5 channels reach two channels to either side; none reaches beyond all.
  for (auto const* width : {"4", "5"})
    CHECK(run_layer("local_response_normalization {window_width: " + std::string(width) + "}",
                    {{6, 4, 5}})
              .train.find("window: [5, 1], stride: [1, 1], padding: [2, 0]") != std::string::npos);
  CHECK(run_layer("local_response_normalization {window_width: 9}", {{2, 3}})
            .train.find("window: [3, 1]") != std::string::npos);
  auto const dropout = run_layer("selu_dropout {keep_prob: 0.9}", {{6}});
  CHECK(count_of(" = random(", dropout.train) == 1);
  CHECK(dropout.evaluate.empty());
}

TEST_CASE("channelwise_scale_bias and entrywise_scale_bias") {
  auto const channels = run_layer("channelwise_scale_bias", {{3, 4, 5}});
  CHECK(channels.weights ==
        "l_weights: [3, 2] initializer value_initializer {values: [1, 1, 1, 0, 0, 0]} width 1\n");
  CHECK(channels.train.find("shape: [3, 1, 1]") != std::string::npos);
  auto const entries = run_layer("entrywise_scale_bias", {{2, 2}});
  CHECK(entries.weights ==
        "l_weights: [4, 2] initializer value_initializer {values: [1, 1, 1, 1, 0, 0, 0, 0]} width "
        "1\n");
}

TEST_CASE("channelwise_softmax and softmax over channels") {
  auto const train = [](std::string const& fields, Dims dims) {
    return run_layer("channelwise_softmax" + fields, {std::move(dims)}).train;
  };
  CHECK(train("", {3, 4, 5}) == "l.0 = softmax(x0) {axis: 2}\n");
  CHECK(train(" {dim: -1}", {3, 4, 5}) == "l.0 = softmax(x0) {inner: 1}\n");
  CHECK(train(" {dim: 1, single_dim_mode: true}", {3, 4, 5}) ==
        "l.0 = softmax(x0) {axis: 2, inner: 1}\n");
  CHECK(run_layer("channelwise_softmax {dim: 1}", {{3, 4, 5}}).codes == Complaints{"axis-inside"});
  CHECK(run_layer("channelwise_softmax {dim: 3}", {{3, 4, 5}}).codes ==
        Complaints{"axis-out-of-range"});
  CHECK(run_layer("softmax {softmax_mode: \"channel\"}", {{3, 4, 5}}).train.find("inner: 2") !=
        std::string::npos);
}

TEST_CASE("statistics of a sample") {
  CHECK(run_layer("channelwise_mean", {{3, 4, 5}}).outputs == std::vector<Dims>{{3}});
  CHECK(run_layer("variance", {{3, 4}}).outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("variance", {{1, 1}}).codes == Complaints{"single-entry"});
  CHECK(run_layer("variance {biased: true}", {{1, 1}}).codes == Complaints{});
  CHECK(run_layer("covariance", {{3}, {4}}).codes == Complaints{"unequal-inputs"});
  CHECK(run_layer("covariance", {{1}, {1}}).codes == Complaints{"single-entry"});
  for (auto const* mode : {"mean", "average"})
    CHECK(run_layer("reduction {mode: \"" + std::string(mode) + "\"}", {{4}})
              .train.find("multiply(i0, 0.25)") != std::string::npos);
}

TEST_CASE("multidim_reduction") {
  auto const found =
      run_layer("multidim_reduction {mode: \"product\", axes: [2, 0, 2]}", {{3, 4, 5}});
  CHECK(found.outputs == std::vector<Dims>{{4}});
  CHECK(
      found.train.find("mode: product, expression: (i0), shape: [batch, 3, 4, 5], axes: [1, 3]") !=
      std::string::npos);
  CHECK(run_layer("multidim_reduction {axes: [0, 1]}", {{3, 4}}).outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("multidim_reduction {axes: [2]}", {{3, 4}}).codes ==
        Complaints{"axis-out-of-range"});
}

TEST_CASE("cross_entropy of labels") {
  auto const found = run_layer("cross_entropy {use_labels: true}", {{3, 4}, {1, 4}});
  CHECK(found.outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("cross_entropy {use_labels: true}", {{3, 4}, {3, 4}}).codes ==
        Complaints{"labels-dims"});
}

TEST_CASE("what is known of the mini-batch") {
  CHECK(run_layer("mini_batch_size", {}).outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("mini_batch_index", {}).outputs == std::vector<Dims>{{1}});
  CHECK(run_layer("batchwise_reduce_sum", {{3, 4}}).train.find("axes: [0]") != std::string::npos);
}

}  // namespace lbann::compiler
