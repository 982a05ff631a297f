// Layers with weights, and those that see the mini-batch, against the formulas of their reference
// pages, written here as plain loops; gradients of inputs and weights against differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "tests/layers/layer_run.hpp"

using namespace lbann;
using namespace lbann::testing;

namespace {

using Index = std::size_t;
using Weights = std::map<std::string, Values>;

/// Checks the layer with these weights against `value`, which is given the entries of one sample of
/// each input and the weights.
void check(std::string const& declaration, std::vector<Dims> const& inputs, Dims const& output,
           std::map<std::string, Index> const& sizes,
           std::function<Values(std::vector<Values> const&, Weights const&)> const& value) {
  CAPTURE(declaration);
  LayerRun layer(declaration, inputs);
  CHECK(layer.output_dims() == output);
  Weights weights;
  unsigned seed = 31;
  for (auto const& [name, size] : sizes) {
    weights[name] = random_values(size, seed++);
    layer.set(name, weights[name]);
  }
  for (Index const samples : {0, 1, 3}) {
    CAPTURE(samples);
    std::vector<Values> all(inputs.size());
    Values expected;
    for (Index s = 0; s < samples; ++s) {
      std::vector<Values> sample;
      for (Index i = 0; i < inputs.size(); ++i) {
        sample.push_back(random_samples(inputs[i], 1, static_cast<unsigned>(7 * s + i)));
        all[i].insert(all[i].end(), sample[i].begin(), sample[i].end());
      }
      auto const y = value(sample, weights);
      expected.insert(expected.end(), y.begin(), y.end());
    }
    check_close(layer.output(all, static_cast<std::int64_t>(samples)), expected);
    if (samples > 0) layer.check_gradients(all, static_cast<std::int64_t>(samples));
  }
}

/// y = W x + b for rows of x, W [outputs, inputs], or [inputs, outputs] if `transpose`.
Values affine(Values const& x, Values const& w, Values const& b, Index inputs, Index outputs,
              bool transpose) {
  Values y;
  for (Index row = 0; row < x.size() / inputs; ++row)
    for (Index o = 0; o < outputs; ++o) {
      double total = b.empty() ? 0 : b[o];
      for (Index i = 0; i < inputs; ++i)
        total += w[transpose ? outputs * i + o : inputs * o + i] * x[inputs * row + i];
      y.push_back(total);
    }
  return y;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("fully_connected and channelwise_fully_connected") {
  for (bool const transpose : {false, true})
    for (bool const bias : {false, true}) {
      auto const with = [&](std::string const& name) {
        return name + ": " + (bias ? "true" : "false") +
               ", transpose: " + (transpose ? "true}" : "false}");
      };
      auto const of = [=](Index inputs, Index outputs) {
        return [=](std::vector<Values> const& x, Weights const& weights) {
          return affine(x[0], weights.at("l_linearity_weights"),
                        bias ? weights.at("l_bias_weights") : Values{}, inputs, outputs, transpose);
        };
      };
      auto const sizes = [&](Index inputs, Index outputs) {
        std::map<std::string, Index> all = {{"l_linearity_weights", inputs * outputs}};
        if (bias) all["l_bias_weights"] = outputs;
        return all;
      };
      check("fully_connected {num_neurons: 4, " + with("has_bias"), {{2, 3}}, {4}, sizes(6, 4),
            of(6, 4));
      check("channelwise_fully_connected {output_channel_dims: [2, 2], " + with("bias"),
            {{5, 1, 3}}, {5, 2, 2}, sizes(3, 4), of(3, 4));
    }
}

TEST_CASE("convolution: strides, padding, dilation and groups") {
  struct Form {
    std::string fields;
    Index stride, padding, dilation, groups, positions;
  };
  // Four channels of 7 entries, kernels of 3 taps, six channels of the output.
  for (auto const& form :
       {Form{"", 1, 0, 1, 1, 5}, Form{", stride: [2], padding: [1]", 2, 1, 1, 1, 4},
        Form{", padding: [2], dilation: [2]", 1, 2, 2, 1, 7},
        Form{", stride: [3], padding: [1], groups: 2", 3, 1, 1, 2, 3}}) {
    auto const seen = 4 / form.groups;
    check("convolution {out_channels: 6, kernel_size: [3]" + form.fields + "}", {{4, 7}},
          {6, static_cast<std::int64_t>(form.positions)},
          {{"l_kernel", 6 * seen * 3}, {"l_bias", 6}},
          [&](std::vector<Values> const& x, Weights const& weights) {
            Values y;
            for (Index o = 0; o < 6; ++o)
              for (Index p = 0; p < form.positions; ++p) {
                double total = weights.at("l_bias")[o];
                auto const first = o / (6 / form.groups) * seen;
                for (Index c = 0; c < seen; ++c)
                  for (Index k = 0; k < 3; ++k) {
                    auto const at = form.stride * p + form.dilation * k;
                    if (at >= form.padding && at - form.padding < 7)
                      total += weights.at("l_kernel")[(o * seen + c) * 3 + k] *
                               x[0][7 * (first + c) + at - form.padding];
                  }
                y.push_back(total);
              }
            return y;
          });
  }
}

TEST_CASE("deconvolution: strides, padding, dilation, groups and output_padding") {
  struct Form {
    std::string fields;
    Index stride, padding, dilation, groups, extra;
  };
  // Four channels of 5 entries, kernels of 3 taps, six channels of the output.
  for (auto const& form :
       {Form{"", 1, 0, 1, 1, 0},
        Form{", stride: [2], padding: [1], output_padding: [1]", 2, 1, 1, 1, 1},
        Form{", dilation: [2]", 1, 0, 2, 1, 0}, Form{", stride: [2], groups: 2", 2, 0, 1, 2, 0}}) {
    auto const extent = 4 * form.stride + form.dilation * 2 + 1 - 2 * form.padding + form.extra;
    auto const given = 6 / form.groups;
    check("deconvolution {out_channels: 6, kernel_size: [3]" + form.fields + "}", {{4, 5}},
          {6, static_cast<std::int64_t>(extent)}, {{"l_kernel", 4 * given * 3}, {"l_bias", 6}},
          [&](std::vector<Values> const& x, Weights const& weights) {
            Values y;
            for (Index o = 0; o < 6; ++o) y.insert(y.end(), extent, weights.at("l_bias")[o]);
            for (Index c = 0; c < 4; ++c)
              for (Index q = 0; q < 5; ++q)
                for (Index o = 0; o < given; ++o)
                  for (Index k = 0; k < 3; ++k) {
                    auto const at = form.stride * q + form.dilation * k;
                    if (at < form.padding || at - form.padding >= extent) continue;
                    auto const channel = c / (4 / form.groups) * given + o;
                    y[extent * channel + at - form.padding] +=
                        weights.at("l_kernel")[(c * given + o) * 3 + k] * x[0][5 * c + q];
                  }
            return y;
          });
  }
}

TEST_CASE("lstm: stacked layers, gates input, forget, new, output; states given or 0") {
  constexpr Index steps = 3, inputs = 2, hidden = 4;
  for (Index const layers : {1, 2})
    for (bool const given : {false, true}) {
      std::map<std::string, Index> sizes;
      for (Index l = 0; l < layers; ++l) {
        auto const n = "_l" + std::to_string(l);
        sizes["l_ih_matrix" + n] = 4 * hidden * (l == 0 ? inputs : hidden);
        sizes["l_hh_matrix" + n] = 4 * hidden * hidden;
        sizes["l_ih_bias" + n] = sizes["l_hh_bias" + n] = 4 * hidden;
      }
      Dims const first{static_cast<std::int64_t>(layers), hidden};
      std::vector<Dims> dims = {{steps, inputs}};
      if (given) dims.insert(dims.end(), {first, first});
      check("lstm {hidden_size: 4, num_layers: " + std::to_string(layers) +
                (given ? ", output_cells: true}" : "}"),
            dims, {steps, static_cast<std::int64_t>(given ? 2 * hidden : hidden)}, sizes,
            [&](std::vector<Values> const& x, Weights const& weights) {
              auto sequence = x[0];
              Values with_cells;
              for (Index l = 0; l < layers; ++l) {
                auto const n = "_l" + std::to_string(l);
                auto const width = l == 0 ? inputs : hidden;
                Values h(hidden), c(hidden), states;
                with_cells.clear();
                for (Index i = 0; given && i < hidden; ++i) {
                  h[i] = x[1][l * hidden + i];
                  c[i] = x[2][l * hidden + i];
                }
                for (Index t = 0; t < steps; ++t) {
                  Values const now(sequence.begin() + static_cast<std::ptrdiff_t>(t * width),
                                   sequence.begin() + static_cast<std::ptrdiff_t>((t + 1) * width));
                  auto const p = affine(now, weights.at("l_ih_matrix" + n),
                                        weights.at("l_ih_bias" + n), width, 4 * hidden, false);
                  auto const q = affine(h, weights.at("l_hh_matrix" + n),
                                        weights.at("l_hh_bias" + n), hidden, 4 * hidden, false);
                  auto const gate = [&](Index which, Index i) {
                    return p[which * hidden + i] + q[which * hidden + i];
                  };
                  for (Index i = 0; i < hidden; ++i) {
                    c[i] = sigmoid(gate(1, i)) * c[i] + sigmoid(gate(0, i)) * std::tanh(gate(2, i));
                    h[i] = sigmoid(gate(3, i)) * std::tanh(c[i]);
                  }
                  states.insert(states.end(), h.begin(), h.end());
                  with_cells.insert(with_cells.end(), h.begin(), h.end());
                  with_cells.insert(with_cells.end(), c.begin(), c.end());
                }
                sequence = states;
              }
              return given ? with_cells : sequence;
            });
    }
}

TEST_CASE("gru: stacked layers, gates reset, update, new") {
  constexpr Index steps = 3, inputs = 2, hidden = 4;
  for (Index const layers : {1, 2}) {
    std::map<std::string, Index> sizes;
    for (Index l = 0; l < layers; ++l) {
      auto const n = "_l" + std::to_string(l);
      sizes["l_ih_matrix" + n] = 3 * hidden * (l == 0 ? inputs : hidden);
      sizes["l_hh_matrix" + n] = 3 * hidden * hidden;
      sizes["l_ih_bias" + n] = sizes["l_hh_bias" + n] = 3 * hidden;
    }
    check("gru {hidden_size: 4, num_layers: " + std::to_string(layers) + "}",
          {{steps, inputs}, {static_cast<std::int64_t>(layers), hidden}}, {steps, hidden}, sizes,
          [&](std::vector<Values> const& x, Weights const& weights) {
            auto sequence = x[0];
            for (Index l = 0; l < layers; ++l) {
              auto const n = "_l" + std::to_string(l);
              auto const width = l == 0 ? inputs : hidden;
              Values h(x[1].begin() + static_cast<std::ptrdiff_t>(l * hidden),
                       x[1].begin() + static_cast<std::ptrdiff_t>((l + 1) * hidden));
              Values states;
              for (Index t = 0; t < steps; ++t) {
                Values const now(sequence.begin() + static_cast<std::ptrdiff_t>(t * width),
                                 sequence.begin() + static_cast<std::ptrdiff_t>((t + 1) * width));
                auto const p = affine(now, weights.at("l_ih_matrix" + n),
                                      weights.at("l_ih_bias" + n), width, 3 * hidden, false);
                auto const q = affine(h, weights.at("l_hh_matrix" + n), weights.at("l_hh_bias" + n),
                                      hidden, 3 * hidden, false);
                for (Index i = 0; i < hidden; ++i) {
                  auto const r = sigmoid(p[i] + q[i]);
                  auto const z = sigmoid(p[hidden + i] + q[hidden + i]);
                  auto const fresh = std::tanh(p[2 * hidden + i] + r * q[2 * hidden + i]);
                  h[i] = (1 - z) * fresh + z * h[i];
                }
                states.insert(states.end(), h.begin(), h.end());
              }
              sequence = states;
            }
            return sequence;
          });
  }
}

TEST_CASE(
    "channelwise_scale_bias, entrywise_scale_bias, layer_norm, group_norm, rms_norm with weights") {
  check("channelwise_scale_bias", {{2, 3}}, {2, 3}, {{"l_weights", 4}},
        [](std::vector<Values> const& x, Weights const& weights) {
          auto const& w = weights.at("l_weights");
          auto y = x[0];
          for (Index i = 0; i < 6; ++i) y[i] = w[2 * (i / 3)] * y[i] + w[2 * (i / 3) + 1];
          return y;
        });
  check("entrywise_scale_bias", {{2, 3}}, {2, 3}, {{"l_weights", 12}},
        [](std::vector<Values> const& x, Weights const& weights) {
          auto const& w = weights.at("l_weights");
          auto y = x[0];
          for (Index i = 0; i < 6; ++i) y[i] = w[2 * i] * y[i] + w[2 * i + 1];
          return y;
        });
  check("layer_norm {scale: true, bias: true, start_dim: 1}", {{2, 3}}, {2, 3},
        {{"l_scale", 3}, {"l_bias", 3}}, [](std::vector<Values> const& x, Weights const& weights) {
          Values y;
          for (Index row = 0; row < 2; ++row) {
            double mean = 0, variance = 0;
            for (Index i = 0; i < 3; ++i) mean += x[0][3 * row + i] / 3;
            for (Index i = 0; i < 3; ++i) variance += std::pow(x[0][3 * row + i] - mean, 2) / 3;
            for (Index i = 0; i < 3; ++i)
              y.push_back(weights.at("l_scale")[i] * (x[0][3 * row + i] - mean) /
                              std::sqrt(variance + 1e-5) +
                          weights.at("l_bias")[i]);
          }
          return y;
        });
  check("group_norm {num_groups: 2}", {{4, 3}}, {4, 3}, {{"l_scale", 4}, {"l_bias", 4}},
        [](std::vector<Values> const& x, Weights const& weights) {
          Values y;
          for (Index channel = 0; channel < 4; ++channel) {
            auto const first = 6 * (channel / 2);
            double mean = 0, variance = 0;
            for (Index i = 0; i < 6; ++i) mean += x[0][first + i] / 6;
            for (Index i = 0; i < 6; ++i) variance += std::pow(x[0][first + i] - mean, 2) / 6;
            for (Index i = 0; i < 3; ++i)
              y.push_back(weights.at("l_scale")[channel] * (x[0][3 * channel + i] - mean) /
                              std::sqrt(variance + 1e-5) +
                          weights.at("l_bias")[channel]);
          }
          return y;
        });
  check("rms_norm {scale: true, start_dim: 1}", {{2, 3}}, {2, 3}, {{"l_scale", 3}},
        [](std::vector<Values> const& x, Weights const& weights) {
          Values y;
          for (Index row = 0; row < 2; ++row) {
            double squares = 0;
            for (Index i = 0; i < 3; ++i) squares += std::pow(x[0][3 * row + i], 2) / 3;
            for (Index i = 0; i < 3; ++i)
              y.push_back(weights.at("l_scale")[i] * x[0][3 * row + i] / std::sqrt(squares + 1e-5));
          }
          return y;
        });
}

TEST_CASE("batch_normalization and entrywise_batch_normalization") {
  constexpr Index channels = 2, positions = 3, size = channels * positions;
  struct Form {
    std::string declaration;
    bool entrywise, bessel;
  };
  for (auto const& form :
       {Form{"batch_normalization {epsilon: 0.01}", false, true},
        Form{"batch_normalization {epsilon: 0.01, no_bessel_correction: true}", false, false},
        Form{"entrywise_batch_normalization {epsilon: 0.01}", true, true}}) {
    CAPTURE(form.declaration);
    LayerRun layer(form.declaration, {{channels, positions}});
    CHECK(layer.output_dims() == Dims{channels, positions});
    auto const kept = form.entrywise ? size : channels;
    auto const scale = random_values(channels, 3), bias = random_values(channels, 4);
    auto const running_mean = random_values(kept, 5),
               running_variance = random_values(kept, 6, 1, 2);
    if (!form.entrywise) layer.set("l_scale", scale).set("l_bias", bias);
    layer.set("l_running_mean", running_mean).set("l_running_variance", running_variance);
    for (Index const samples : {1, 2, 5}) {
      CAPTURE(samples);
      auto const x = random_values(samples * size, 7);
      auto const group = [&](Index i) { return form.entrywise ? i % size : i % size / positions; };
      Values mean(kept), variance(kept), trained, evaluated;
      auto const count = static_cast<double>(samples * size / kept);
      for (Index i = 0; i < x.size(); ++i) mean[group(i)] += x[i] / count;
      for (Index i = 0; i < x.size(); ++i)
        variance[group(i)] +=
            std::pow(x[i] - mean[group(i)], 2) / (form.bessel ? std::max(count - 1, 1.0) : count);
      for (Index i = 0; i < x.size(); ++i) {
        auto const c = group(i), channel = i % size / positions;
        auto const v = count == 1 ? 1 : std::max(variance[c], 0.01);
        auto const finish = [&](double y) {
          return form.entrywise ? y : scale[channel] * y + bias[channel];
        };
        trained.push_back(finish((x[i] - mean[c]) / std::sqrt(v + 0.01)));
        evaluated.push_back(
            finish((x[i] - running_mean[c]) / std::sqrt(running_variance[c] + 0.01)));
      }
      check_close(layer.output({x}, static_cast<std::int64_t>(samples), "evaluate"), evaluated);
      check_close(layer.output({x}, static_cast<std::int64_t>(samples)), trained, 1e-11);
      if (samples > 1) layer.check_gradients({x}, static_cast<std::int64_t>(samples));
    }
  }
}

TEST_CASE("batchwise_reduce_sum gives each sample the sum over all") {
  LayerRun layer("batchwise_reduce_sum", {{2}});
  check_close(layer.output({{1, 2, 10, 20, 100, 200}}, 3), {111, 222, 111, 222, 111, 222});
  layer.check_gradients({random_values(6, 1)}, 3);
}

TEST_CASE("dropout and selu_dropout drop in training alone") {
  auto const x = random_values(3000, 1, 0.5, 2);
  for (auto const* declaration : {"dropout {keep_prob: 0.8}", "selu_dropout {keep_prob: 0.8}"}) {
    CAPTURE(declaration);
    LayerRun layer(declaration, {{1000}});
    layer.set("seed", {1}).set("step", {2});
    CHECK(layer.output({x}, 3, "evaluate") == x);
    auto const y = layer.output({x}, 3);
    // What becomes of a kept entry and of a dropped one.
    bool const selu = std::string_view(declaration).starts_with("selu");
    auto const s = -1.0507009873554805 * 1.6732632423543772;
    auto const a = selu ? 1 / std::sqrt(0.8 + s * s * 0.8 * 0.2) : 1 / 0.8;
    auto const b = selu ? -a * s * 0.2 : 0;
    Index kept = 0;
    for (Index i = 0; i < x.size(); ++i) {
      bool const keeps = std::fabs(y[i] - (a * x[i] + b)) < 1e-12;
      bool const drops = std::fabs(y[i] - (selu ? a * s + b : 0)) < 1e-12;
      CHECK(keeps != drops);
      kept += keeps ? 1 : 0;
    }
    CHECK(std::abs(static_cast<double>(kept) - 2400) < 100);
    layer.check_gradients({x}, 3);
  }
}

TEST_CASE("mini_batch_size and mini_batch_index") {
  LayerRun size("mini_batch_size", {});
  CHECK(size.output({}, 3) == Values{3, 3, 3});
  LayerRun index("mini_batch_index", {});
  CHECK(index.output({}, 3) == Values{0, 1, 2});
  CHECK(index.set("first_sample", {8}).output({}, 4) == Values{0, 1, 2, 3});
}

TEST_CASE("rowwise_weights_norms") {
  LayerRun layer("rowwise_weights_norms", {}, DataType::f64, "given m hint u",
                 "layer c: constant {num_neurons: [4]} -> u\n"
                 "layer u: fully_connected {num_neurons: 3, has_bias: false} (c) -> d given m\n"
                 "layer d: dummy (u)\n"
                 "weights m: []\n");
  CHECK(layer.output_dims() == Dims{3});
  auto const m = random_values(12, 1);
  Values expected;
  for (int sample = 0; sample < 2; ++sample)
    for (Index row = 0; row < 3; ++row) {
      double squares = 0;
      for (Index i = 0; i < 4; ++i) squares += m[4 * row + i] * m[4 * row + i];
      expected.push_back(std::sqrt(squares));
    }
  layer.set("m", m);
  check_close(layer.output({}, 2), expected);
  layer.check_gradients({}, 2);
}

TEST_CASE("constant") {
  CHECK(LayerRun("constant {value: 2.5, num_neurons: [2, 3]}", {}).output({}, 2) ==
        Values(12, 2.5));
}
