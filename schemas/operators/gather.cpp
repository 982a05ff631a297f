// Rules of gather.
#include "schemas/operators/gather.hpp"

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/indexing.hpp"
#include "schemas/operators/list.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<gather>) {
  return "x [batch..., outer..., n, inner...], i [batch..., picks...] -> y [batch..., outer..., "
         "picks..., inner...]\n"
         "y[b, o, p, r] = x[b, o, floor(i[b, p]), r], and 0 where there is no such entry";
}

Result<TensorTypes> gather::infer(std::span<TensorType const> inputs) const {
  if (auto misfit = rules::find_misfit(name, inputs, 2, 2)) return *misfit;
  auto const shape = rules::gathered_shape(name, inputs[0].shape, inputs[1], {axis, batch_axes});
  if (!shape) return shape.problem();
  return TensorTypes{{inputs[0].type, shape.value()}};
}

Loops gather::loops(Signature const& signature) const {
  return rules::loops_of_indexing(signature, false, {axis, batch_axes});
}

void gather::backward(gather const& op, BackwardContext& context) {
  auto const gradient = context.output_gradient(0);
  if (!gradient.valid() || !context.wants(0)) return;
  scatter rule{context.type_of(context.input(0)).shape, op.axis, op.batch_axes};
  context.contribute(0, context.emit(std::move(rule), {gradient, context.input(1)})[0]);
}

std::int64_t gather::flops(Signature const&, std::int64_t) const { return 0; }

std::int64_t gather::scratch_bytes(Signature const&, std::int64_t, std::int64_t) const { return 0; }

}  // namespace lbann::operators
