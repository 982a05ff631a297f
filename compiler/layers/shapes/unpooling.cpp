// The layer `unpooling`: the largest entry of each window looked for, values scattered to it.
#include "compiler/layers/shapes/unpooling.hpp"

#include <functional>
#include <limits>
#include <numeric>

#include "compiler/layers/rearrangement.hpp"
#include "compiler/layers/shapes/pooling.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

namespace {

std::int64_t product(Dims const& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>{});
}

/// Of the whole number `n`, counted through `extents` in C order, the index along `axis`.
Term index_along(Term n, Dims const& extents, std::size_t axis) {
  auto& build = *n.builder;
  auto const inner =
      product(Dims(extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, extents.end()));
  // Half a step away from where a rounded quotient could fall on the wrong side.
  auto const whole = build.apply(Function::floor, {(n + 0.5) * (1.0 / static_cast<double>(inner))});
  return build.apply(Function::mod, {whole, build.constant(static_cast<double>(extents[axis]))});
}

}  // namespace

std::optional<unpooling> unpooling::completed_by(Declaration const& own,
                                                 Declaration const& hint) const {
  if (hint.type->name != pooling::name) return std::nullopt;
  auto const& window = hint.as<pooling>();
  auto completed = *this;
  if (!own.gives("pool_dims")) completed.pool_dims = window.pool_dims;
  if (!own.gives("pool_strides")) completed.pool_strides = window.strides();
  if (!own.gives("pool_pads")) completed.pool_pads = window.pool_pads;
  return completed;
}

std::optional<std::vector<Dims>> unpooling::output_dims(LayerContext const& context) const {
  if (pool_dims.empty()) {
    context.report(diagnostics::missing_field, "",
                   {std::string(context.name), "`pool_dims` or `hint_layer`"});
    return std::nullopt;
  }
  auto const &values = context.inputs[0], &images = context.inputs[1];
  if (images.size() != values.size()) {
    context.report(
        diagnostics::input_axes, "",
        {"1", std::string(context.name), std::to_string(values.size()), to_text(images)});
    return std::nullopt;
  }
  auto const expected = pooled(context, images);
  if (!expected) return std::nullopt;
  if (*expected != values) {
    context.report(diagnostics::input_dims, "",
                   {"0", std::string(context.name), to_text(*expected), to_text(values)});
    return std::nullopt;
  }
  return std::vector<Dims>{images};
}

void unpooling::lower(LoweringContext& lowering) const {
  auto const& images = lowering.input_dims(1);
  auto const& values = lowering.input_dims(0);
  auto const channels = images[0];
  Dims const extents(images.begin() + 1, images.end()), positions(values.begin() + 1, values.end());
  auto const window = this->window(extents.size());
  auto const size = product(extents), places = product(positions), taps = product(window.size);

  // [places * taps]: the entry of a plane under each tap of each window, -1 outside of it. In f64,
  // which counts further than f32.
  auto const numbers = lowering.emit(operators::iota{places * taps, DataType::f64}, {})[0];
  auto const computed = [&](Expression expression, std::vector<TensorId> inputs, Shape shape,
                            DataType type) {
    operators::map map;
    map.expression = std::move(expression);
    map.shape = std::move(shape);
    map.compute = DataType::f64;
    map.types = {type};
    return lowering.emit(std::move(map), std::move(inputs))[0];
  };
  Dims both = positions;
  both.insert(both.end(), window.size.begin(), window.size.end());
  ExpressionBuilder build;
  auto entry = build.constant(0), inside = build.constant(1);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    auto const n = build.operand(0);
    auto const place = index_along(n, both, axis) * static_cast<double>(window.stride[axis]) +
                       index_along(n, both, extents.size() + axis) -
                       static_cast<double>(window.padding[axis]);
    auto const extent = static_cast<double>(extents[axis]);
    auto const above = build.apply(Function::less_equal, {build.constant(0), place});
    auto const below = build.apply(Function::less, {place, build.constant(extent)});
    inside = build.apply(Function::logical_and,
                         {inside, build.apply(Function::logical_and, {above, below})});
    entry = entry * extent + place;
  }
  auto const entries =
      computed(build.finish({build.apply(Function::select, {inside, entry, build.constant(-1)})}),
               {numbers}, Shape{{places * taps}}, DataType::f64);

  // [batch * c, places * taps]: what is there.
  auto const planes = lowering.reshape(lowering.input(1), Shape{{channels, true}, {size}});
  auto const under = gathered(lowering, planes, entries, 1, 0);
  ExpressionBuilder mask;
  auto const outside = mask.apply(Function::less, {mask.operand(1), mask.constant(0)});
  auto const seen = computed(
      mask.finish({mask.apply(
          Function::select,
          {outside, mask.constant(-std::numeric_limits<double>::infinity()), mask.operand(0)})}),
      {under, entries}, Shape{{channels, true}, {places * taps}}, lowering.type());

  // [batch * c, places]: the entry of a plane that is the largest of each window.
  auto const largest = lowering.emit(
      operators::argmax{}, {lowering.reshape(seen, Shape{{channels * places, true}, {taps}})})[0];
  auto const tap = lowering.reshape(largest, Shape{{channels, true}, {places}});
  auto const windows = lowering.emit(operators::iota{places, DataType::f64}, {})[0];
  ExpressionBuilder sum;
  auto const chosen =
      computed(sum.finish({sum.operand(0) * static_cast<double>(taps) + sum.operand(1)}),
               {windows, tap}, Shape{{channels, true}, {places}}, DataType::i64);
  auto const winners = gathered(lowering, entries, chosen, 0, 0);

  auto const given = lowering.reshape(lowering.input(0), Shape{{channels, true}, {places}});
  lowering.output(0, lowering.emit(operators::scatter{Shape{{channels, true}, {size}}, 1, 1},
                                   {given, winners})[0]);
}

}  // namespace lbann::compiler::layers
