// Central differences of fourth order for each entry.
#include "runtime/callbacks/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lbann::runtime {

namespace {

template <class T>
void compare(T* weights, T const* gradients, std::int64_t count, DifferenceScale scale,
             std::function<double()> const& objective,
             std::function<void(GradientEntry const&)> const& visit) {
  auto const h = scale.step;
  for (std::int64_t i = 0; i < count; ++i) {
    T const kept = weights[i];
    auto const at = [&](double steps) {
      weights[i] = static_cast<T>(static_cast<double>(kept) + steps * h);
      return objective();
    };
    auto const f2 = at(2), f1 = at(1), f_1 = at(-1), f_2 = at(-2);
    weights[i] = kept;
    GradientEntry entry;
    entry.entry = i;
    entry.value = static_cast<double>(kept);
    entry.gradient = static_cast<double>(gradients[i]);
    entry.difference = (-f2 + 8 * f1 - 8 * f_1 + f_2) / (12 * h);
    entry.wrong = is_wrong(entry.gradient, entry.difference, scale.tolerance);
    visit(entry);
  }
}

}  // namespace

DifferenceScale DifferenceScale::of(double value, double step_size, DataType type) {
  double const precision = type == DataType::f64 ? std::numeric_limits<double>::epsilon()
                                                 : std::numeric_limits<float>::epsilon();
  auto const e = std::pow(precision, 0.9);
  auto const chosen = step_size > 0 ? step_size : std::abs(value) * std::sqrt(e);
  auto const h = std::max(chosen, std::numeric_limits<double>::epsilon());
  return {h, std::pow(e * value / h + std::pow(h, 4) / 18, 0.9)};
}

double GradientEntry::error() const { return std::abs(gradient - difference); }

bool is_wrong(double gradient, double difference, double tolerance) {
  return !std::isfinite(gradient) || !std::isfinite(difference) ||
         std::abs(gradient - difference) > tolerance;
}

void compare_gradients(kernels::View const& weights, kernels::View const& gradients,
                       DifferenceScale scale, std::function<double()> const& objective,
                       std::function<void(GradientEntry const&)> const& visit) {
  auto const count = weights.elements();
  if (weights.type == DataType::f64)
    compare(weights.as<double>(), gradients.as<double>(), count, scale, objective, visit);
  else
    compare(weights.as<float>(), gradients.as<float>(), count, scale, objective, visit);
}

}  // namespace lbann::runtime
