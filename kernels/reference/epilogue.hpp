// The map that follows a product, one element after the other, in double.
#pragma once

#include "kernels/kernel.hpp"

namespace lbann::kernels::reference {

/// Takes each element of a product to the outputs: through the epilogue, or as it is without one.
class Epilogue {
 public:
  /// Inputs of `call` from number `first_operand` on are the epilogue's beyond its first; the
  /// product has the type of the call's first input, which is also the type computed in.
  Epilogue(Expression const& expression, Call const& call, std::size_t first_operand);

  /// Element `index` of the product, in C order; calls must not overlap.
  void finish(std::int64_t index, double product);

 private:
  Expression expression_;
  DataType type_;
  std::vector<View> operands_, outputs_;
  std::vector<double> arguments_, values_;
};

}  // namespace lbann::kernels::reference
