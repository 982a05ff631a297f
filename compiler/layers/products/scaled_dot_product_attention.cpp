// The layer `scaled_dot_product_attention`: one operator.
#include "compiler/layers/products/scaled_dot_product_attention.hpp"

#include <cmath>

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/passes.hpp"

namespace lbann::compiler::layers {

namespace {

/// Whether `dims` are those of a mask of these pairs [num_heads, l, s], or 1 where it is the same
/// for all; without the first it is the same for all heads.
bool is_mask(Dims const& dims, Dims const& pairs) {
  if (dims.size() < 2 || dims.size() > 3) return false;
  return std::equal(
      dims.rbegin(), dims.rend(), pairs.rbegin(),
      [](std::int64_t extent, std::int64_t full) { return extent == full || extent == 1; });
}

}  // namespace

std::optional<std::vector<Dims>> scaled_dot_product_attention::output_dims(
    LayerContext const& context) const {
  auto const& inputs = context.inputs;
  for (std::size_t i = 0; i < 3; ++i)
    if (inputs[i].size() != 2) {
      context.report(diagnostics::input_axes, "",
                     {std::to_string(i), std::string(context.name), "two", to_text(inputs[i])});
      return std::nullopt;
    }
  auto const &queries = inputs[0], &keys = inputs[1], &values = inputs[2];
  auto const demand = [&](std::size_t input, Dims const& dims) {
    if (inputs[input] == dims) return true;
    context.report(
        diagnostics::input_dims, "",
        {std::to_string(input), std::string(context.name), to_text(dims), to_text(inputs[input])});
    return false;
  };
  if (!demand(1, {keys[0], queries[1]}) || !demand(2, {keys[0], values[1]})) return std::nullopt;
  if (inputs.size() == 4 && !is_mask(inputs[3], {num_heads, queries[0], keys[0]})) {
    context.report(
        diagnostics::input_dims, "",
        {"3", std::string(context.name),
         to_text({queries[0], keys[0]}) + " or " + to_text({num_heads, queries[0], keys[0]}),
         to_text(inputs[3])});
    return std::nullopt;
  }
  for (std::size_t const i : {0, 2})
    if (inputs[i][1] % num_heads != 0) {
      context.report(diagnostics::heads_do_not_divide, "num_heads",
                     {std::to_string(num_heads), std::to_string(inputs[i][1]), std::to_string(i),
                      std::string(context.name)});
      return std::nullopt;
    }
  if (!entries({num_heads, queries[0], keys[0]})) {
    context.report(diagnostics::number_too_large, "", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{{queries[0], values[1]}};
}

void scaled_dot_product_attention::lower(LoweringContext& lowering) const {
  auto const head_size = lowering.input_dims(0)[1] / num_heads;
  operators::AttentionHeads const heads{head_size, 1 / std::sqrt(static_cast<double>(head_size)),
                                        is_causal};
  std::vector<TensorId> inputs = {lowering.input(0), lowering.input(1), lowering.input(2)};
  if (lowering.input_count() == 4) {
    auto mask = lowering.input_dims(3);
    if (mask.size() == 2) mask.insert(mask.begin(), 1);
    inputs.push_back(lowering.reshape(lowering.input(3), batched(mask)));
  }
  lowering.output(0, lowering.emit(operators::attention{heads}, std::move(inputs))[0]);
}

}  // namespace lbann::compiler::layers
