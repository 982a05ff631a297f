// The layer `crop`: entries gathered along each axis.
#include "compiler/layers/shapes/crop.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> crop::output_dims(LayerContext const& context) const {
  auto const& input = context.inputs[0];
  bool fits = dims.size() == input.size();
  for (std::size_t i = 0; fits && i < dims.size(); ++i) fits = dims[i] <= input[i];
  if (!fits) {
    context.report(diagnostics::dims_do_not_fit, "dims",
                   {"dims " + to_text(dims), std::string(context.name), to_text(input),
                    "one for each axis, and none larger"});
    return std::nullopt;
  }
  auto const axes = static_cast<std::int64_t>(dims.size());
  if (entries(context.inputs[1]) != axes) {
    context.report(
        diagnostics::input_dims, "",
        {"1", std::string(context.name), to_text(Dims{axes}), to_text(context.inputs[1])});
    return std::nullopt;
  }
  return std::vector<Dims>{dims};
}

void crop::lower(LoweringContext& lowering) const {
  auto const& input = lowering.input_dims(0);
  auto const axes = static_cast<std::int64_t>(dims.size());
  operators::slice cut{1, {}};
  for (std::int64_t point = 0; point <= axes; ++point) cut.points.push_back(point);
  auto const position = lowering.reshape(lowering.input(1), batched(Dims{axes}));
  auto const positions = lowering.emit(std::move(cut), {position});
  auto result = lowering.input(0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == input[i]) continue;
    auto const room = static_cast<double>(input[i] - dims[i]);
    ExpressionBuilder build;
    auto const offset = build.apply(Function::floor, {build.operand(0) * (room + 1)});
    auto const inside = build.apply(
        Function::maximum,
        {build.constant(0), build.apply(Function::minimum, {offset, build.constant(room)})});
    auto const indices = lowering.map(build.finish({inside + build.operand(1)}),
                                      {positions[i], places(lowering, dims[i])});
    result = gathered(lowering, result, indices, static_cast<std::int64_t>(i) + 1, 1);
  }
  lowering.output(0, result);
}

}  // namespace lbann::compiler::layers
