// The layer `batch_normalization`: statistics of each channel over the mini-batch.
#include "compiler/layers/normalisation/batch_normalization.hpp"

#include "compiler/initializers/constant_initializer.hpp"
#include "compiler/layers/normalisation/batch_statistics.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> batch_normalization::output_dims(
    LayerContext const& context) const {
  if (statistics_group_size > 0)
    context.report(diagnostics::statistics_group, "statistics_group_size",
                   {std::to_string(statistics_group_size)});
  return same_as_input(context);
}

std::vector<WeightsRole> batch_normalization::weights(LayerContext const& context) const {
  Dims const channels = {context.inputs[0][0]};
  auto const running = BatchStatistics::running_weights(channels);
  return {{"_scale", channels, preset(initializers::constant_initializer{1})},
          {"_bias", channels, preset<initializers::constant_initializer>()},
          running[0],
          running[1]};
}

void batch_normalization::lower(LoweringContext& lowering) const {
  BatchStatistics{decay, epsilon, !no_bessel_correction, 1, true, 2}.lower(lowering);
}

}  // namespace lbann::compiler::layers
