// Random numbers of a given variance, keyed by the weights' name.
#include "compiler/initializers/variance_scaling.hpp"

#include <cmath>

namespace lbann::compiler::initializers {

namespace {

Operator draw(InitContext const& context, operators::Distribution distribution, double first,
              double second) {
  operators::random random;
  random.distribution = distribution;
  random.first = first;
  random.second = second;
  random.key = context.key;
  random.shape = context.shape;
  random.type = context.type;
  return random;
}

}  // namespace

Operator normal_with_variance(InitContext const& context, double variance) {
  return draw(context, operators::Distribution::normal, 0, std::sqrt(variance));
}

Operator uniform_with_variance(InitContext const& context, double variance) {
  auto const bound = std::sqrt(3 * variance);
  return draw(context, operators::Distribution::uniform, -bound, bound);
}

}  // namespace lbann::compiler::initializers
