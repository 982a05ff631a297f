#pragma once

#include "compiler/initializers/initializer.hpp"

namespace lbann::compiler::initializers {

/// Numbers that every rank reads from a file when a run begins; no instruction writes them.
struct numpy_initializer {
  static constexpr std::string_view name = "numpy_initializer";
  static constexpr std::string_view summary =
      "Numbers from a .npy file, read by every process when a run begins.";
  static constexpr std::string_view formula = "w[i] = entry i of the file, both in C order";
  static constexpr bool needs_fans = false;

  std::string file;

  static constexpr auto fields() {
    return std::tuple{path(field(
        "file", &numpy_initializer::file,
        "The file, of float32 or float64 in C order, with as many numbers as the weights have "
        "entries; looked up as data files are.",
        Presence::required))};
  }
};

}  // namespace lbann::compiler::initializers
