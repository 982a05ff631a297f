// What expressions know of the scalar functions that they are made of.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "schemas/expression/builder.hpp"

namespace lbann {

/// A scalar function without its C++ type. `schemas/functions` declares the functions and holds
/// the table that these functions look into.
struct FunctionInfo {
  std::string_view name;
  std::string_view summary;
  std::size_t arity;
  Term (*derivative)(Term const* arguments, Term result, std::size_t index);
  double (*value)(double const* arguments);  ///< in f64, for folding constants
  bool zero_gradient_stays;
};

/// The declaration behind `function`, which must be in the list.
FunctionInfo const& info_of(Function function);
std::optional<Function> function_named(std::string_view name);
std::size_t function_count();

}  // namespace lbann
