// What samples are used for in a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lbann {

/// LBANN's execution modes. A run passes through the first `run_modes`; samples of `tournament` are
/// held out for LTFB, those of `prediction` are for `lbann-run --predict` alone.
enum class ExecutionMode : std::uint8_t { training, validation, testing, tournament, prediction };

/// Modes that a run passes through.
inline constexpr std::size_t run_modes = 3;

/// The modes' names in messages and outputs, in the order of the enumerators.
inline constexpr std::array<std::string_view, 5> execution_mode_names = {
    "training", "validation", "testing", "tournament", "prediction"};

/// The `role` of a data reader whose samples are used in each mode.
inline constexpr std::array<std::string_view, 5> reader_role_names = {"train", "validate", "test",
                                                                      "tournament", "predict"};

constexpr std::string_view name_of(ExecutionMode mode) {
  return execution_mode_names[static_cast<std::size_t>(mode)];
}

/// The `role` of a data reader with the samples of `mode`.
inline std::string reader_role(ExecutionMode mode) {
  return std::string(reader_role_names[static_cast<std::size_t>(mode)]);
}

}  // namespace lbann
