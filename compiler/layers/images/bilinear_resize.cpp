// The layer `bilinear_resize`: along each of the two axes, two gathered neighbours and their mean.
#include "compiler/layers/images/bilinear_resize.hpp"

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

namespace {

/// What a map over the `to` entries of the output gives of their places along an axis that had
/// `from` entries.
template <class Of>
TensorId of_places(LoweringContext& lowering, std::int64_t from, std::int64_t to, Of const& of) {
  ExpressionBuilder build;
  auto const stride = static_cast<double>(from) / static_cast<double>(to);
  auto const point = (build.operand(0) + 0.5) * stride;
  auto const before = build.apply(Function::floor, {point - 0.5});
  return lowering.map(build.finish({of(build, point, before)}), {places(lowering, to)});
}

/// `tensor` [outer, from, inner] resized to [outer, to, inner].
TensorId resized(LoweringContext& lowering, TensorId tensor, std::int64_t from, std::int64_t to) {
  auto const first = of_places(lowering, from, to, [](auto& build, Term, Term before) {
    return build.apply(Function::maximum, {before, build.constant(0)});
  });
  auto const second = of_places(lowering, from, to, [&](auto& build, Term, Term before) {
    auto const last = build.constant(static_cast<double>(from - 1));
    return build.apply(Function::minimum, {before + 1.0, last});
  });
  auto const beyond = of_places(
      lowering, from, to, [](auto&, Term point, Term before) { return point - (before + 0.5); });
  ExpressionBuilder build;
  auto const part = build.operand(2);
  auto const mean = build.operand(0) * (1.0 - part) + build.operand(1) * part;
  return lowering.map(build.finish({mean}), {gathered(lowering, tensor, first, 1, 0),
                                             gathered(lowering, tensor, second, 1, 0),
                                             lowering.reshape(beyond, Shape{{to}, {1}})});
}

}  // namespace

std::optional<std::vector<Dims>> bilinear_resize::output_dims(LayerContext const& context) const {
  auto dims = context.inputs[0];
  if (dims.size() < 2) {
    context.report(diagnostics::input_axes, "",
                   {"0", std::string(context.name), "2 or more", to_text(dims)});
    return std::nullopt;
  }
  dims[dims.size() - 2] = height;
  dims[dims.size() - 1] = width;
  return std::vector<Dims>{std::move(dims)};
}

void bilinear_resize::lower(LoweringContext& lowering) const {
  auto const& input = lowering.input_dims(0);
  auto const rows = input[input.size() - 2], columns = input[input.size() - 1];
  auto const images = *entries(input) / (rows * columns);
  auto result = lowering.input(0);
  if (rows != height)
    result = resized(lowering, lowering.reshape(result, Shape{{images, true}, {rows}, {columns}}),
                     rows, height);
  if (columns != width)
    result =
        resized(lowering, lowering.reshape(result, Shape{{images * height, true}, {columns}, {1}}),
                columns, width);
  lowering.output(0, result);
}

}  // namespace lbann::compiler::layers
