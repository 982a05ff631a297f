// Rules of scatter.
#include "schemas/operators/scatter.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/indexing.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/sorted_picks.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<scatter>) {
  return "x [batch..., outer..., picks..., inner...], i [batch..., picks...] -> y [batch..., "
         "outer..., n, inner...]\n"
         "y[b, o, j, r] = sum over p with floor(i[b, p]) = j: x[b, o, p, r]; of a table [n, r] "
         "epilogue(that, ...), with further operands";
}

Result<TensorTypes> scatter::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, max_operands + 1)) return *misfit;
  if (!is_floating(inputs[0].type)) return rules::problem(name, "adds floating-point numbers");
  if (!rules::sound(shape)) return rules::problem(name, "no tensor has shape " + to_text(shape));
  auto const taken = rules::gathered_shape(name, shape, inputs[1], {axis, batch_axes});
  if (!taken) return taken.problem();
  if (taken.value() != inputs[0].shape)
    return rules::problem(name, "takes values of shape " + to_text(taken.value()) + ", not " +
                                    to_text(inputs[0].shape));
  if (!epilogue.empty() && (axis != 0 || batch_axes != 0 || shape.rank() != 2))
    return rules::problem(name, "an epilogue follows the sums of a table, which is a matrix");
  return rules::infer_epilogue(name, epilogue, types, {inputs[0].type, shape}, inputs.subspan(2));
}

Loops scatter::loops(Signature const& signature) const {
  return rules::loops_of_indexing(signature, true, {axis, batch_axes});
}

void scatter::backward(scatter const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  // Epilogues come to be only after gradients have been derived.
  if (!gradient.valid() || !context.wants(0) || !op.epilogue.empty()) return;
  gather rule{op.axis, op.batch_axes};
  context.contribute(0, context.emit(rule, {gradient, context.input(1)})[0]);
}

std::int64_t scatter::flops(Signature const& signature, std::int64_t samples) const {
  return rules::plus(signature.inputs[0].shape.elements(samples),
                     rules::times(shape.elements(samples), rules::functions_in(epilogue)));
}

std::int64_t scatter::scratch_bytes(Signature const& signature, std::int64_t samples,
                                    std::int64_t threads) const {
  auto const extents = shape.at(samples), named = signature.inputs[1].shape.at(samples);
  std::int64_t batch = 1, picks = 1, inner = 1;
  for (std::size_t i = 0; i < named.size(); ++i) {
    auto& part = static_cast<std::int64_t>(i) < batch_axes ? batch : picks;
    part = rules::times(part, named[i]);
  }
  for (auto i = static_cast<std::size_t>(axis) + 1; i < extents.size(); ++i)
    inner = rules::times(inner, extents[i]);
  auto const bytes = static_cast<std::int64_t>(bytes_of(signature.inputs[0].type));
  auto const sorted = rules::sorted_picks(extents[static_cast<std::size_t>(axis)],
                                          rules::times(inner, bytes), picks);
  auto const host = sorted ? sorted->bytes(batch, picks) : 0;
  if (epilogue.empty()) return host;
  // Sums of a range for each thread; on a device those of a million entries.
  auto const ranges = sorted ? rules::times(std::min(threads, sorted->ranges),
                                            sorted->range_bytes(rules::times(inner, bytes)))
                             : 0;
  auto const panel = std::min(shape.elements(samples), std::max(inner, std::int64_t{1} << 20));
  return std::max(rules::plus(host, ranges), rules::times(panel, bytes));
}

}  // namespace lbann::operators
