// Epilogues of sums that are known to be zero, as those of rows of a table that nothing is added
// to.
#pragma once

#include <vector>

#include "kernels/kernel.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::kernels {

/// Whether `epilogue`, that of `call` (see `bind_epilogue`), leaves each output as it is wherever
/// operand 0 is zero, provided that the other operands are finite: the update of plain SGD or of
/// AdaGrad for a row of a table that no sample has named. Each output is then an operand in the
/// same memory.
inline bool is_identity_of_first_zero(Expression const& epilogue, Call const& call) {
  ExpressionBuilder builder;
  std::vector<Term> operands{builder.constant(0)};
  for (std::size_t i = 2; i < call.inputs.size(); ++i) operands.push_back(builder.operand(i - 1));
  auto const results = builder.inlined(epilogue, operands);
  for (std::size_t o = 0; o < results.size(); ++o) {
    bool is_kept = false;
    for (std::size_t i = 2; i < call.inputs.size(); ++i)
      is_kept = is_kept || (call.inputs[i].data == call.outputs[o].data &&
                            call.inputs[i].type == call.outputs[o].type &&
                            results[o].node == operands[i - 1].node);
    if (!is_kept) return false;
  }
  return true;
}

}  // namespace lbann::kernels
