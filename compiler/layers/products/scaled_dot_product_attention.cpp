// The layer `scaled_dot_product_attention`: two products of matrices for each head, a softmax
// between them.
#include "compiler/layers/products/scaled_dot_product_attention.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/passes.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::compiler::layers {

namespace {

/// [batch, l, d] as [batch, heads, l, d / heads].
TensorId split_heads(LoweringContext& lowering, std::size_t input, std::int64_t heads) {
  auto const& dims = lowering.input_dims(input);
  auto const parts =
      lowering.reshape(lowering.input(input),
                       {batch_extent, Extent{dims[0]}, Extent{heads}, Extent{dims[1] / heads}});
  return lowering.emit(operators::permute{{0, 2, 1, 3}}, {parts})[0];
}

}  // namespace

std::optional<std::vector<Dims>> scaled_dot_product_attention::output_dims(
    LayerContext const& context) const {
  auto const& inputs = context.inputs;
  for (std::size_t i = 0; i < 3; ++i)
    if (inputs[i].size() != 2) {
      context.report(diagnostics::input_axes, "",
                     {std::to_string(i), std::string(context.name), "two", to_text(inputs[i])});
      return std::nullopt;
    }
  auto const &queries = inputs[0], &keys = inputs[1], &values = inputs[2];
  auto const demand = [&](std::size_t input, Dims const& dims) {
    if (inputs[input] == dims) return true;
    context.report(
        diagnostics::input_dims, "",
        {std::to_string(input), std::string(context.name), to_text(dims), to_text(inputs[input])});
    return false;
  };
  if (!demand(1, {keys[0], queries[1]}) || !demand(2, {keys[0], values[1]})) return std::nullopt;
  for (std::size_t const i : {0, 2})
    if (inputs[i][1] % num_heads != 0) {
      context.report(diagnostics::heads_do_not_divide, "num_heads",
                     {std::to_string(num_heads), std::to_string(inputs[i][1]), std::to_string(i),
                      std::string(context.name)});
      return std::nullopt;
    }
  if (!entries({num_heads, queries[0], keys[0]})) {
    context.report(diagnostics::number_too_large, "", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{{queries[0], values[1]}};
}

void scaled_dot_product_attention::lower(LoweringContext& lowering) const {
  auto const length = lowering.input_dims(0)[0], keys = lowering.input_dims(1)[0];
  std::array<TensorId, 3> heads;
  for (std::size_t i = 0; i < 3; ++i) heads[i] = split_heads(lowering, i, num_heads);
  auto const fits =
      lowering.emit(operators::batched_matmul{false, true, {}, {}}, {heads[0], heads[1]})[0];

  ExpressionBuilder build;
  auto score = build.operand(0) *
               (1 / std::sqrt(static_cast<double>(lowering.input_dims(0)[1] / num_heads)));
  std::vector<TensorId> operands = {fits};
  if (is_causal) {
    auto const count = [&](std::int64_t extent) {
      return lowering.emit(operators::iota{extent, lowering.type()}, {})[0];
    };
    operands.push_back(lowering.reshape(count(length), {Extent{length}, Extent{1}}));
    operands.push_back(count(keys));
    auto const seen = build.apply(Function::less_equal, {build.operand(2), build.operand(1)});
    auto const hidden = build.constant(-std::numeric_limits<double>::infinity());
    score = build.apply(Function::select, {seen, score, hidden});
  }
  auto const scores = lowering.map(build.finish({score}), std::move(operands));

  operators::softmax softmax;
  softmax.axis = 3;
  auto const weights = lowering.emit(softmax, {scores})[0];
  auto const means =
      lowering.emit(operators::batched_matmul{false, false, {}, {}}, {weights, heads[2]})[0];
  lowering.output(0, lowering.emit(operators::permute{{0, 2, 1, 3}}, {means})[0]);
}

}  // namespace lbann::compiler::layers
