// The map that follows a product, one element after the other.
#pragma once

#include "kernels/reference/element.hpp"

namespace lbann::kernels::reference {

/// Takes each element of a product to the outputs: through the epilogue, or as it is without one.
template <class Number>
class Epilogue {
 public:
  /// Inputs of `call` from number `first_operand` on are the epilogue's beyond its first; the
  /// product has the type that the call's first input is computed in, as the expression.
  Epilogue(Expression const& expression, Call const& call, std::size_t first_operand)
      : expression_(expression),
        type_(compute_type_of(call.inputs[0].type)),
        operands_(call.inputs.begin() + static_cast<std::ptrdiff_t>(first_operand),
                  call.inputs.end()),
        outputs_(call.outputs.begin(), call.outputs.end()),
        arguments_(operands_.size() + 1),
        values_(expression.nodes.size()) {}

  /// Element `index` of the product, in C order; calls must not overlap.
  void finish(std::int64_t index, Number product) {
    if (expression_.empty()) return set(outputs_[0], index, product);
    // The product is rounded to its type before the expression sees it.
    arguments_[0] = Number(rounded(static_cast<double>(product), type_));
    auto const shape = std::span(outputs_[0].extents).first(outputs_[0].rank);
    for (std::size_t k = 0; k < operands_.size(); ++k)
      arguments_[k + 1] = get<Number>(operands_[k], broadcast_index(operands_[k], shape, index));
    evaluate<Number>(expression_, type_, arguments_, values_);
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      set(outputs_[k], index, values_[expression_.outputs[k]]);
  }

 private:
  Expression expression_;
  DataType type_;
  std::vector<View> operands_, outputs_;
  std::vector<Number> arguments_, values_;
};

}  // namespace lbann::kernels::reference
