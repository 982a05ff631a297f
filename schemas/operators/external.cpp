// Rules of external.
#include "schemas/operators/external.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<external>) {
  return "inputs [batch, ...] -> outputs [shape]\n"
         "what the library computes of each sample";
}

namespace {

/// Most inputs or outputs of a user's layer.
constexpr std::size_t most_tensors = 4096;

}  // namespace

Result<TensorTypes> external::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 1, most_tensors)) return *misfit;
  for (auto const& input : inputs)
    if (input.type != inputs[0].type || !is_floating(input.type))
      return rules::problem(name, "the inputs are not of one floating-point type");
  if (outputs < 1 || outputs > static_cast<std::int64_t>(most_tensors))
    return rules::problem(name, "gives " + std::to_string(outputs) + " outputs");
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  return TensorTypes(static_cast<std::size_t>(outputs), {inputs[0].type, shape});
}

Loops external::loops(Signature const& signature) const {
  return rules::loops_of_samples(signature);
}

void external::backward(external const& op, BackwardContext& context) {
  if (!op.differentiable) return;
  auto const outputs = static_cast<std::size_t>(op.outputs);
  bool any = false;
  for (std::size_t o = 0; o < outputs; ++o) any = any || context.output_gradient(o).valid();
  if (!any) return;
  std::vector<TensorId> tensors;
  for (std::size_t i = 0; i < context.input_count(); ++i) tensors.push_back(context.input(i));
  for (std::size_t o = 0; o < outputs; ++o) tensors.push_back(context.output(o));
  for (std::size_t o = 0; o < outputs; ++o) {
    auto gradient = context.output_gradient(o);
    // Copied: the table of tensors grows.
    auto const type = context.type_of(context.output(o));
    if (!gradient.valid()) gradient = rules::filled(context, 0, type);
    tensors.push_back(gradient);
  }
  external_gradient rule{op, static_cast<std::int64_t>(context.input_count())};
  auto const gradients = context.emit(std::move(rule), std::move(tensors));
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (context.wants(i)) context.contribute(i, gradients[i]);
}

// Nobody knows what the library does.
std::int64_t external::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t external::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const {
  return 0;
}

}  // namespace lbann::operators
