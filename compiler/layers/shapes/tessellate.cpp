// The layer `tessellate`: axes repeated as a whole, then cut.
#include "compiler/layers/shapes/tessellate.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> tessellate::output_dims(LayerContext const& context) const {
  auto const wanted = given_or_hinted(context, "dims", dims);
  if (!wanted) return std::nullopt;
  if (wanted->size() >= context.inputs[0].size()) return std::vector<Dims>{*wanted};
  context.report(diagnostics::dims_do_not_fit, "dims",
                 {"dims " + to_text(*wanted), std::string(context.name), to_text(context.inputs[0]),
                  "one for each axis at least"});
  return std::nullopt;
}

void tessellate::lower(LoweringContext& lowering) const {
  auto const& wanted = lowering.output_dims(0);
  auto now = lowering.input_dims(0);
  now.insert(now.begin(), wanted.size() - now.size(), 1);
  auto result = lowering.input(0);
  // The last axis first: what is repeated grows.
  for (auto axis = wanted.size(); axis-- > 0;) {
    auto const times = (wanted[axis] + now[axis] - 1) / now[axis];
    if (wanted[axis] == now[axis]) continue;
    result = repeated(lowering, result, now, axis, now[axis], times);
    if (now[axis] * times != wanted[axis])
      result = lowering.emit(operators::slice{1, {0, wanted[axis]}}, {result})[0];
    now[axis] = wanted[axis];
  }
  lowering.output(0, result);
}

}  // namespace lbann::compiler::layers
