// Bytecode of an expression bound to tensors: what the engine of map executes, tile by tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/kernel.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::kernels {

inline constexpr std::size_t max_steps = 160, max_scalars = 64, max_axes = 6;

/// How the elements of a tile are found in an operand.
enum class Access : std::uint8_t {
  linear,      ///< contiguous like the iteration space
  scalar,      ///< one element for all
  row,         ///< contiguous within a row (last collapsed axis); tiles stay within rows
  row_scalar,  ///< one element per row; tiles stay within rows
  expanded     ///< gathered into a register; tiles span short rows
};

struct CodeOperand {
  void const* data = nullptr;
  std::array<std::int64_t, max_axes> strides{};  ///< along collapsed axes
  DataType type = DataType::f32;
  Access access = Access::linear;
  std::uint8_t scalar = 0;  ///< its scalar slot, if one element at a time
};

struct CodeOutput {
  void* data = nullptr;
  DataType type = DataType::f32;
  bool shared = false;        ///< an operand lies, or may lie, in the same memory
  bool non_temporal = false;  ///< written with non-temporal stores; set by engines of CPUs
};

/// Numbers of slots, where a step finds a tile: registers, then operands and outputs used in place.
inline constexpr std::uint8_t first_operand_slot = max_registers;
inline constexpr std::uint8_t first_output_slot = first_operand_slot + max_operands;
inline constexpr std::uint8_t slot_count = first_output_slot + max_outputs;

/// What a step does. Values below `load` compute function number `operation / 8`; bit k of
/// `operation % 8` says that argument k is a scalar slot.
enum Operation : std::uint16_t { load = 0x1000, store, store_scalar, call_aot_kernel };

struct Step {
  std::uint16_t operation = 0;
  std::uint8_t destination = 0;
  std::array<std::uint8_t, 3> arguments{};
};

/// Everything a tile needs; plain data, copied to devices as it is.
struct MapCode {
  std::int64_t elements = 0;
  std::array<std::int64_t, max_axes> extents{};  ///< collapsed
  std::uint8_t axes = 0;
  bool rows_apart = false;  ///< tiles end with rows
  bool row_scalars = false;
  DataType compute = DataType::f32;
  std::uint8_t operand_count = 0, output_count = 0, constant_count = 0, scalar_step_count = 0;
  std::uint8_t step_count = 0;
  std::uint8_t aot_kernel = 0;  ///< number of the ahead-of-time kernel; 0 for none
  /// For `call_aot_kernel`: slots of its operands (scalar slots where the variant says so) and
  /// outputs, scalar slots of its constants, its variant.
  std::array<std::uint8_t, max_operands> aot_operands{};
  std::array<std::uint8_t, max_outputs> aot_outputs{};
  std::array<std::uint8_t, max_operands> aot_constants{};
  std::uint16_t aot_variant = 0;
  float cost = 0;  ///< estimated nanoseconds for an element on one core
  std::array<double, max_scalars> constants{};  ///< the first scalar slots
  std::array<Step, max_scalars> scalar_steps{};
  std::array<Step, max_steps> steps{};
  std::array<CodeOperand, max_operands> operands{};
  std::array<CodeOutput, max_outputs> outputs{};

  constexpr std::size_t last_axis() const { return axes == 0 ? 0 : (axes - 1u) % max_axes; }
  constexpr std::int64_t row_length() const { return axes == 0 ? 1 : extents[last_axis()]; }
};

/// What is compiled. Operands are broadcast to `shape`, outputs have it. An operand may be the same
/// memory as an output of the same element size; an operand whose address comes later (null) is
/// taken to be the same memory as any output.
struct MapRequest {
  Expression const& expression;
  DataType compute = DataType::f32;  ///< f32 or f64
  std::span<std::int64_t const> shape;
  std::span<View const> operands;
  std::span<View const> outputs;
  bool aot_kernels = true;  ///< whether ahead-of-time kernels may be used
};

/// Nothing if the request is beyond the engine: too many steps, registers or axes, types it does
/// not load, operands that overlap outputs otherwise than element by element.
std::optional<MapCode> assemble(MapRequest const& request);

}  // namespace lbann::kernels
