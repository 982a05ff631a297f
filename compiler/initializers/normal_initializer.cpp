// The initializer `normal_initializer`: random numbers keyed by the weights' name.
#include "compiler/initializers/normal_initializer.hpp"

namespace lbann::compiler::initializers {

Operator normal_initializer::fill(InitContext const& context) const {
  operators::random random;
  random.distribution = operators::Distribution::normal;
  random.first = mean;
  random.second = standard_deviation;
  random.key = context.key;
  random.shape = context.shape;
  random.type = context.type;
  return random;
}

}  // namespace lbann::compiler::initializers
