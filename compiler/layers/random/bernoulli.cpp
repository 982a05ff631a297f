// The layer `bernoulli`: one operator.
#include "compiler/layers/random/bernoulli.hpp"

#include "compiler/layers/random/random_numbers.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> bernoulli::output_dims(LayerContext const& context) const {
  return random_dims(context, neuron_dims);
}

void bernoulli::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.output_dims(0);
  lowering.output(0, lowering.training() ? drawn(lowering, operators::Distribution::bernoulli, prob,
                                                 1, "numbers", dims)
                                         : filled(lowering, 0, dims));
}

}  // namespace lbann::compiler::layers
