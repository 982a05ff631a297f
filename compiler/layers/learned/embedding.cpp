// The layer `embedding`: entries gathered from its table.
#include "compiler/layers/learned/embedding.hpp"

#include "compiler/layers/learned/embedding_table.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> embedding::output_dims(LayerContext const& context) const {
  return embedding_dims(context, num_embeddings, embedding_dim);
}

std::vector<WeightsRole> embedding::weights(LayerContext const&) const {
  return {embedding_table(num_embeddings, embedding_dim)};
}

void embedding::lower(LoweringContext& lowering) const { lower_embedding(lowering, padding_idx); }

}  // namespace lbann::compiler::layers
