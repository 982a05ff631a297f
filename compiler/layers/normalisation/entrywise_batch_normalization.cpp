// The layer `entrywise_batch_normalization`: statistics of each entry over the mini-batch.
#include "compiler/layers/normalisation/entrywise_batch_normalization.hpp"

#include "compiler/layers/normalisation/batch_statistics.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> entrywise_batch_normalization::output_dims(
    LayerContext const& context) const {
  return same_as_input(context);
}

std::vector<WeightsRole> entrywise_batch_normalization::weights(LayerContext const& context) const {
  return BatchStatistics::running_weights(context.inputs[0]);
}

void entrywise_batch_normalization::lower(LoweringContext& lowering) const {
  BatchStatistics{decay, epsilon, true, lowering.input_dims(0).size(), false, 0}.lower(lowering);
}

}  // namespace lbann::compiler::layers
