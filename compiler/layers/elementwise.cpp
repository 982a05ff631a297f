// What all elementwise layers share, whatever their type.
#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers::detail {

Expression expression_of(Term (*value)(void const* layer, std::span<Term const> terms,
                                       DataType computed_in),
                         void const* layer, std::size_t operands, DataType computed_in) {
  ExpressionBuilder build;
  std::vector<Term> terms;
  for (std::size_t i = 0; i < operands; ++i) terms.push_back(build.operand(i));
  return build.finish({value(layer, terms, computed_in)});
}

void lower_to_map(LoweringContext& lowering, Expression expression, std::size_t operands) {
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < operands; ++i) inputs.push_back(lowering.input(i));
  lowering.output(0, lowering.map(std::move(expression), std::move(inputs)));
}

}  // namespace lbann::compiler::layers::detail
