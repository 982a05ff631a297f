// A map evaluated for one element, in a device's thread: values stay in its registers, and
// neighbouring threads read neighbouring elements. CPUs run tiles: kernels/host/map.
#pragma once

#include <Kokkos_Core.hpp>

#include "kernels/conversion.hpp"
#include "kernels/map/aot_kernels.hpp"
#include "kernels/map/arity.hpp"
#include "kernels/map/map_code.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels {

/// Stands for an ahead-of-time kernel where the code has none.
struct NoAotKernel {
  static constexpr std::size_t operands = 0, constants = 0, outputs = 0;
};

/// Element `index` of `code`, which computes in T and, if it has an ahead-of-time kernel, in that.
template <class T, class Aot = NoAotKernel>
class MapElement {
 public:
  /// Whether an operand is found by the element's place along the axes, not by its index alone.
  static bool needs_place(MapCode const& code) {
    for (std::size_t k = 0; k < code.operand_count; ++k) {
      auto const access = code.operands[k].access;
      if (access != Access::linear && access != Access::scalar) return true;
    }
    return false;
  }

  /// `placed`: whether it `needs_place`.
  KOKKOS_FUNCTION MapElement(MapCode const& code, bool placed, std::int64_t index)
      : code_(code), index_(index) {
    auto rest = index;
    for (int i = placed ? code.axes - 1 : 0; i > 0; --i) {
      auto const along = divide(rest, code.extents[i]);
      place_[i] = along.remainder;
      rest = along.quotient;
    }
    place_[0] = rest;
    for (int k = 0; k < code.operand_count; ++k)
      if (is_single(code.operands[k])) scalars_[code.operands[k].scalar] = operand(k);
    for (int s = 0; s < code.scalar_step_count; ++s) {
      auto const& step = code.scalar_steps[s];
      scalars_[step.destination] = value_of(step, [&](int a) { return scalar(step.arguments[a]); });
    }
    for (int s = 0; s < code.step_count; ++s) run(code.steps[s]);
  }

  /// What belongs in output `o`.
  KOKKOS_FUNCTION T output(int o) const { return outputs_[o]; }

  /// Writes all outputs.
  KOKKOS_FUNCTION void write() const {
    for (int o = 0; o < code_.output_count; ++o) {
      auto const& output = code_.outputs[o];
      switch (output.type) {
        case DataType::f64:
          static_cast<double*>(output.data)[index_] = convert<double>(outputs_[o]);
          break;
        case DataType::bf16:
          static_cast<BFloat16*>(output.data)[index_] = convert<BFloat16>(outputs_[o]);
          break;
        case DataType::f16:
          static_cast<Float16*>(output.data)[index_] = convert<Float16>(outputs_[o]);
          break;
        case DataType::i32:
          static_cast<std::int32_t*>(output.data)[index_] = convert<std::int32_t>(outputs_[o]);
          break;
        case DataType::i64:
          static_cast<std::int64_t*>(output.data)[index_] = convert<std::int64_t>(outputs_[o]);
          break;
        case DataType::u8:
          static_cast<std::uint8_t*>(output.data)[index_] = convert<std::uint8_t>(outputs_[o]);
          break;
        default:
          static_cast<float*>(output.data)[index_] = convert<float>(outputs_[o]);
      }
    }
  }

 private:
  KOKKOS_FUNCTION static bool is_single(CodeOperand const& operand) {
    return operand.access == Access::scalar || operand.access == Access::row_scalar;
  }

  KOKKOS_FUNCTION T operand(int k) const {
    auto const& operand = code_.operands[k];
    std::int64_t at = index_;
    if (operand.access != Access::linear) {
      at = 0;
      if (operand.access != Access::scalar)
        for (int i = 0; i < code_.axes; ++i) at += place_[i] * operand.strides[i];
    }
    switch (operand.type) {
      case DataType::f64:
        return convert<T>(static_cast<double const*>(operand.data)[at]);
      case DataType::bf16:
        return convert<T>(static_cast<BFloat16 const*>(operand.data)[at]);
      case DataType::f16:
        return convert<T>(static_cast<Float16 const*>(operand.data)[at]);
      case DataType::i32:
        return convert<T>(static_cast<std::int32_t const*>(operand.data)[at]);
      case DataType::i64:
        return convert<T>(static_cast<std::int64_t const*>(operand.data)[at]);
      case DataType::u8:
        return convert<T>(static_cast<std::uint8_t const*>(operand.data)[at]);
      default:
        return convert<T>(static_cast<float const*>(operand.data)[at]);
    }
  }

  KOKKOS_FUNCTION T scalar(std::uint8_t slot) const {
    return slot < code_.constant_count ? static_cast<T>(code_.constants[slot]) : scalars_[slot];
  }

  KOKKOS_FUNCTION T value(std::uint8_t slot) const {
    if (slot < first_operand_slot) return registers_[slot];
    if (slot < first_output_slot) return operand(slot - first_operand_slot);
    return outputs_[slot - first_output_slot];
  }

  KOKKOS_FUNCTION void put(std::uint8_t slot, T value) {
    if (slot < first_operand_slot)
      registers_[slot] = value;
    else
      outputs_[slot - first_output_slot] = value;
  }

  /// The function of `step`; `argument(a)` gives its arguments.
  template <class Argument>
  KOKKOS_FUNCTION T value_of(Step const& step, Argument const& argument) const {
    switch (static_cast<Function>(step.operation / 8)) {
#define LBANN_CASE(NAME) \
  case Function::NAME:   \
    return applied<functions::NAME>(argument);
      LBANN_FUNCTIONS(LBANN_CASE)
#undef LBANN_CASE
    }
    return T(0);
  }
  template <class F, class Argument>
  KOKKOS_FUNCTION static T applied(Argument const& argument) {
    if constexpr (arity<F>() == 1)
      return F::value(argument(0));
    else if constexpr (arity<F>() == 2)
      return F::value(argument(0), argument(1));
    else
      return F::value(argument(0), argument(1), argument(2));
  }

  KOKKOS_FUNCTION void run(Step const& step) {
    switch (step.operation) {
      case load:
        registers_[step.destination] = operand(step.arguments[0]);
        return;
      case store:
        outputs_[step.destination] = value(step.arguments[0]);
        return;
      case store_scalar:
        outputs_[step.destination] = scalar(step.arguments[0]);
        return;
      case call_aot_kernel:
        return run_aot_kernel();
      default:
        break;
    }
    if constexpr (Aot::outputs == 0) {
      unsigned const singles = step.operation % 8;
      put(step.destination, value_of(step, [&](int a) {
            return (singles >> a & 1) != 0 ? scalar(step.arguments[a]) : value(step.arguments[a]);
          }));
    }
  }

  KOKKOS_FUNCTION void run_aot_kernel() {
    if constexpr (Aot::outputs > 0) {
      Number<T> in[Aot::operands], constants[Aot::constants + 1], out[Aot::outputs];
      for (std::size_t k = 0; k < Aot::operands; ++k) {
        bool const single = (code_.aot_variant >> k & 1) != 0;
        in[k].value = single ? scalar(code_.aot_operands[k]) : value(code_.aot_operands[k]);
      }
      for (std::size_t c = 0; c < Aot::constants; ++c)
        constants[c].value = scalar(code_.aot_constants[c]);
      Aot::define(in, constants, out);
      for (std::size_t o = 0; o < Aot::outputs; ++o) put(code_.aot_outputs[o], out[o].value);
    }
  }

  MapCode const& code_;
  std::int64_t index_;
  std::int64_t place_[max_axes];
  T registers_[max_registers], scalars_[max_scalars], outputs_[max_outputs];
};

}  // namespace lbann::kernels
