// What the derivatives of scalar functions name, for NVRTC, by which none is taken: it stands for
// the headers of schemas/expression.
// Included by several names, each of which is a file to `#pragma once`.
#ifndef LBANN_NVRTC_EXPRESSION
#define LBANN_NVRTC_EXPRESSION

#include <cstdint>

#include "schemas/expression/function_list.hpp"

namespace lbann {

struct ExpressionBuilder;
struct Term {
  ExpressionBuilder* builder;
  std::uint32_t node;
};
struct ExpressionBuilder {
  Term constant(double) { return {}; }
  template <int n>
  Term apply(Function, Term const (&)[n]) {
    return {};
  }
};

#define LBANN_OPERATOR(SIGN)                              \
  inline Term operator SIGN(Term a, Term) { return a; }   \
  inline Term operator SIGN(Term a, double) { return a; } \
  inline Term operator SIGN(double, Term b) { return b; }
LBANN_OPERATOR(+)
LBANN_OPERATOR(-)
LBANN_OPERATOR(*)
LBANN_OPERATOR(/)
#undef LBANN_OPERATOR
inline Term operator-(Term a) { return a; }

}  // namespace lbann

#endif
