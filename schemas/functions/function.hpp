// The form of a scalar function's declaration: name, value and derivative in one place.
#pragma once

#include <cstddef>
#include <string_view>

#include "schemas/expression/builder.hpp"

/// Marks what runs on the host and on devices.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define LBANN_FUNCTION __host__ __device__ inline __attribute__((always_inline))
#else
#define LBANN_FUNCTION inline __attribute__((always_inline))
#endif

namespace lbann {

/// What the tables know of a function. A declaration is a struct in `schemas/functions/<name>.hpp`:
///
///     struct square {
///       static constexpr std::string_view name = "square";
///       static constexpr std::string_view summary = "x * x";
///       template <class T> LBANN_FUNCTION static T value(T x) { return x * x; }
///       // d value / d argument `index`; `result` is the value itself
///       static Term derivative(std::array<Term, 1> x, Term result, std::size_t index) { return 2.0
///       * x[0]; }
///     };
///
/// The number of `value`'s arguments is the length of derivative's array. `value` must vectorise:
/// no branches, no tables, no libm (but for what is rarely asked for); explicit std::fma is
/// welcome. Accuracy at most 2 ulp in f32 and f64. With `static constexpr bool zero_gradient_stays
/// = true` what it passes on of a gradient of 0 is 0, also where the derivative is infinite.
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
