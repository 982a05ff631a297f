// Random layers: laws, what the numbers depend on, values outside of training.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/layers/layer_run.hpp"

using namespace lbann;
using namespace lbann::testing;

namespace {

double mean_of(Values const& values) {
  double sum = 0;
  for (auto const value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation_of(Values const& values) {
  auto const mean = mean_of(values);
  double sum = 0;
  for (auto const value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

LayerRun& counters(LayerRun& layer, double seed, double step, double first_sample) {
  return layer.set("seed", {seed}).set("step", {step}).set("first_sample", {first_sample});
}

}  // namespace

TEST_CASE("gaussian, uniform, bernoulli: moments and bounds") {
  std::int64_t const samples = 20;
  LayerRun gaussian("gaussian {mean: 3, stdev: 2, neuron_dims: [10, 100]}", {});
  CHECK(gaussian.output_dims() == Dims{10, 100});
  for (auto const* entry : {"train", "evaluate"}) {
    auto const drawn = counters(gaussian, 1, 2, 0).output({}, samples, entry);
    CHECK(mean_of(drawn) == doctest::Approx(3).epsilon(0.02));
    CHECK(deviation_of(drawn) == doctest::Approx(2).epsilon(0.02));
  }
  LayerRun uniform("uniform {min: -1, max: 3, neuron_dims: [1000]}", {});
  auto const drawn = counters(uniform, 1, 2, 0).output({}, samples);
  CHECK(mean_of(drawn) == doctest::Approx(1).epsilon(0.03));
  CHECK(deviation_of(drawn) == doctest::Approx(4 / std::sqrt(12)).epsilon(0.02));
  CHECK(*std::min_element(drawn.begin(), drawn.end()) >= -1);
  CHECK(*std::max_element(drawn.begin(), drawn.end()) < 3);
  LayerRun bernoulli("bernoulli {prob: 0.25, neuron_dims: [1000]}", {});
  auto const ones = counters(bernoulli, 1, 2, 0).output({}, samples);
  CHECK(mean_of(ones) == doctest::Approx(0.25).epsilon(0.05));
  CHECK(std::count(ones.begin(), ones.end(), 1) + std::count(ones.begin(), ones.end(), 0) ==
        static_cast<std::ptrdiff_t>(ones.size()));
}

TEST_CASE("random layers outside of training") {
  CHECK(LayerRun("gaussian {mean: 3, neuron_dims: [2], training_only: true}", {})
            .output({}, 2, "evaluate") == Values(4, 3));
  CHECK(LayerRun("uniform {min: 1, max: 4, neuron_dims: [2], training_only: true}", {})
            .output({}, 2, "evaluate") == Values(4, 2.5));
  CHECK(LayerRun("bernoulli {prob: 1, neuron_dims: [2]}", {}).output({}, 2, "evaluate") ==
        Values(4, 0));
  CHECK(LayerRun("categorical_random", {{3}})
            .output({{0.2, 0.5, 0.3, 0.4, 0.4, 0.2}}, 2, "evaluate") == Values{0, 1, 0, 1, 0, 0});
  CHECK(LayerRun("discrete_random {values: [-1, 7], dims: [2]}", {{2}})
            .output({{0.2, 0.8, 0.5, 0.5}}, 2, "evaluate") == Values{7, 7, -1, -1});
}

TEST_CASE("random numbers follow the seed, the step and the sample") {
  LayerRun layer("gaussian {neuron_dims: [5]}", {});
  auto const all = counters(layer, 1, 2, 0).output({}, 4);
  CHECK(counters(layer, 1, 2, 0).output({}, 4) == all);
  CHECK(counters(layer, 1, 2, 1).output({}, 3) == Values(all.begin() + 5, all.end()));
  CHECK(counters(layer, 1, 3, 0).output({}, 4) != all);
  CHECK(counters(layer, 2, 2, 0).output({}, 4) != all);
  CHECK(layer.output({}, 0).empty());
}

TEST_CASE("categorical_random and discrete_random: as often as the probabilities say") {
  std::int64_t const samples = 4000;
  Values probabilities;
  for (std::int64_t s = 0; s < samples; ++s)
    for (auto const p : {0.5, 0.0, 0.3, 0.2}) probabilities.push_back(p);
  LayerRun categorical("categorical_random", {{2, 2}});
  auto const chosen = counters(categorical, 1, 2, 0).output({probabilities}, samples);
  Values counts(4);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    CHECK((chosen[i] == 0 || chosen[i] == 1));
    counts[i % 4] += chosen[i] / static_cast<double>(samples);
  }
  CHECK(counts[0] == doctest::Approx(0.5).epsilon(0.06));
  CHECK(counts[1] == 0);
  CHECK(counts[2] == doctest::Approx(0.3).epsilon(0.08));
  CHECK(counts[0] + counts[1] + counts[2] + counts[3] == doctest::Approx(1));

  LayerRun discrete("discrete_random {values: [-1, 5, 2, 9], dims: [3, 1]}", {{4}});
  CHECK(discrete.output_dims() == Dims{3, 1});
  auto const drawn = counters(discrete, 1, 2, 0).output({probabilities}, samples);
  auto const part = [&](double value) {
    return static_cast<double>(std::count(drawn.begin(), drawn.end(), value)) /
           static_cast<double>(drawn.size());
  };
  CHECK(part(-1) == doctest::Approx(0.5).epsilon(0.04));
  CHECK(part(5) == 0);
  CHECK(part(2) == doctest::Approx(0.3).epsilon(0.06));
  CHECK(part(9) == doctest::Approx(0.2).epsilon(0.06));
}
