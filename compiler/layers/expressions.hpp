// Expressions and reductions that many layers share.
#pragma once

#include "compiler/layers/layer.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/functions/list.hpp"

namespace lbann::compiler::layers {

/// `function(i0, i1, ...)` of the first `operands` operands.
Expression expression_of(Function function, std::size_t operands);

/// `i0`.
Expression operand_itself();

/// `i0 + i1`.
Expression sum_of_two();

/// The sum of `expression` over the entries of each sample, [batch]. Inputs are [batch, dims...].
TensorId sum_over_sample(Lowering& lowering, Expression expression, std::vector<TensorId> inputs,
                         Dims const& dims);

}  // namespace lbann::compiler::layers
