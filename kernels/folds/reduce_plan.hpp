// How a call of reduce is bound to its operands and cut into pieces.
#pragma once

#include <optional>
#include <type_traits>

#include "kernels/folds/reduce_pieces.hpp"
#include "kernels/kernel.hpp"
#include "kernels/map/map_code.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels {

static_assert(most_reduce_outputs == max_outputs);

/// The outputs of a call.
inline ReduceOutputs results_of(Call const& call) {
  ReduceOutputs results{{}, static_cast<int>(call.outputs.size())};
  for (std::size_t o = 0; o < call.outputs.size(); ++o)
    results.outputs[o] = {call.outputs[o].data, call.outputs[o].type};
  return results;
}

/// A reduction bound to its operands and cut into pieces.
struct ReducePlan {
  MapCode code;
  ReduceLayout layout;
};

/// Nothing if the expression, the axes or the types are beyond kernels, or scratch does not hold
/// the partial results. `aot_kernels`: as in MapRequest.
inline std::optional<ReducePlan> reduce_plan(Call const& call, ReduceGrain const& grain,
                                             bool aot_kernels = true) {
  auto const& op = operator_of<operators::reduce>(call);
  auto const shape = op.shape.at(call.samples);
  auto const outputs = static_cast<std::int64_t>(call.outputs.size());
  auto const layout = reduce_layout(shape, op.axes, grain, outputs);
  if (!layout || outputs > static_cast<std::int64_t>(max_outputs)) return {};
  View value;
  value.type = op.compute;
  std::vector<View> const values(call.outputs.size(), value);
  auto const code = assemble({op.expression, op.compute, shape, call.inputs, values, aot_kernels});
  if (!code) return {};
  auto const partials = layout->partials() == 1 ? 0 : layout->partials() * layout->outputs();
  if (partials * outputs * 8 > static_cast<std::int64_t>(call.scratch.size())) return {};
  return ReducePlan{*code, *layout};
}

/// Calls f(mode as a constant).
template <class F>
decltype(auto) with_mode(ReduceMode mode, F const& f) {
  switch (mode) {
    case ReduceMode::sum:
      return f(std::integral_constant<ReduceMode, ReduceMode::sum>{});
    case ReduceMode::max:
      return f(std::integral_constant<ReduceMode, ReduceMode::max>{});
    case ReduceMode::min:
      return f(std::integral_constant<ReduceMode, ReduceMode::min>{});
    case ReduceMode::product:
      break;
  }
  return f(std::integral_constant<ReduceMode, ReduceMode::product>{});
}

}  // namespace lbann::kernels
