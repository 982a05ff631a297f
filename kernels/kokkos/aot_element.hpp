// An ahead-of-time kernel for one element, in a device's thread. What the code of a map says of its
// operands is looked up when it is bound, so that numbers stay in registers.
#pragma once

#include <Kokkos_Core.hpp>
#include <optional>

#include "kernels/conversion.hpp"
#include "kernels/map/aot_kernels.hpp"
#include "kernels/map/map_code.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels {

/// An element of AOT kernel `Aot`, computed in T.
template <class T, class Aot>
class AotElement {
 public:
  /// Nothing where the code is beyond it: more than three axes, whole numbers, constants that are
  /// computed. `MapElement` runs all.
  static std::optional<AotElement> bind(MapCode const& code) {
    AotElement element;
    if (code.axes > most_axes) return {};
    for (int i = 0; i < code.axes; ++i)
      element.extents_[most_axes - code.axes + i] = code.extents[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < Aot::operands; ++j)
      if (!element.bind_operand(code, j)) return {};
    for (std::size_t j = 0; j < Aot::constants; ++j) {
      auto const slot = code.aot_constants[j];
      if (slot >= code.constant_count) return {};
      element.constants_[j].value = static_cast<T>(code.constants[slot]);
    }
    for (std::size_t j = 0; j < Aot::outputs; ++j)
      if (!element.bind_output(code, j)) return {};
    return element;
  }

  /// The outputs of element `index`, in the order of the kernel.
  KOKKOS_FUNCTION void compute(std::int64_t index, Number<T>* out) const {
    std::int64_t place[most_axes] = {index, 0, 0};
    if (placed_) {
      auto const last = divide(index, extents_[2]);
      auto const middle = divide(last.quotient, extents_[1]);
      place[0] = middle.quotient;
      place[1] = middle.remainder;
      place[2] = last.remainder;
    }
    Number<T> in[Aot::operands];
    for (std::size_t j = 0; j < Aot::operands; ++j) in[j].value = load(operands_[j], index, place);
    Aot::define(in, constants_, out);
  }

  /// Which output of the map is number `j` of the kernel.
  KOKKOS_FUNCTION int output(std::size_t j) const { return outputs_[j].number; }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    Number<T> out[Aot::outputs];
    compute(index, out);
    for (std::size_t j = 0; j < Aot::outputs; ++j)
      if (outputs_[j].type == DataType::f64)
        static_cast<double*>(outputs_[j].data)[index] = static_cast<double>(out[j].value);
      else
        static_cast<float*>(outputs_[j].data)[index] = static_cast<float>(out[j].value);
  }

 private:
  static constexpr int most_axes = 3;

  struct Operand {
    void const* data = nullptr;  ///< null for a constant
    std::int64_t strides[most_axes] = {};
    DataType type = DataType::f32;
    bool linear = false;
    T constant = 0;
  };
  struct Output {
    void* data = nullptr;
    DataType type = DataType::f32;
    int number = 0;
  };

  static bool is_single(CodeOperand const& operand) {
    return operand.access == Access::scalar || operand.access == Access::row_scalar;
  }

  /// The operand of `code` that is number `j` of the kernel; -1 if there is none.
  static int operand_of(MapCode const& code, std::size_t j) {
    auto const slot = code.aot_operands[j];
    if ((code.aot_variant >> j & 1) != 0) {
      for (int k = 0; k < code.operand_count; ++k) {
        auto const& operand = code.operands[static_cast<std::size_t>(k)];
        if (is_single(operand) && operand.scalar == slot) return k;
      }
      return -1;
    }
    if (slot >= first_output_slot) return -1;
    if (slot >= first_operand_slot) return slot - first_operand_slot;
    for (int s = 0; s < code.step_count; ++s) {
      auto const& step = code.steps[static_cast<std::size_t>(s)];
      if (step.operation == kernels::load && step.destination == slot) return step.arguments[0];
    }
    return -1;
  }

  bool bind_operand(MapCode const& code, std::size_t j) {
    auto& bound = operands_[j];
    auto const k = operand_of(code, j);
    if (k < 0) {
      auto const slot = code.aot_operands[j];
      if ((code.aot_variant >> j & 1) == 0 || slot >= code.constant_count) return false;
      bound.constant = static_cast<T>(code.constants[slot]);
      return true;
    }
    auto const& operand = code.operands[static_cast<std::size_t>(k)];
    if (operand.type != DataType::f32 && operand.type != DataType::f64) return false;
    bound.data = operand.data;
    bound.type = operand.type;
    bound.linear = operand.access == Access::linear;
    if (bound.linear || operand.access == Access::scalar) return true;
    placed_ = true;
    for (int i = 0; i < code.axes; ++i)
      bound.strides[most_axes - code.axes + i] = operand.strides[static_cast<std::size_t>(i)];
    return true;
  }

  bool bind_output(MapCode const& code, std::size_t j) {
    auto const slot = code.aot_outputs[j];
    int number = slot - first_output_slot;
    for (int s = 0; number < 0 && s < code.step_count; ++s) {
      auto const& step = code.steps[static_cast<std::size_t>(s)];
      if (step.operation == kernels::store && step.arguments[0] == slot) {
        number = step.destination;
        break;
      }
    }
    if (number < 0) return false;
    auto const& output = code.outputs[static_cast<std::size_t>(number)];
    outputs_[j] = {output.data, output.type, number};
    return output.type == DataType::f32 || output.type == DataType::f64;
  }

  KOKKOS_FUNCTION static T load(Operand const& operand, std::int64_t index,
                                std::int64_t const* place) {
    if (operand.data == nullptr) return operand.constant;
    auto const at = operand.linear ? index
                                   : place[0] * operand.strides[0] + place[1] * operand.strides[1] +
                                         place[2] * operand.strides[2];
    return operand.type == DataType::f64
               ? static_cast<T>(static_cast<double const*>(operand.data)[at])
               : static_cast<T>(static_cast<float const*>(operand.data)[at]);
  }

  std::int64_t extents_[most_axes] = {1, 1, 1};
  bool placed_ = false;
  Operand operands_[Aot::operands];
  Number<T> constants_[Aot::constants + 1] = {};
  Output outputs_[Aot::outputs];
};

}  // namespace lbann::kernels
