// The layer `categorical_random`: a chosen entry as a vector of zeros with a 1.
#include "compiler/layers/random/categorical_random.hpp"

#include "compiler/layers/random/chosen_by_probability.hpp"
#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> categorical_random::output_dims(
    LayerContext const& context) const {
  return same_as_input(context);
}

void categorical_random::lower(LoweringContext& lowering) const {
  auto const size = *entries(lowering.input_dims(0));
  lowering.output(0, lowering.map(expression_of(Function::equal, 2),
                                  {chosen_by_probability(lowering, 1), places(lowering, size)}));
}

}  // namespace lbann::compiler::layers
