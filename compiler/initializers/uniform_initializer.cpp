// The initializer `uniform_initializer`: random numbers keyed by the weights' name.
#include "compiler/initializers/uniform_initializer.hpp"

namespace lbann::compiler::initializers {

Operator uniform_initializer::fill(Filling const& filling) const {
  operators::random random;
  random.distribution = operators::Distribution::uniform;
  random.first = min;
  random.second = max;
  random.key = filling.key;
  random.shape = filling.shape;
  random.type = filling.type;
  return random;
}

}  // namespace lbann::compiler::initializers
