// Rules of external_gradient.
#include "schemas/operators/external_gradient.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<external_gradient>) {
  return "inputs, outputs and their gradients -> gradients of the inputs\n"
         "what the library computes of each sample";
}

Result<TensorTypes> external_gradient::infer(std::span<TensorType const> tensors) const {
  // 4096 inputs, and as many outputs with their gradients.
  if (auto misfit = rules::find_misfit(name, tensors, 3, 3 * 4096)) return *misfit;
  auto const count = static_cast<std::int64_t>(tensors.size());
  if (inputs < 1 || inputs > count - 2 || (count - inputs) % 2 != 0)
    return rules::problem(name, std::to_string(count) + " tensors are not " +
                                    std::to_string(inputs) +
                                    " inputs, outputs and their gradients");
  for (auto const& tensor : tensors)
    if (tensor.type != tensors[0].type || !is_floating(tensor.type))
      return rules::problem(name, "the inputs are not of one floating-point type");
  auto const first = static_cast<std::size_t>(inputs), outputs = (tensors.size() - first) / 2;
  for (std::size_t o = first; o < first + outputs; ++o)
    if (tensors[o] != tensors[o + outputs])
      return rules::problem(name, "a gradient " + to_text(tensors[o + outputs].shape) +
                                      " is not that of an output " + to_text(tensors[o].shape));
  return TensorTypes(tensors.begin(), tensors.begin() + inputs);
}

Loops external_gradient::loops(Signature const& signature) const {
  return rules::loops_of_samples(signature);
}

// Second derivatives are not asked for by any layer.
void external_gradient::backward(external_gradient const&, BackwardContext&) {}

std::int64_t external_gradient::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t external_gradient::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
