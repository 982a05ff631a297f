// Whether this machine can execute the instructions this binary was compiled to.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace lbann::runtime {

/// One extension of the instruction set.
struct InstructionSet {
  std::string_view name;
  bool used;     ///< this binary was compiled with it
  bool present;  ///< this machine has it
};

inline constexpr std::size_t instruction_set_count = 12;

/// The extensions the build option `cpu` may enable. The function itself runs on any x86-64.
std::array<InstructionSet, instruction_set_count> instruction_sets();

/// The error message, or an empty text if all used extensions are present.
std::string missing_instruction_sets(std::span<InstructionSet const> sets);

}  // namespace lbann::runtime
