// The initializer `constant_initializer`: a map without operands.
#include "compiler/initializers/constant_initializer.hpp"

#include "schemas/expression/builder.hpp"

namespace lbann::compiler::initializers {

Operator constant_initializer::fill(InitContext const& context) const {
  ExpressionBuilder build;
  operators::map map;
  map.expression = build.finish({build.constant(value)});
  map.shape = context.shape;
  map.compute = context.type;
  map.types = {context.type};
  return map;
}

}  // namespace lbann::compiler::initializers
