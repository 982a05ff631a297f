// The gradient of a mask of attention, in products and a map.
#include "schemas/operators/attention_mask.hpp"

#include "schemas/expression/function_list.hpp"
#include "schemas/operators/attention_extents.hpp"
#include "schemas/operators/list.hpp"

namespace lbann::operators {

namespace {

/// Rows [batch, rows, heads size] as matrices [batch, heads, rows, size].
TensorId by_head(BackwardContext& context, TensorId rows, std::int64_t heads) {
  auto const shape = context.type_of(rows).shape;
  auto const split = rules::reshaped(
      context, rows,
      {shape.extents[0], shape.extents[1], {heads}, {shape.extents[2].size / heads}});
  return context.emit(permute{{0, 2, 1, 3}}, {split})[0];
}

/// a b^T for each head.
TensorId products(BackwardContext& context, TensorId a, TensorId b) {
  return context.emit(batched_matmul{false, true, {}, {}}, {a, b})[0];
}

/// a . b of each row of each head: [batch, heads, rows, 1].
TensorId products_of_rows(BackwardContext& context, TensorId a, TensorId b) {
  auto const [type, shape] = context.type_of(a);
  ExpressionBuilder builder;
  auto const product = builder.finish({builder.operand(0) * builder.operand(1)});
  auto const sums = context.emit(reduce{ReduceMode::sum, product, shape, {3}, type, type}, {a, b});
  auto const& extents = shape.extents;
  return rules::reshaped(context, sums[0], {extents[0], extents[1], extents[2], {1}});
}

}  // namespace

void contribute_mask_gradient(attention const& op, BackwardContext& context) {
  auto const q = context.input(0), k = context.input(1), v = context.input(2);
  auto const type = context.type_of(q).type;
  auto const pairs = op.pairs(context.type_of(q).shape, context.type_of(k).shape);
  auto const heads = pairs.extents[1].size;
  auto const split = [&](TensorId rows) { return by_head(context, rows, heads); };
  auto const dy = split(context.output_gradient(0));
  auto const means = products_of_rows(context, dy, split(context.output(0)));
  auto const lse = rules::reshaped(context, context.output(1),
                                   {pairs.extents[0], pairs.extents[1], pairs.extents[2], {1}});
  std::vector<TensorId> operands = {q,
                                    k,
                                    v,
                                    context.input(3),
                                    products(context, split(q), split(k)),
                                    products(context, dy, split(v)),
                                    means,
                                    lse};
  ExpressionBuilder builder;
  auto const mask = builder.operand(3), score = builder.operand(4), to_weight = builder.operand(5),
             mean = builder.operand(6), shift = builder.operand(7);
  auto const weight = builder.apply(Function::exp, {score * op.scale + mask - shift});
  auto gradient = weight * (to_weight - mean);
  if (op.causal) {
    auto const places = [&](std::int64_t extent) {
      return context.emit(iota{extent, type}, {})[0];
    };
    auto const queries = pairs.extents[2].size;
    operands.push_back(rules::reshaped(context, places(queries), {{queries}, {1}}));
    operands.push_back(places(pairs.extents[3].size));
    auto const seen = builder.apply(Function::less_equal, {builder.operand(9), builder.operand(8)});
    gradient = builder.apply(Function::select, {seen, gradient, builder.constant(0)});
  }
  rules::contribute_elementwise(context, {{3, builder.finish({gradient})}}, operands, pairs, type);
}

}  // namespace lbann::operators
