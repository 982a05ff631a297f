// The layer `upsample`: entries of spatial axes repeated.
#include "compiler/layers/shapes/upsample.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> upsample::output_dims(LayerContext const& context) const {
  auto const axes = spatial_axes(context, num_dims);
  if (!axes) return std::nullopt;
  auto const factors = for_each_axis(context, "scale_factors", scale_factors, *axes);
  if (!factors) return std::nullopt;
  auto dims = context.inputs[0];
  for (std::size_t i = 0; i < *axes; ++i) {
    auto const extent = checked_product(Dims{dims[i + 1], (*factors)[i]});
    if (!extent) {
      context.report(diagnostics::number_too_large, "scale_factors", {std::string(context.name)});
      return std::nullopt;
    }
    dims[i + 1] = *extent;
  }
  return std::vector<Dims>{std::move(dims)};
}

void upsample::lower(LoweringContext& lowering) const {
  auto now = lowering.input_dims(0);
  auto result = lowering.input(0);
  // The last axis first: what is repeated grows.
  for (auto axis = now.size(); axis-- > 1;) {
    auto const factor = scale_factors.size() == 1 ? scale_factors[0] : scale_factors[axis - 1];
    if (factor == 1) continue;
    result = repeated(lowering, result, now, axis, 1, factor);
    now[axis] *= factor;
  }
  lowering.output(0, result);
}

}  // namespace lbann::compiler::layers
