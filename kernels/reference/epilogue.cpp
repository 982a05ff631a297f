// Rounds the product to its type, then evaluates the expression.
#include "kernels/reference/epilogue.hpp"

#include "kernels/reference/element.hpp"

namespace lbann::kernels::reference {

Epilogue::Epilogue(Expression const& expression, Call const& call, std::size_t first_operand)
    : expression_(expression),
      type_(call.inputs[0].type),
      operands_(call.inputs.begin() + static_cast<std::ptrdiff_t>(first_operand),
                call.inputs.end()),
      outputs_(call.outputs.begin(), call.outputs.end()),
      arguments_(operands_.size() + 1),
      values_(expression.nodes.size()) {}

void Epilogue::finish(std::int64_t index, double product) {
  if (expression_.empty()) return set(outputs_[0], index, product);
  arguments_[0] = rounded(product, type_);
  for (std::size_t k = 0; k < operands_.size(); ++k)
    arguments_[k + 1] =
        get(operands_[k],
            broadcast_index(operands_[k], std::span(outputs_[0].extents).first(outputs_[0].rank),
                            index));
  evaluate(expression_, type_, arguments_, values_);
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    set(outputs_[k], index, values_[expression_.outputs[k]]);
}

}  // namespace lbann::kernels::reference
