// One of two numbers by a third.
#pragma once

#include <array>

#include "schemas/expression/function_list.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::functions {

/// c is true unless 0 or NaN. The gradient goes to the number taken.
struct select {
  static constexpr std::string_view name = "select";
  static constexpr std::string_view summary = "x if c is true, else y";

  template <class T>
  LBANN_FUNCTION static T value(T c, T x, T y) {
    bool const taken = (c < T(0)) | (c > T(0));
    return taken ? x : y;
  }
  static Term derivative(std::array<Term, 3> const& x, Term, std::size_t index) {
    auto* const b = x[0].builder;
    auto const zero = b->constant(0), one = b->constant(1);
    if (index == 0) return zero;
    return index == 1 ? b->apply(Function::select, {x[0], one, zero})
                      : b->apply(Function::select, {x[0], zero, one});
  }
};

}  // namespace lbann::functions
