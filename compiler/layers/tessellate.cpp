// The layer `tessellate`: axes repeated as a whole, then cut.
#include "compiler/layers/tessellate.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> tessellate::output_dims(LayerContext const& context) const {
  if (dims.size() >= context.inputs[0].size()) return std::vector<Dims>{dims};
  context.complain(diagnostics::dims_do_not_fit, "dims",
                   {"dims " + to_text(dims), std::string(context.name), to_text(context.inputs[0]),
                    "one for each axis at least"});
  return std::nullopt;
}

void tessellate::lower(Lowering& lowering) const {
  auto now = lowering.input_dims(0);
  now.insert(now.begin(), dims.size() - now.size(), 1);
  auto result = lowering.input(0);
  // The last axis first: what is repeated grows.
  for (auto axis = dims.size(); axis-- > 0;) {
    auto const times = (dims[axis] + now[axis] - 1) / now[axis];
    if (dims[axis] == now[axis]) continue;
    result = repeated(lowering, result, now, axis, now[axis], times);
    if (now[axis] * times != dims[axis])
      result = lowering.emit(operators::slice{1, {0, dims[axis]}}, {result})[0];
    now[axis] = dims[axis];
  }
  lowering.output(0, result);
}

}  // namespace lbann::compiler::layers
