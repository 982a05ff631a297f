// The layer `dist_embedding`: entries gathered from its table.
#include "compiler/layers/learned/dist_embedding.hpp"

#include "compiler/layers/learned/embedding_table.hpp"
#include "compiler/optimizers/sgd.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> dist_embedding::output_dims(LayerContext const& context) const {
  if (!sparse_sgd && learning_rate != 0)
    context.report(diagnostics::no_effect, "learning_rate",
                   {"learning_rate", "`sparse_sgd` is not set"});
  return embedding_dims(context, num_embeddings, embedding_dim);
}

std::vector<WeightsRole> dist_embedding::weights(LayerContext const&) const {
  auto table = embedding_table(num_embeddings, embedding_dim);
  if (sparse_sgd) table.optimizer = preset(optimizers::sgd{learning_rate});
  return {std::move(table)};
}

void dist_embedding::lower(LoweringContext& lowering) const { lower_embedding(lowering, -1); }

}  // namespace lbann::compiler::layers
