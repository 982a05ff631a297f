// Rules of reshape.
#include "schemas/operators/reshape.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<reshape>) {
  return "x -> y [shape]\n"
         "y = the entries of x in the same order, where they lie";
}

Result<TensorTypes> reshape::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, 1)) return *misfit;
  auto const& x = inputs[0];
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  if (shape.has_batch() != x.shape.has_batch() || shape.elements(1) != x.shape.elements(1))
    return rules::problem(name,
                          to_text(x.shape) + " has not as many elements as " + to_text(shape));
  return TensorTypes{{x.type, shape}};
}

void reshape::backward(reshape const&, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  auto const shape = context.type_of(context.input(0)).shape;
  context.contribute(0, rules::reshaped(context, gradient, shape));
}

std::int64_t reshape::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t reshape::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
