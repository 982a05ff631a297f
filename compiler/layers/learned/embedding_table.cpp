// Vectors of a trained table: what embedding and dist_embedding share.
#include "compiler/layers/learned/embedding_table.hpp"

#include "compiler/initializers/normal_initializer.hpp"
#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> embedding_dims(LayerContext const& context,
                                                std::int64_t num_embeddings,
                                                std::int64_t embedding_dim) {
  if (!entries({num_embeddings, embedding_dim})) {
    context.report(diagnostics::number_too_large, "num_embeddings", {std::string(context.name)});
    return std::nullopt;
  }
  auto dims = context.inputs[0];
  dims.push_back(embedding_dim);
  return std::vector<Dims>{std::move(dims)};
}

WeightsRole embedding_table(std::int64_t num_embeddings, std::int64_t embedding_dim) {
  WeightsRole table{
      "_weights", {num_embeddings, embedding_dim}, preset<initializers::normal_initializer>()};
  table.columns_first = true;
  return table;
}

void lower_embedding(LoweringContext& lowering, std::int64_t padding_idx) {
  auto indices = lowering.input(0);
  if (padding_idx >= 0) {
    ExpressionBuilder build;
    auto const index = build.operand(0);
    auto const is_padding = build.apply(
        Function::equal,
        {build.apply(Function::floor, {index}), build.constant(static_cast<double>(padding_idx))});
    indices = lowering.map(
        build.finish({build.apply(Function::select, {is_padding, build.constant(-1), index})}),
        {indices});
  }
  lowering.output(0, gathered(lowering, lowering.weights(0), indices, 0, 0));
}

}  // namespace lbann::compiler::layers
