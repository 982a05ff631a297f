// Layers without weights against the formulas of their reference pages, written here as plain loops
// over one sample; gradients against differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tests/layers/layer_run.hpp"

using namespace lbann;
using namespace lbann::testing;

namespace {

using Sample = std::vector<Values>;  ///< the entries of each input
using Index = std::size_t;

struct FormulaCase {
  std::string declaration;
  std::vector<Dims> inputs;
  Dims output;
  std::function<Values(Sample const&)> value;
  double low = -2, high = 2;
  bool gradient = true;
};

void check(FormulaCase const& test) {
  CAPTURE(test.declaration);
  LayerRun layer(test.declaration, test.inputs);
  CHECK(layer.output_dims() == test.output);
  for (Index const samples : {0, 1, 3}) {
    CAPTURE(samples);
    Sample all;
    unsigned seed = 1;
    for (auto const& dims : test.inputs)
      all.push_back(
          random_samples(dims, static_cast<std::int64_t>(samples), seed++, test.low, test.high));
    Values expected;
    for (Index s = 0; s < samples; ++s) {
      Sample sample;
      for (Index i = 0; i < all.size(); ++i) {
        auto const size = entries(test.inputs[i]);
        auto const begin = all[i].begin() + static_cast<std::ptrdiff_t>(s) * size;
        sample.emplace_back(begin, begin + size);
      }
      auto const value = test.value(sample);
      expected.insert(expected.end(), value.begin(), value.end());
    }
    check_close(layer.output(all, static_cast<std::int64_t>(samples)), expected);
    if (samples > 0 && test.gradient)
      layer.check_gradients(all, static_cast<std::int64_t>(samples));
  }
}

double sum(Values const& x, std::function<double(double)> const& of) {
  return std::accumulate(x.begin(), x.end(), 0.0,
                         [&](double total, double each) { return total + of(each); });
}

double mean(Values const& x) {
  return sum(x, [](double v) { return v; }) / static_cast<double>(x.size());
}

/// The sum over entries of two samples.
double sum(Sample const& s, std::function<double(double, double)> const& of) {
  double total = 0;
  for (Index i = 0; i < s[0].size(); ++i) total += of(s[0][i], s[1][i]);
  return total;
}

/// y of the entries begin, begin + stride, ... of `x`, as many as `of` is given.
void over_rows(Values& y, Values const& x, Index rows, Index columns,
               std::function<Index(Index row, Index column)> const& place,
               std::function<Values(Values const&)> const& of) {
  y.resize(x.size());
  for (Index row = 0; row < rows; ++row) {
    Values line;
    for (Index c = 0; c < columns; ++c) line.push_back(x[place(row, c)]);
    auto const result = of(line);
    for (Index c = 0; c < columns; ++c) y[place(row, c)] = result[c];
  }
}

Values softmax(Values const& x) {
  auto const total = sum(x, [](double v) { return std::exp(v); });
  Values y;
  for (auto const v : x) y.push_back(std::exp(v) / total);
  return y;
}

/// (x - mean) / sqrt(variance + epsilon), the variance divided by the number of entries.
Values normalised(Values const& x, double epsilon) {
  auto const m = mean(x);
  auto const variance =
      sum(x, [&](double v) { return (v - m) * (v - m); }) / static_cast<double>(x.size());
  Values y;
  for (auto const v : x) y.push_back((v - m) / std::sqrt(variance + epsilon));
  return y;
}

Index largest(Values const& x) {
  return static_cast<Index>(std::max_element(x.begin(), x.end()) - x.begin());
}

}  // namespace

TEST_CASE("softmax, log_softmax and channelwise_softmax") {
  check({"softmax", {{2, 3}}, {2, 3}, [](Sample const& s) { return softmax(s[0]); }});
  check({"log_softmax", {{2, 3}}, {2, 3}, [](Sample const& s) {
           auto y = softmax(s[0]);
           for (auto& v : y) v = std::log(v);
           return y;
         }});
  auto const channels = [](Sample const& s) {
    Values y;
    over_rows(
        y, s[0], 5, 3, [](Index i, Index c) { return 5 * c + i; }, softmax);
    return y;
  };
  check({"softmax {softmax_mode: \"channel\"}", {{3, 5}}, {3, 5}, channels});
  check({"channelwise_softmax {dim: 0, single_dim_mode: true}", {{3, 5}}, {3, 5}, channels});
  check({"channelwise_softmax {dim: -1}", {{3, 5}}, {3, 5}, channels});
  check({"channelwise_softmax", {{5, 3}}, {5, 3}, [](Sample const& s) {
           Values y;
           over_rows(
               y, s[0], 5, 3, [](Index c, Index i) { return 3 * c + i; }, softmax);
           return y;
         }});
}

TEST_CASE("losses") {
  check({"cross_entropy",
         {{2, 3}, {2, 3}},
         {1},
         [](Sample const& s) {
           return Values{sum(s, [](double y, double t) { return -t * std::log(y); })};
         },
         0.1,
         1});
  check({"mean_squared_error", {{2, 3}, {2, 3}}, {1}, [](Sample const& s) {
           return Values{sum(s, [](double x, double y) { return (x - y) * (x - y); }) / 6};
         }});
  check({"mean_absolute_error", {{2, 3}, {2, 3}}, {1}, [](Sample const& s) {
           return Values{sum(s, [](double x, double y) { return std::fabs(x - y); }) / 6};
         }});
  check({"l1_norm", {{2, 3}}, {1}, [](Sample const& s) {
           return Values{sum(s[0], [](double x) { return std::fabs(x); })};
         }});
  check({"l2_norm2", {{2, 3}}, {1}, [](Sample const& s) {
           return Values{sum(s[0], [](double x) { return x * x; })};
         }});
}

TEST_CASE("cross_entropy of labels takes the probability of the class at each position") {
  LayerRun layer("cross_entropy {use_labels: true}", {{3, 2}, {1, 2}});
  CHECK(layer.output_dims() == Dims{1});
  Values const y = {0.2, 0.5, 0.7, 0.1, 0.4, 0.9}, labels = {2, 0.5};
  check_close(layer.output({y, labels}, 1), {-std::log(0.4) - std::log(0.5)});
}

TEST_CASE("cross_entropy with smoothed labels") {
  check({"cross_entropy {label_smoothing: 0.2}",
         {{5}, {5}},
         {1},
         [](Sample const& s) {
           return Values{
               sum(s, [](double y, double t) { return -(0.8 * t + 0.2 / 5) * std::log(y); })};
         },
         0.1,
         1});
  LayerRun layer("cross_entropy {use_labels: true, label_smoothing: 0.3}", {{3, 2}, {1, 2}});
  Values const y = {0.2, 0.5, 0.7, 0.1, 0.4, 0.9}, labels = {2, 0.5};
  auto expected = 0.7 * (-std::log(0.4) - std::log(0.5));
  for (auto const p : y) expected -= 0.1 * std::log(p);
  check_close(layer.output({y, labels}, 1), {expected});
}

TEST_CASE("accuracies") {
  check({"categorical_accuracy",
         {{5}, {5}},
         {1},
         [](Sample const& s) { return Values{largest(s[0]) == largest(s[1]) ? 1.0 : 0.0}; },
         -2,
         2,
         false});
  for (Index const k : {1, 2, 4, 5, 9})
    check({"top_k_categorical_accuracy {k: " + std::to_string(k) + "}",
           {{5}, {5}},
           {1},
           [k](Sample const& s) {
             auto const truth = s[0][largest(s[1])];
             auto const before = std::ranges::count_if(s[0], [&](double v) { return v > truth; });
             return Values{static_cast<Index>(before) < k ? 1.0 : 0.0};
           },
           -2,
           2,
           false});
  // Of equals the first is the largest.
  LayerRun equals("categorical_accuracy", {{3}, {3}});
  CHECK(equals.output({{1, 2, 2}, {0, 1, 0}}, 1) == Values{1});
  CHECK(equals.output({{1, 2, 2}, {0, 0, 1}}, 1) == Values{0});
  LayerRun top("top_k_categorical_accuracy {k: 1}", {{3}, {3}});
  CHECK(top.output({{1, 2, 2}, {0, 1, 0}}, 1) == Values{1});
  CHECK(top.output({{1, 2, 2}, {0, 0, 1}}, 1) == Values{0});
}

TEST_CASE("layer_norm, rms_norm, instance_norm, group_norm, local_response_normalization") {
  auto const rows = [](double epsilon, Index count, Index columns) {
    return [=](Sample const& s) {
      Values y;
      over_rows(
          y, s[0], count, columns, [&](Index row, Index c) { return columns * row + c; },
          [&](Values const& line) { return normalised(line, epsilon); });
      return y;
    };
  };
  check({"layer_norm", {{2, 3, 2}}, {2, 3, 2}, rows(1e-5, 1, 12)});
  check({"layer_norm {epsilon: 0.5, start_dim: 1}", {{2, 3, 2}}, {2, 3, 2}, rows(0.5, 2, 6)});
  check({"layer_norm {start_dim: -1}", {{2, 3, 2}}, {2, 3, 2}, rows(1e-5, 6, 2)});
  auto const root_mean_squares = [](double epsilon, Index count, Index columns) {
    return [=](Sample const& s) {
      Values y;
      over_rows(
          y, s[0], count, columns, [&](Index row, Index c) { return columns * row + c; },
          [&](Values line) {
            double squares = 0;
            for (auto const x : line) squares += x * x;
            for (auto& x : line) x /= std::sqrt(squares / static_cast<double>(columns) + epsilon);
            return line;
          });
      return y;
    };
  };
  check({"rms_norm", {{2, 3, 2}}, {2, 3, 2}, root_mean_squares(1e-5, 1, 12)});
  check({"rms_norm {epsilon: 0.5, start_dim: 1}",
         {{2, 3, 2}},
         {2, 3, 2},
         root_mean_squares(0.5, 2, 6)});
  check({"rms_norm {start_dim: -1}", {{5, 1}}, {5, 1}, root_mean_squares(1e-5, 5, 1)});
  check({"instance_norm {epsilon: 0.5}", {{2, 3, 2}}, {2, 3, 2}, rows(0.5, 2, 6)});
  auto const groups = [](std::string const& number) {
    return "group_norm {num_groups: " + number + ", epsilon: 0.5, scale: false, bias: false}";
  };
  check({groups("2"), {{6, 5, 1}}, {6, 5, 1}, rows(0.5, 2, 15)});
  check({groups("1"), {{3, 2}}, {3, 2}, rows(0.5, 1, 6)});
  check({groups("3"), {{6}}, {6}, rows(0.5, 3, 2)});
  for (Index const width : {1, 2, 3, 5, 20})
    check({"local_response_normalization {window_width: " + std::to_string(width) +
               ", lrn_alpha: 0.3, lrn_beta: 0.6, lrn_k: 1.5}",
           {{4, 3}},
           {4, 3},
           [width](Sample const& s) {
             Values y;
             for (Index c = 0; c < 4; ++c)
               for (Index i = 0; i < 3; ++i) {
                 double squares = 0;
                 for (Index d = 0; d < 4; ++d)
                   if ((d < c ? c - d : d - c) <= width / 2)
                     squares += s[0][3 * d + i] * s[0][3 * d + i];
                 y.push_back(s[0][3 * c + i] / std::pow(1.5 + 0.3 * squares, 0.6));
               }
             return y;
           }});
}

TEST_CASE("matmul") {
  struct Form {
    std::string fields;
    Dims a, b;
    bool transpose_a, transpose_b;
  };
  for (auto const& form :
       {Form{"", {2, 3}, {3, 4}, false, false},
        Form{" {transpose_a: true}", {3, 2}, {3, 4}, true, false},
        Form{" {transpose_b: true}", {2, 3}, {4, 3}, false, true},
        Form{" {transpose_a: true, transpose_b: true}", {3, 2}, {4, 3}, true, true}})
    for (Index const pairs : {0, 5}) {
      auto a = form.a, b = form.b;
      Dims y = {2, 4};
      for (auto* dims : {&a, &b, &y})
        if (pairs > 0) dims->insert(dims->begin(), static_cast<std::int64_t>(pairs));
      check({"matmul" + form.fields, {a, b}, y, [&form, pairs](Sample const& s) {
               Values product;
               for (Index d = 0; d < std::max<Index>(pairs, 1); ++d)
                 for (Index i = 0; i < 2; ++i)
                   for (Index j = 0; j < 4; ++j) {
                     double total = 0;
                     for (Index l = 0; l < 3; ++l)
                       total += s[0][6 * d + (form.transpose_a ? 2 * l + i : 3 * i + l)] *
                                s[1][12 * d + (form.transpose_b ? 3 * j + l : 4 * l + j)];
                     product.push_back(total);
                   }
               return product;
             }});
    }
}

TEST_CASE("scaled_dot_product_attention") {
  constexpr Index queries = 3, keys = 4, width = 4, values = 6;
  auto const run = [](Index heads, bool causal, Dims const& mask) {
    // What the mask adds to a pair: extents of 1 stand for all.
    auto const added = [=](Sample const& s, Index h, Index i, Index j) {
      if (mask.empty()) return 0.0;
      Index const place[] = {h, i, j};
      Index at = 0;
      for (Index axis = 0; axis < mask.size(); ++axis) {
        auto const extent = static_cast<Index>(mask[axis]);
        at = at * extent + (extent == 1 ? 0 : place[3 - mask.size() + axis]);
      }
      return s[3][at];
    };
    std::vector<Dims> inputs{{queries, width}, {keys, width}, {keys, values}};
    if (!mask.empty()) inputs.push_back(mask);
    check({"scaled_dot_product_attention {num_heads: " + std::to_string(heads) +
               (causal ? ", is_causal: true}" : "}"),
           inputs,
           {queries, values},
           [=](Sample const& s) {
             Values y(queries * values);
             for (Index h = 0; h < heads; ++h)
               for (Index i = 0; i < queries; ++i) {
                 Values scores;
                 for (Index j = 0; j < (causal ? i + 1 : keys); ++j) {
                   double fit = 0;
                   for (Index d = h * width / heads; d < (h + 1) * width / heads; ++d)
                     fit += s[0][width * i + d] * s[1][width * j + d];
                   scores.push_back(fit / std::sqrt(static_cast<double>(width / heads)) +
                                    added(s, h, i, j));
                 }
                 auto const weights = softmax(scores);
                 for (Index e = h * values / heads; e < (h + 1) * values / heads; ++e)
                   for (Index j = 0; j < weights.size(); ++j)
                     y[values * i + e] += weights[j] * s[2][values * j + e];
               }
             return y;
           }});
  };
  for (bool const causal : {false, true}) {
    for (Index const heads : {1, 2})
      for (Dims const& mask : {Dims{}, {queries, keys}, {1, keys}, {1, queries, 1}})
        run(heads, causal, mask);
    run(2, causal, {2, queries, keys});
  }
}

TEST_CASE("sums over grids, and pieces of them") {
  auto const total = [](Sample const& s) {
    Values y;
    for (Index i = 0; i < s[0].size(); ++i) y.push_back(s[0][i] + s[1][i]);
    return y;
  };
  check({"cross_grid_sum", {{2, 4}, {2, 4}}, {2, 4}, total});
  check({"cross_grid_sum_slice", {{2, 4}, {2, 4}}, {2, 2}, [&](Sample const& s) {
           auto const y = total(s);
           return Values{y[0], y[1], y[4], y[5]};
         }});
}

TEST_CASE("identity, reshape, concatenation and slice") {
  auto const itself = [](Sample const& s) { return s[0]; };
  check({"identity", {{2, 3}}, {2, 3}, itself});
  check({"identity_zero", {{2, 3}}, {2, 3}, itself});
  check({"split", {{2, 3}}, {2, 3}, itself});
  check({"reshape {dims: [3, -1]}", {{2, 6}}, {3, 4}, itself});
  check({"concatenation {axis: -1}", {{2, 2}, {2, 3}}, {2, 5}, [](Sample const& s) {
           return Values{s[0][0], s[0][1], s[1][0], s[1][1], s[1][2],
                         s[0][2], s[0][3], s[1][3], s[1][4], s[1][5]};
         }});
  check({"concatenation", {{1, 2}, {2, 2}}, {3, 2}, [](Sample const& s) {
           return Values{s[0][0], s[0][1], s[1][0], s[1][1], s[1][2], s[1][3]};
         }});
  check({"slice {axis: 1, slice_points: [1, 3]}", {{2, 4}}, {2, 2}, [](Sample const& s) {
           return Values{s[0][1], s[0][2], s[0][5], s[0][6]};
         }});
}

TEST_CASE("pooling") {
  for (auto const* mode : {"max", "max_deterministic", "average", "average_no_pad"})
    check({"pooling {pool_mode: \"" + std::string(mode) +
               "\", pool_dims: [3], pool_strides: [2], pool_pads: [1]}",
           {{2, 6}},
           {2, 3},
           [mode = std::string(mode)](Sample const& s) {
             Values y;
             for (Index c = 0; c < 2; ++c)
               for (Index p = 0; p < 3; ++p) {
                 Values seen;
                 for (Index k = 0; k < 3; ++k)
                   if (2 * p + k >= 1 && 2 * p + k - 1 < 6)
                     seen.push_back(s[0][6 * c + 2 * p + k - 1]);
                 y.push_back(mode.starts_with("max") ? *std::ranges::max_element(seen)
                             : mode == "average" ? mean(seen) * static_cast<double>(seen.size()) / 3
                                                 : mean(seen));
               }
             return y;
           }});
}

TEST_CASE("reductions of a sample") {
  auto const total = [](Sample const& s) { return Values{sum(s[0], [](double x) { return x; })}; };
  check({"reduction", {{2, 3}}, {1}, total});
  for (auto const* mode : {"mean", "average"})
    check({"reduction {mode: \"" + std::string(mode) + "\"}", {{2, 3}}, {1}, [](Sample const& s) {
             return Values{mean(s[0])};
           }});
  check({"channelwise_mean", {{2, 3}}, {2}, [](Sample const& s) {
           return Values{(s[0][0] + s[0][1] + s[0][2]) / 3, (s[0][3] + s[0][4] + s[0][5]) / 3};
         }});
  for (auto const* mode : {"sum", "product", "max", "min"})
    check({"multidim_reduction {mode: \"" + std::string(mode) + "\", axes: [0, 2]}",
           {{2, 3, 2}},
           {3},
           [mode = std::string(mode)](Sample const& s) {
             Values y;
             for (Index i = 0; i < 3; ++i) {
               Values const x = {s[0][2 * i], s[0][2 * i + 1], s[0][6 + 2 * i], s[0][7 + 2 * i]};
               y.push_back(mode == "sum"       ? x[0] + x[1] + x[2] + x[3]
                           : mode == "product" ? x[0] * x[1] * x[2] * x[3]
                           : mode == "max"     ? *std::ranges::max_element(x)
                                               : *std::ranges::min_element(x));
             }
             return y;
           }});
  check({"multidim_reduction {axes: [0, 1]}", {{2, 3}}, {1}, total});
}

TEST_CASE("variance and covariance") {
  for (bool const biased : {false, true}) {
    std::string const fields = biased ? " {biased: true}" : "";
    double const divisor = biased ? 6 : 5;
    check({"variance" + fields, {{2, 3}}, {1}, [=](Sample const& s) {
             auto const m = mean(s[0]);
             return Values{sum(s[0], [&](double x) { return (x - m) * (x - m); }) / divisor};
           }});
    check({"covariance" + fields, {{2, 3}, {2, 3}}, {1}, [=](Sample const& s) {
             auto const mx = mean(s[0]), my = mean(s[1]);
             return Values{sum(s, [&](double x, double y) { return (x - mx) * (y - my); }) /
                           divisor};
           }});
  }
}
