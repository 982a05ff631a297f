#pragma once

#include "compiler/layers/elementwise.hpp"

namespace lbann::compiler::layers {

/// Inverse of the error function; infinite, with a gradient of 0, at and beyond -1 and 1.
struct erf_inv : elementwise<erf_inv, 1> {
  static constexpr std::string_view name = "erf_inv";
  static constexpr std::string_view summary = "Inverse of the error function.";

  Term value(Term x) const { return of(Function::erfinv, x); }
};

}  // namespace lbann::compiler::layers
