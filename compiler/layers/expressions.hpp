// Expressions and reductions that many layers share.
#pragma once

#include <functional>

#include "compiler/layers/layer.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::layers {

/// `function(i0, i1, ...)` of the first `operands` operands.
Expression expression_of(Function function, std::size_t operands);

/// `i0`.
Expression operand_itself();

/// `i0 + i1`.
Expression sum_of_two();

/// `value` in every entry, [batch, dims...].
TensorId filled(LoweringContext& lowering, double value, Dims const& dims);

/// `expression` of inputs [batch, dims...] reduced over `axes` of a sample, ascending, to a tensor
/// of `type` or, if none is given, of the layer's.
TensorId reduced(LoweringContext& lowering, operators::ReduceMode mode, Expression expression,
                 std::vector<TensorId> inputs, Dims const& dims,
                 std::vector<std::int64_t> const& axes, std::optional<DataType> type = {});

/// All axes of a sample from `first` on.
std::vector<std::int64_t> axes_from(Dims const& dims, std::size_t first = 0);

/// `x` times `factor`.
TensorId scaled(LoweringContext& lowering, TensorId x, double factor);

/// The sum of `expression` over the entries of each sample, [batch]. Inputs are [batch, dims...].
TensorId sum_over_sample(LoweringContext& lowering, Expression expression,
                         std::vector<TensorId> inputs, Dims const& dims);

/// The mean of `function(x - y)` over the entries of each sample of the two inputs, [batch].
TensorId mean_of_difference(LoweringContext& lowering, Function function);

/// The inputs of the layer joined by `function` from the left, in maps of as many as a map may
/// have; `each`, if given, is taken of every input x and its index first.
TensorId joined_inputs(LoweringContext& lowering, Function function,
                       std::function<Term(Term x, std::size_t index)> const& each = {});

}  // namespace lbann::compiler::layers
