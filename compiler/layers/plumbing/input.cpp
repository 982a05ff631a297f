// The layer `input`: a data field of the reader.
#include "compiler/layers/plumbing/input.hpp"

#include <algorithm>

#include "compiler/initializers/data_statistics_initializer.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> input::output_dims(LayerContext const& context) const {
  if (!context.given_dims) return std::nullopt;  // `infer_shapes` has said why
  return std::vector<Dims>{*context.given_dims};
}

std::vector<WeightsRole> input::weights(LayerContext const& context) const {
  if (standardize == Standardization::none || !context.given_dims) return {};
  auto const& dims = *context.given_dims;
  auto const role = [&](std::string suffix, DataStatistic statistic) {
    WeightsRole role{std::move(suffix),
                     standardize == Standardization::channels ? Dims{dims[0]} : dims,
                     preset(initializers::data_statistics_initializer{data_field, statistic})};
    role.trained = false;
    return role;
  };
  return {role("_mean", DataStatistic::mean), role("_deviation", DataStatistic::deviation)};
}

void input::lower(LoweringContext& lowering) const {
  auto const data = lowering.field_input(data_field);
  if (standardize == Standardization::none) return lowering.output(0, data);
  auto dims = lowering.output_dims(0);
  if (standardize == Standardization::channels) std::fill(dims.begin() + 1, dims.end(), 1);
  ExpressionBuilder build;
  auto const standardised = (build.operand(0) - build.operand(1)) / build.operand(2);
  lowering.output(0, lowering.map(build.finish({standardised}),
                                  {data, lowering.reshape(lowering.weights(0), Shape(dims)),
                                   lowering.reshape(lowering.weights(1), Shape(dims))}));
}

}  // namespace lbann::compiler::layers
