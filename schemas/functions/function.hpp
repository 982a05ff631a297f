// The form of a scalar function's declaration: name, value and derivative in one place.
#pragma once

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_info.hpp"

/// Marks what runs on the host and on devices.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define LBANN_FUNCTION __host__ __device__ inline __attribute__((always_inline))
#else
#define LBANN_FUNCTION inline __attribute__((always_inline))
#endif

// A declaration is a struct in `schemas/functions/<name>.hpp`:
//
//     struct square {
//       static constexpr std::string_view name = "square";
//       static constexpr std::string_view summary = "x * x";
//       template <class T> LBANN_FUNCTION static T value(T x) { return x * x; }
//       // d value / d argument `index`; `result` is the value itself
//       static Term derivative(std::array<Term, 1> x, Term result, std::size_t index) {
//         return 2.0 * x[0];
//       }
//     };
//
// The number of `value`'s arguments is the length of derivative's array. `value` must vectorise: no
// branches, no tables, no libm (but for what is rarely asked for); explicit std::fma is welcome.
// Accuracy at most 2 ulp in f32 and f64. With `static constexpr bool zero_gradient_stays = true` a
// gradient of 0 stays 0, also where the derivative is infinite.
