// Layers that are one expression: values, gradients and what happens at zeros, infinities and NaN,
// against formulas written here in the standard library's functions.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "compiler/layers/losses/binary_cross_entropy.hpp"
#include "tests/layers/layer_run.hpp"
#include "tests/layers/map_layer.hpp"

using namespace lbann;
using testing::infinity;
using testing::MapLayer;
using testing::not_a_number;
using testing::Values;

namespace {

struct Case {
  std::string declaration;
  std::size_t inputs;
  double (*value)(double const* x, double eps);  ///< eps of the type computed in
  double low = -2.5, high = 2.5;                 ///< where inputs are drawn
  /// Inputs at which it is like the formula too, each in all combinations.
  Values special = {0.0, -0.0, 0.5, 1, -1, 2, infinity, -infinity, not_a_number};
};

double inverse_error_function(double x) {
  if (!(std::fabs(x) < 1)) return std::isnan(x) ? not_a_number : std::copysign(infinity, x);
  double low = -7, high = 7;
  for (int i = 0; i < 80; ++i) (std::erf((low + high) / 2) < x ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

bool is_true(double x) { return x != 0 && !std::isnan(x); }

double binary_cross_entropy(double p, double t) {
  double y = 0;
  if (t > 0) y += -t * std::log(p);
  if (t < 1) y += -(1 - t) * std::log(1 - p);
  return y;
}

double softplus(double x) { return x > 0 ? std::log1p(std::exp(-x)) + x : std::log1p(std::exp(x)); }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

std::vector<Case> const cases = {
    {"abs", 1, [](double const* x, double) { return std::fabs(x[0]); }},
    {"negative", 1, [](double const* x, double) { return -x[0]; }},
    {"sign", 1, [](double const* x, double) { return x[0] > 0 ? 1 : x[0] < 0 ? -1 : x[0]; }},
    {"round", 1, [](double const* x, double) { return std::round(x[0]); }},
    {"ceil", 1, [](double const* x, double) { return std::ceil(x[0]); }},
    {"floor", 1, [](double const* x, double) { return std::floor(x[0]); }},
    {"reciprocal", 1, [](double const* x, double) { return 1 / x[0]; }, 0.3},
    {"safe_reciprocal", 1,
     [](double const* x, double) { return std::isfinite(1 / x[0]) ? 1 / x[0] : 0; }, 0.3},
    {"square", 1, [](double const* x, double) { return x[0] * x[0]; }},
    {"sqrt", 1, [](double const* x, double) { return std::sqrt(x[0]); }, 0.1},
    {"rsqrt", 1, [](double const* x, double) { return 1 / std::sqrt(x[0]); }, 0.3},
    {"exp", 1, [](double const* x, double) { return std::exp(x[0]); }},
    {"expm1", 1, [](double const* x, double) { return std::expm1(x[0]); }},
    {"log", 1, [](double const* x, double) { return std::log(x[0]); }, 0.1},
    {"log1p", 1, [](double const* x, double) { return std::log1p(x[0]); }, -0.7},
    {"sin", 1, [](double const* x, double) { return std::sin(x[0]); }},
    {"cos", 1, [](double const* x, double) { return std::cos(x[0]); }},
    {"tan", 1, [](double const* x, double) { return std::tan(x[0]); }, -1.2, 1.2},
    {"asin", 1, [](double const* x, double) { return std::asin(x[0]); }, -0.9, 0.9},
    {"acos", 1, [](double const* x, double) { return std::acos(x[0]); }, -0.9, 0.9},
    {"atan", 1, [](double const* x, double) { return std::atan(x[0]); }},
    {"sinh", 1, [](double const* x, double) { return std::sinh(x[0]); }},
    {"cosh", 1, [](double const* x, double) { return std::cosh(x[0]); }},
    {"tanh", 1, [](double const* x, double) { return std::tanh(x[0]); }},
    {"asinh", 1, [](double const* x, double) { return std::asinh(x[0]); }},
    {"acosh", 1, [](double const* x, double) { return std::acosh(x[0]); }, 1.1, 5},
    {"atanh", 1, [](double const* x, double) { return std::atanh(x[0]); }, -0.9, 0.9},
    {"erf", 1, [](double const* x, double) { return std::erf(x[0]); }},
    {"erf_inv", 1, [](double const* x, double) { return inverse_error_function(x[0]); }, -0.9, 0.9},
    {"logical_not", 1, [](double const* x, double) { return is_true(x[0]) ? 0.0 : 1.0; }},
    {"clamp {min: -0.5, max: 0.75}", 1,
     [](double const* x, double) {
       return std::isnan(x[0]) ? not_a_number : std::max(-0.5, std::min(0.75, x[0]));
     }},
    {"clamp", 1,
     [](double const* x, double) {
       return std::isnan(x[0]) ? not_a_number : std::max(0.0, std::min(1.0, x[0]));
     }},

    {"add", 2, [](double const* x, double) { return x[0] + x[1]; }},
    {"subtract", 2, [](double const* x, double) { return x[0] - x[1]; }},
    {"multiply", 2, [](double const* x, double) { return x[0] * x[1]; }},
    {"divide", 2, [](double const* x, double) { return x[0] / x[1]; }, 0.3},
    {"safe_divide", 2,
     [](double const* x, double) { return std::isfinite(x[0] / x[1]) ? x[0] / x[1] : 0; }, 0.3},
    {"mod", 2, [](double const* x, double) { return std::fmod(x[0], x[1]); }},
    {"pow", 2, [](double const* x, double) { return std::pow(x[0], x[1]); }, 0.3},
    {"squared_difference", 2,
     [](double const* x, double) { return (x[0] - x[1]) * (x[0] - x[1]); }},
    {"max", 2,
     [](double const* x, double) {
       return std::isnan(x[0]) || std::isnan(x[1]) ? not_a_number : std::max(x[0], x[1]);
     }},
    {"min", 2,
     [](double const* x, double) {
       return std::isnan(x[0]) || std::isnan(x[1]) ? not_a_number : std::min(x[0], x[1]);
     }},
    {"equal", 2, [](double const* x, double) { return x[0] == x[1] ? 1.0 : 0.0; }},
    {"not_equal", 2, [](double const* x, double) { return x[0] == x[1] ? 0.0 : 1.0; }},
    {"less", 2, [](double const* x, double) { return x[0] < x[1] ? 1.0 : 0.0; }},
    {"less_equal", 2, [](double const* x, double) { return x[0] <= x[1] ? 1.0 : 0.0; }},
    {"greater", 2, [](double const* x, double) { return x[0] > x[1] ? 1.0 : 0.0; }},
    {"greater_equal", 2, [](double const* x, double) { return x[0] >= x[1] ? 1.0 : 0.0; }},
    {"logical_and", 2,
     [](double const* x, double) { return is_true(x[0]) && is_true(x[1]) ? 1.0 : 0.0; }},
    {"logical_or", 2,
     [](double const* x, double) { return is_true(x[0]) || is_true(x[1]) ? 1.0 : 0.0; }},
    {"logical_xor", 2,
     [](double const* x, double) { return is_true(x[0]) != is_true(x[1]) ? 1.0 : 0.0; }},

    {"add_constant {constant: 0.75}", 1, [](double const* x, double) { return x[0] + 0.75; }},
    {"subtract_constant {constant: 0.75}", 1, [](double const* x, double) { return x[0] - 0.75; }},
    {"constant_subtract {constant: 0.75}", 1, [](double const* x, double) { return 0.75 - x[0]; }},
    {"scale {constant: -0.75}", 1, [](double const* x, double) { return -0.75 * x[0]; }},
    {"max_constant {constant: 0.5}", 1,
     [](double const* x, double) { return std::isnan(x[0]) ? not_a_number : std::max(0.5, x[0]); }},
    {"min_constant {constant: 0.5}", 1,
     [](double const* x, double) { return std::isnan(x[0]) ? not_a_number : std::min(0.5, x[0]); }},
    {"equal_constant {constant: 0.5}", 1,
     [](double const* x, double) { return x[0] == 0.5 ? 1.0 : 0.0; }},
    {"not_equal_constant {constant: 0.5}", 1,
     [](double const* x, double) { return x[0] == 0.5 ? 0.0 : 1.0; }},
    {"less_constant {constant: 0.5}", 1,
     [](double const* x, double) { return x[0] < 0.5 ? 1.0 : 0.0; }},
    {"less_equal_constant {constant: 0.5}", 1,
     [](double const* x, double) { return x[0] <= 0.5 ? 1.0 : 0.0; }},
    {"greater_constant {constant: 0.5}", 1,
     [](double const* x, double) { return x[0] > 0.5 ? 1.0 : 0.0; }},
    {"greater_equal_constant {constant: 0.5}", 1,
     [](double const* x, double) { return x[0] >= 0.5 ? 1.0 : 0.0; }},

    {"relu", 1, [](double const* x, double) { return x[0] <= 0 ? 0 : x[0]; }},
    {"leaky_relu", 1, [](double const* x, double) { return x[0] > 0 ? x[0] : 0.01 * x[0]; }},
    {"elu {alpha: 1.5}", 1,
     [](double const* x, double) { return x[0] > 0 ? x[0] : 1.5 * std::expm1(x[0]); }},
    {"selu", 1,
     [](double const* x, double) {
       return 1.0507009873554804934193349852946 *
              (x[0] > 0 ? x[0] : 1.6732632423543772848170429916717 * std::expm1(x[0]));
     }},
    {"gelu", 1,
     [](double const* x, double) {
       auto const cubic = x[0] + 0.044715 * x[0] * x[0] * x[0];
       return 0.5 * x[0] * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * cubic));
     }},
    {"silu", 1, [](double const* x, double) { return x[0] * logistic(x[0]); }},
    {"sigmoid", 1, [](double const* x, double) { return logistic(x[0]); }},
    {"sigmoid {cutoff: true}", 1,
     [](double const* x, double eps) {
       return std::isnan(x[0]) ? not_a_number : std::max(eps, std::min(1 - eps, logistic(x[0])));
     }},
    {"log_sigmoid", 1,
     [](double const* x, double) {
       return x[0] >= 0 ? -std::log1p(std::exp(-x[0])) : x[0] - std::log1p(std::exp(x[0]));
     }},
    {"softplus", 1, [](double const* x, double) { return softplus(x[0]); }},
    {"softsign", 1, [](double const* x, double) { return x[0] / (1 + std::fabs(x[0])); }},

    {"binary_cross_entropy", 2,
     [](double const* x, double) { return binary_cross_entropy(x[0], x[1]); }, 0.1, 0.9, {0, 0.5, 1}},
    {"sigmoid_binary_cross_entropy", 2,
     [](double const* x, double) {
       auto const z = std::isnan(x[1]) ? not_a_number : std::max(0.0, std::min(x[1], 1.0));
       return x[0] > 0 ? (1 - z) * x[0] + std::log1p(std::exp(-x[0]))
                       : -x[0] * z + std::log1p(std::exp(x[0]));
     }},
    {"boolean_accuracy", 2,
     [](double const* x, double) { return (x[0] >= 0.5) == (x[1] >= 0.5) ? 1.0 : 0.0; }},
    {"boolean_false_negative", 2,
     [](double const* x, double) { return !(x[0] >= 0.5) && x[1] >= 0.5 ? 1.0 : 0.0; }},
    {"boolean_false_positive", 2,
     [](double const* x, double) { return x[0] >= 0.5 && !(x[1] >= 0.5) ? 1.0 : 0.0; }},

    {"select {value: 1, epsilon: 0.75}", 3,
     [](double const* x, double) { return std::fabs(x[0] - 1) < 0.75 ? x[1] : x[2]; }},
    {"select {value: 1, constant_if_true: true, value_if_true: 7}", 2,
     [](double const* x, double) { return std::fabs(x[0] - 1) < 1e-5 ? 7 : x[1]; }},
    {"select {value: 1, epsilon: 0.75, constant_if_false: true, value_if_false: 7}", 2,
     [](double const* x, double) { return std::fabs(x[0] - 1) < 0.75 ? x[1] : 7; }},
    {"select {value: 2, constant_if_true: true, constant_if_false: true, value_if_false: -3}", 1,
     [](double const* x, double) { return std::fabs(x[0] - 2) < 1e-5 ? 0.0 : -3.0; }},

    {"hadamard", 3, [](double const* x, double) { return x[0] * x[1] * x[2]; }},
    {"sum", 3, [](double const* x, double) { return x[0] + x[1] + x[2]; }},
    {"weighted_sum {scaling_factors: [0.5, -2, 3]}", 3,
     [](double const* x, double) { return 0.5 * x[0] - 2 * x[1] + 3 * x[2]; }},
};

double epsilon_of(DataType type) {
  return type == DataType::f64 ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
}

double value_at(Case const& c, std::vector<Values> const& inputs, std::size_t e, DataType type) {
  Values x;
  for (auto const& input : inputs) x.push_back(input[e]);
  return c.value(x.data(), epsilon_of(type));
}

bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

double tolerance_of(DataType type) { return type == DataType::f64 ? 1e-12 : 4e-6; }

/// Numbers in the range of the case, rounded as f32 can hold them.
std::vector<Values> drawn(Case const& c, std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(static_cast<float>(c.low),
                                                static_cast<float>(c.high));
  std::vector<Values> inputs(c.inputs, Values(count));
  for (auto& input : inputs)
    for (auto& x : input) x = uniform(engine);
  return inputs;
}

constexpr DataType types[] = {DataType::f32, DataType::f64};

}  // namespace

TEST_CASE("values are those of the formulas") {
  for (auto const& c : cases)
    for (auto const type : types)
      for (std::int64_t const samples : {0, 1, 5}) {
        CAPTURE(c.declaration);
        MapLayer const layer(c.declaration, c.inputs, {1, 7}, type);
        auto const inputs = drawn(c, static_cast<std::size_t>(7 * samples), 3);
        auto const found = layer.output(inputs, samples);
        REQUIRE(found.size() == static_cast<std::size_t>(7 * samples));
        for (std::size_t e = 0; e < found.size(); ++e)
          CHECK(close(found[e], value_at(c, inputs, e, type), tolerance_of(type)));
      }
}

TEST_CASE("zeros, infinities and NaN are those of the formulas") {
  for (auto const& c : cases)
    for (auto const type : types) {
      CAPTURE(c.declaration);
      std::size_t count = 1;
      for (std::size_t i = 0; i < c.inputs; ++i) count *= c.special.size();
      std::vector<Values> inputs(c.inputs, Values(count));
      for (std::size_t e = 0; e < count; ++e)
        for (std::size_t i = 0, rest = e; i < c.inputs; ++i, rest /= c.special.size())
          inputs[i][e] = c.special[rest % c.special.size()];
      MapLayer const layer(c.declaration, c.inputs, {static_cast<std::int64_t>(count)}, type);
      auto const found = layer.output(inputs, 1);
      for (std::size_t e = 0; e < count; ++e) {
        auto const expected = value_at(c, inputs, e, type);
        CHECK_MESSAGE(
            close(found[e], expected, tolerance_of(type)),
            found[e] << " for " << expected << " at " << inputs[0][e] << ", " << inputs.back()[e]);
      }
    }
}

TEST_CASE("gradients are finite differences of the formulas") {
  for (auto const& c : cases)
    for (auto const type : types) {
      CAPTURE(c.declaration);
      MapLayer const layer(c.declaration, c.inputs, {9}, type);
      auto const inputs = drawn(c, 18, 11);
      auto const dy = drawn({"", 1, nullptr, -2, 2}, 18, 5)[0];
      for (std::size_t i = 0; i < c.inputs; ++i) {
        CAPTURE(i);
        auto gradient = layer.gradient(i, inputs, dy, 2);
        if (gradient.empty()) gradient.assign(18, 0);  // none passes
        double const h = 1e-5;
        auto more = inputs, less = inputs;
        for (auto& x : more[i]) x += h;
        for (auto& x : less[i]) x -= h;
        for (std::size_t e = 0; e < 18; ++e) {
          auto const slope = (value_at(c, more, e, type) - value_at(c, less, e, type)) / (2 * h);
          CHECK(close(gradient[e], slope * dy[e], type == DataType::f64 ? 1e-7 : 2e-5));
        }
      }
    }
}

namespace {

struct Edge {
  std::string declaration;
  Values inputs;
  double dy;
  Values gradients;
};

// What LBANN's formulas give where finite differences do not.
std::vector<Edge> const edges = {
    {"abs", {0}, 3, {0}},
    {"reciprocal", {0}, 0, {0}},
    {"reciprocal", {0}, 2, {-infinity}},
    {"safe_reciprocal", {0}, 2, {0}},
    {"safe_divide", {1, 0}, 2, {0, 0}},
    {"safe_divide", {not_a_number, 2}, 2, {0, 0}},
    {"safe_divide", {infinity, 2}, 2, {0, 0}},
    {"max", {2, 2}, 3, {1.5, 1.5}},
    {"min", {2, 2}, 3, {1.5, 1.5}},
    {"max_constant {constant: 2}", {2}, 3, {1.5}},
    {"min_constant {constant: 2}", {2}, 3, {1.5}},
    {"clamp", {0}, 3, {0}},
    {"clamp", {1}, 3, {0}},
    {"erf_inv", {1}, 3, {0}},
    {"erf_inv", {-2}, 3, {0}},
    {"relu", {0}, 3, {0}},
    {"leaky_relu", {0}, 2, {0.02}},
    {"elu", {0}, 3, {3}},
    {"elu", {1000}, 3, {3}},
    {"elu", {-1000}, 3, {0}},
    {"selu", {1000}, 1, {1.0507009873554804934193349852946}},
    {"sigmoid {cutoff: true}", {-50}, 3, {0}},
    {"sigmoid {cutoff: true}", {50}, 3, {0}},
    {"softplus", {0}, 3, {1.5}},
    {"softplus", {1000}, 3, {3}},
    {"softplus", {-1000}, 3, {0}},
    {"log_sigmoid", {0}, 3, {1.5}},
    {"log_sigmoid", {-1000}, 3, {3}},
    {"softsign", {-1e9}, (1 + 1e9) * (1 + 1e9), {1}},
    {"mod", {-7.5, 2}, 1, {1, 3}},
    {"acosh", {2}, std::sqrt(3.0), {1}},
    {"binary_cross_entropy", {0, 0}, 3, {3, 0}},
    {"binary_cross_entropy", {1, 1}, 3, {-3, 0}},
    {"sigmoid_binary_cross_entropy", {0, 0.25}, 4, {1, 0}},
    {"sigmoid_binary_cross_entropy", {2, 0}, 3, {3 / (1 + std::exp(-2.0)), -6}},
    {"sigmoid_binary_cross_entropy", {2, 1.5}, 3, {-3 / (1 + std::exp(2.0)), 0}},
    {"sigmoid_binary_cross_entropy", {-2, -1}, 3, {3 / (1 + std::exp(2.0)), 0}},
    {"sigmoid_binary_cross_entropy", {-1000, 1}, 3, {-3, 3000}},
    {"select {value: 1}", {1, 5, 6}, 3, {0, 3, 0}},
    {"select {value: 1}", {1.1, 5, 6}, 3, {0, 0, 3}},
    {"stop_gradient", {2}, 3, {0}},
};

}  // namespace

TEST_CASE("gradients at edges") {
  for (auto const& edge : edges) {
    CAPTURE(edge.declaration);
    MapLayer const layer(edge.declaration, edge.inputs.size(), {1}, DataType::f64);
    std::vector<Values> inputs;
    for (auto const x : edge.inputs) inputs.push_back({x});
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CAPTURE(i);
      auto const gradient = layer.gradient(i, inputs, {edge.dy}, 1);
      auto const found = gradient.empty() ? 0 : gradient[0];
      CHECK_MESSAGE(close(found, edge.gradients[i], 1e-12), found);
    }
  }
}

TEST_CASE("what stops gradients is the number itself") {
  MapLayer const layer("stop_gradient", 1, {4}, DataType::f32);
  Values const x = {1, -2, infinity, not_a_number};
  auto const found = layer.output({x}, 1);
  for (std::size_t e = 0; e < x.size(); ++e) CHECK(close(found[e], x[e], 0));
}

TEST_CASE("the binary cross entropy of a score is that of its sigmoid") {
  using layer = compiler::layers::binary_cross_entropy;
  auto const run = [](Term (*value)(Term, Term), Values const& x, Values const& y) {
    ExpressionBuilder build;
    Shape const shape{{static_cast<std::int64_t>(x.size())}};
    operators::map const map{build.finish({value(build.operand(0), build.operand(1))}),
                             shape,
                             DataType::f64,
                             {DataType::f64}};
    testing::KernelCase call(map, {{DataType::f64, shape}, {DataType::f64, shape}}, 1);
    call.set(0, x).set(1, y);
    return call.run(*testing::implementation_of(map, testing::family()))[0];
  };
  Values score, truth, probability;
  for (double const x : {-20.0, -3.0, 0.0, 0.5, 4.0})
    for (double const y : {-0.5, 0.0, 0.25, 1.0, 1.5}) {
      score.push_back(x);
      truth.push_back(y);
      probability.push_back(logistic(x));
    }
  auto const of_scores = run(&layer::value_of_score, score, truth);
  auto const of_probabilities = run(&layer::value, probability, truth);
  for (std::size_t e = 0; e < score.size(); ++e)
    CHECK(close(of_scores[e], of_probabilities[e], 1e-9));
  // Where the probability is rounded to 0 or 1.
  CHECK(run(&layer::value_of_score, {-1000, 1000}, {1, 0.25}) == Values{1000, 750});
}
