// The layer `gaussian`: one operator.
#include "compiler/layers/random/gaussian.hpp"

#include "compiler/layers/random/random_numbers.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> gaussian::output_dims(LayerContext const& context) const {
  return random_dims(context, neuron_dims);
}

void gaussian::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.output_dims(0);
  bool const random = lowering.training() || !training_only;
  lowering.output(
      0, random ? drawn(lowering, operators::Distribution::normal, mean, stdev, "numbers", dims)
                : filled(lowering, mean, dims));
}

}  // namespace lbann::compiler::layers
