// What all kernels of reduce share: the modes, how a call is cut into pieces, results in the
// output's type, and the combination of partial results.
#pragma once

#include <Kokkos_Core.hpp>
#include <limits>
#include <optional>
#include <type_traits>

#include "kernels/conversion.hpp"
#include "kernels/kernel.hpp"
#include "kernels/map/map_code.hpp"
#include "kernels/shapes/reduce_layout.hpp"

namespace lbann::kernels {

using operators::ReduceMode;

template <ReduceMode mode, class T>
KOKKOS_FUNCTION T combined(T a, T b) {
  if constexpr (mode == ReduceMode::sum) return a + b;
  if constexpr (mode == ReduceMode::product) return a * b;
  if constexpr (mode == ReduceMode::max) return b > a ? b : a;
  if constexpr (mode == ReduceMode::min) return b < a ? b : a;
}

/// The result over no elements, which are computed in T.
template <ReduceMode mode, class T>
KOKKOS_FUNCTION constexpr T start_of() {
  if constexpr (mode == ReduceMode::sum) return T(0);
  if constexpr (mode == ReduceMode::product) return T(1);
  if constexpr (mode == ReduceMode::max) return std::numeric_limits<T>::lowest();
  if constexpr (mode == ReduceMode::min) return std::numeric_limits<T>::max();
}

/// An output of any type, stored to one element at a time.
struct Result {
  void* data;
  DataType type;

  KOKKOS_FUNCTION void set(std::int64_t index, double value) const {
    switch (type) {
      case DataType::f64:
        static_cast<double*>(data)[index] = value;
        return;
      case DataType::i32:
        static_cast<std::int32_t*>(data)[index] = convert<std::int32_t>(value);
        return;
      case DataType::i64:
        static_cast<std::int64_t*>(data)[index] = convert<std::int64_t>(value);
        return;
      case DataType::u8:
        static_cast<std::uint8_t*>(data)[index] = convert<std::uint8_t>(value);
        return;
      default:
        static_cast<float*>(data)[index] = static_cast<float>(value);
    }
  }
};

/// The outputs of a reduction.
struct Results {
  Result outputs[max_outputs];
  int count;
};

/// Combines the partial results [partial][output][element] of one element of one output for each
/// index.
template <ReduceMode mode>
struct CombinePieces {
  double const* partials;
  std::int64_t count, elements;
  Results results;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    double total = partials[index];
    for (std::int64_t i = 1; i < count; ++i)
      total = combined<mode>(total, partials[i * results.count * elements + index]);
    results.outputs[index / elements].set(index % elements, total);
  }
};

/// The outputs of a call.
inline Results results_of(Call const& call) {
  Results results{{}, static_cast<int>(call.outputs.size())};
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
  if (!layout || outputs > static_cast<std::int64_t>(max_outputs) ||
      !is_loadable(call.outputs[0].type))
    return {};
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
