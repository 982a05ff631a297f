// The initializer `uniform_initializer`: random numbers keyed by the weights' name.
#include "compiler/initializers/uniform_initializer.hpp"

namespace lbann::compiler::initializers {

Operator uniform_initializer::fill(InitContext const& context) const {
  operators::random random;
  random.distribution = operators::Distribution::uniform;
  random.first = min;
  random.second = max;
  random.key = context.key;
  random.shape = context.shape;
  random.type = context.type;
  return random;
}

}  // namespace lbann::compiler::initializers
