// Numbers drawn anew for each sample and step: what random layers share.
#include "compiler/layers/random/random_numbers.hpp"

#include "compiler/layers/shape_rules.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler::layers {

std::optional<std::vector<Dims>> random_dims(LayerContext const& context, Dims const& neuron_dims) {
  auto const dims = neuron_dims.empty() && context.given_dims ? *context.given_dims : neuron_dims;
  if (dims.empty()) {
    context.report(diagnostics::missing_field, "",
                   {std::string(context.name), "`neuron_dims` or `hint_layer`"});
    return std::nullopt;
  }
  if (!entries(dims)) {
    context.report(diagnostics::number_too_large, "neuron_dims", {std::string(context.name)});
    return std::nullopt;
  }
  return std::vector<Dims>{dims};
}

TensorId drawn(LoweringContext& lowering, operators::Distribution distribution, double first,
               double second, std::string_view purpose, Dims const& dims) {
  operators::random random;
  random.distribution = distribution;
  random.first = first;
  random.second = second;
  random.key = lowering.key(purpose);
  random.shape = batched(dims);
  random.type = lowering.type();
  return lowering.emit(std::move(random),
                       {lowering.seed(), lowering.step(), lowering.first_sample()})[0];
}

}  // namespace lbann::compiler::layers
