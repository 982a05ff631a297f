// Shape rules that many layers share.
#include "compiler/layers/shape_rules.hpp"

#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> same_as_input(LayerContext const& context) {
  return std::vector<Dims>{context.inputs[0]};
}

std::optional<std::vector<Dims>> same_as_inputs(LayerContext const& context) {
  for (std::size_t i = 1; i < context.inputs.size(); ++i)
    if (context.inputs[i] != context.inputs[0]) {
      context.report(diagnostics::unequal_inputs, "",
                     {std::string(context.name), to_text(context.inputs[0]), std::to_string(i),
                      to_text(context.inputs[i])});
      return std::nullopt;
    }
  return std::vector<Dims>{context.inputs[0]};
}

std::optional<std::vector<Dims>> one_number(LayerContext const& context) {
  if (!same_as_inputs(context)) return std::nullopt;
  return std::vector<Dims>{Dims{1}};
}

std::optional<Dims> given_or_hinted(LayerContext const& context, std::string_view field,
                                    Dims const& given) {
  auto dims = given.empty() && context.given_dims ? *context.given_dims : given;
  if (!dims.empty() && checked_product(dims)) return dims;
  std::string const layer(context.name);
  if (dims.empty())
    context.report(diagnostics::missing_field, field,
                   {layer, "`" + std::string(field) + "` or `hint_layer`"});
  else
    context.report(diagnostics::number_too_large, field, {layer});
  return std::nullopt;
}

std::size_t axis_number(Dims const& dims, std::int64_t axis) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(dims.size()) : axis);
}

std::optional<std::size_t> own_axis(LayerContext const& context, std::string_view field,
                                    std::int64_t axis) {
  auto const& dims = context.inputs[0];
  auto const rank = static_cast<std::int64_t>(dims.size());
  if (axis >= -rank && axis < rank) return axis_number(dims, axis);
  context.report(diagnostics::axis_out_of_range, field,
                 {std::to_string(axis), std::string(context.name), to_text(dims)});
  return std::nullopt;
}

bool enough_entries(LayerContext const& context, bool biased) {
  auto const& dims = context.inputs[0];
  if (biased || checked_product(dims) != 1) return true;
  context.report(diagnostics::single_entry, "biased", {std::string(context.name), to_text(dims)});
  return false;
}

std::optional<std::int64_t> entries(Dims const& dims) {
  auto const product = checked_product(dims);
  return product && *product <= operators::rules::max_extent ? product : std::nullopt;
}

bool fits_in_a_tensor(Dims const& dims, std::int64_t samples) {
  auto shape = batched(dims);
  shape.extents[0] = {samples, false};
  return operators::rules::sound(shape);
}

std::optional<Dims> for_each_axis(LayerContext const& context, std::string_view field,
                                  Dims const& values, std::size_t count) {
  if (values.size() == count) return values;
  if (values.size() == 1) return Dims(count, values[0]);
  context.report(
      diagnostics::list_length, field,
      {std::string(field), std::to_string(values.size()), std::to_string(count),
       std::string(context.name), context.inputs.empty() ? "[]" : to_text(context.inputs[0])});
  return std::nullopt;
}

std::optional<Dims> Window::positions(LayerContext const& context, Dims const& input) const {
  constexpr auto limit = operators::rules::max_step;
  Dims positions;
  for (std::size_t i = 0; i < size.size(); ++i) {
    auto const extent = input[i + 1];
    if (size[i] > limit || dilation[i] > limit || padding[i] > limit || stride[i] > limit) {
      context.report(diagnostics::number_too_large, size_field, {std::string(context.name)});
      return std::nullopt;
    }
    auto const reach = dilation[i] * (size[i] - 1) + 1;
    auto const room = extent + 2 * padding[i];
    if (reach > room) {
      context.report(
          diagnostics::window_too_large, size_field,
          {std::string(context.name), std::to_string(reach), std::to_string(room), to_text(input)});
      return std::nullopt;
    }
    positions.push_back((room - reach) / stride[i] + 1);
  }
  return positions;
}

std::optional<std::size_t> spatial_axes(LayerContext const& context, std::int64_t num_dims) {
  auto const& input = context.inputs[0];
  if (input.size() < 2 || input.size() > 4) {
    context.report(diagnostics::not_an_image, "", {std::string(context.name), to_text(input)});
    return std::nullopt;
  }
  if (num_dims != 0 && num_dims != static_cast<std::int64_t>(input.size()) - 1) {
    context.report(diagnostics::num_dims_clash, "num_dims",
                   {std::to_string(num_dims), std::string(context.name), to_text(input)});
    return std::nullopt;
  }
  return input.size() - 1;
}

}  // namespace lbann::compiler::layers
