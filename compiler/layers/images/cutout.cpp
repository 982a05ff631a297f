// The layer `cutout`: a mask by the place of pixels.
#include "compiler/layers/images/cutout.hpp"

#include "compiler/layers/images/image_points.hpp"
#include "compiler/layers/random/random_numbers.hpp"
#include "compiler/layers/rearrangement.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> cutout::output_dims(LayerContext const& context) const {
  if (!takes_image_and(context, {{1}})) return std::nullopt;
  return std::vector<Dims>{context.inputs[0]};
}

void cutout::lower(LoweringContext& lowering) const {
  auto const& image = lowering.input_dims(0);
  auto const centre = drawn(lowering, operators::Distribution::uniform, 0, 1, "centre", {2});
  auto const halves = lowering.emit(operators::slice{1, {0, 1, 2}}, {centre});
  auto const each = [&](TensorId number) {
    return lowering.reshape(number, batched(Dims{1, 1, 1}));
  };
  auto const length = each(lowering.input(1));
  ExpressionBuilder build;
  auto const floor = [&](Term x) { return build.apply(Function::floor, {x}); };
  /// Whether a place is in [start, start + length), and before the last one of its axis.
  auto const inside = [&](Term place, Term unit, std::int64_t extent) {
    auto const side = build.operand(1);
    auto const start = build.apply(
        Function::maximum,
        {floor(floor(unit * static_cast<double>(extent)) - side / 2.0), build.constant(0)});
    auto const end = build.apply(
        Function::minimum, {floor(start + side), build.constant(static_cast<double>(extent - 1))});
    return build.apply(Function::logical_and, {build.apply(Function::less_equal, {start, place}),
                                               build.apply(Function::less, {place, end})});
  };
  auto const out =
      build.apply(Function::logical_and, {inside(build.operand(2), build.operand(3), image[1]),
                                          inside(build.operand(4), build.operand(5), image[2])});
  auto const pixel = build.apply(Function::select, {out, build.constant(0), build.operand(0)});
  lowering.output(0, lowering.map(build.finish({pixel}),
                                  {lowering.input(0), length, places(lowering, image[1], 1),
                                   each(halves[0]), places(lowering, image[2]), each(halves[1])}));
}

}  // namespace lbann::compiler::layers
