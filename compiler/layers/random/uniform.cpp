// The layer `uniform`: one operator.
#include "compiler/layers/random/uniform.hpp"

#include "compiler/declarations/value_text.hpp"
#include "compiler/layers/random/random_numbers.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> uniform::output_dims(LayerContext const& context) const {
  if (min > max) {
    context.report(diagnostics::bounds_crossed, "min",
                   {"min", real_text(min), std::string(context.name), "max", real_text(max)});
    return std::nullopt;
  }
  return random_dims(context, neuron_dims);
}

void uniform::lower(LoweringContext& lowering) const {
  auto const& dims = lowering.output_dims(0);
  bool const random = lowering.training() || !training_only;
  lowering.output(
      0, random ? drawn(lowering, operators::Distribution::uniform, min, max, "numbers", dims)
                : filled(lowering, min + (max - min) / 2, dims));
}

}  // namespace lbann::compiler::layers
