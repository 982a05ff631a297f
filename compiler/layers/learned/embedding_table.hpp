// Vectors of a trained table: what embedding and dist_embedding share.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// One output: the dims of the indices, then `embedding_dim`.
std::optional<std::vector<Dims>> embedding_dims(LayerContext const& context,
                                                std::int64_t num_embeddings,
                                                std::int64_t embedding_dim);

/// The table [num_embeddings, embedding_dim]: normal with mean 0 and deviation 1.
WeightsRole embedding_table(std::int64_t num_embeddings, std::int64_t embedding_dim);

/// Looks the indices up; `padding_idx` as an index that names nothing, -1 for none.
void lower_embedding(LoweringContext& lowering, std::int64_t padding_idx);

}  // namespace lbann::compiler::layers
