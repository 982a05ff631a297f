// The layer `discrete_random`: chosen entries of a list.
#include "compiler/layers/random/discrete_random.hpp"

#include "compiler/layers/random/chosen_by_probability.hpp"
#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> discrete_random::output_dims(LayerContext const& context) const {
  auto const count = static_cast<std::int64_t>(values.size());
  if (entries(context.inputs[0]) != count) {
    context.report(
        diagnostics::input_dims, "values",
        {"0", std::string(context.name), to_text(Dims{count}), to_text(context.inputs[0])});
    return std::nullopt;
  }
  if (!entries(dims)) {
    context.report(diagnostics::number_too_large, "dims", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{dims};
}

void discrete_random::lower(LoweringContext& lowering) const {
  operators::constant list;
  list.values = values;
  list.shape = Shape{{static_cast<std::int64_t>(values.size()), false}};
  list.type = lowering.type();
  auto const all = lowering.emit(std::move(list), {})[0];
  auto const indices = chosen_by_probability(lowering, *entries(dims));
  lowering.output(0, gathered(lowering, all, indices, 0, 0));
}

}  // namespace lbann::compiler::layers
