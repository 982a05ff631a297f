// The layer `reshape`: the same entries under other dims, nothing moves.
#include "compiler/layers/shapes/reshape.hpp"

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> reshape::output_dims(LayerContext const& context) const {
  auto const available = entries(context.inputs[0]);
  if (dims.empty() && context.given_dims) return std::vector<Dims>{*context.given_dims};
  Dims result = dims;
  std::size_t unknown = 0;
  Dims known;
  for (auto const extent : dims) extent > 0 ? known.push_back(extent) : void(++unknown);
  auto const product = checked_product(known);
  if (available && product && unknown == 1 && *available % *product == 0) {
    for (auto& extent : result)
      if (extent <= 0) extent = *available / *product;
  } else if (!available || product != available || unknown != 0) {
    context.report(diagnostics::reshape_size, "dims",
                   {to_text(dims), to_text(context.inputs[0]), std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{result};
}

void reshape::lower(LoweringContext& lowering) const { lowering.output(0, lowering.input(0)); }

}  // namespace lbann::compiler::layers
