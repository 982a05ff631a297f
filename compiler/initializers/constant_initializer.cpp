// The initializer `constant_initializer`: a map without operands.
#include "compiler/initializers/constant_initializer.hpp"

#include "schemas/expression/builder.hpp"

namespace lbann::compiler::initializers {

Operator constant_initializer::fill(Filling const& filling) const {
  ExpressionBuilder build;
  operators::map map;
  map.expression = build.finish({build.constant(value)});
  map.shape = filling.shape;
  map.compute = filling.type;
  map.types = {filling.type};
  return map;
}

}  // namespace lbann::compiler::initializers
