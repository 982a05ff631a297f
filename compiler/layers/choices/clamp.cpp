// The layer `clamp`: what its bounds must be.
#include "compiler/layers/choices/clamp.hpp"

#include "compiler/declarations/value_text.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> clamp::output_dims(LayerContext const& context) const {
  if (min > max) {
    context.report(diagnostics::bounds_crossed, "min",
                   {"min", real_text(min), std::string(context.name), "max", real_text(max)});
    return std::nullopt;
  }
  return same_as_inputs(context);
}

}  // namespace lbann::compiler::layers
