// Layers that are one expression of the entries of their inputs at the same place.
#pragma once

#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "compiler/layers/layer.hpp"
#include "compiler/layers/shape_rules.hpp"
#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"

namespace lbann::compiler::layers {

namespace detail {

inline ExpressionBuilder* builder_of(Term term, ExpressionBuilder*) { return term.builder; }
inline ExpressionBuilder* builder_of(double, ExpressionBuilder* found) { return found; }
inline Term as_term(Term term, ExpressionBuilder*) { return term; }
inline Term as_term(double number, ExpressionBuilder* build) { return build->constant(number); }

/// What `value` of a layer says of operands 0, 1, ...
Expression expression_of(Term (*value)(void const* layer, std::span<Term const> terms,
                                       DataType computed_in),
                         void const* layer, std::size_t operands, DataType computed_in);

/// The one map that a layer of `operands` inputs is.
void lower_to_map(LoweringContext& lowering, Expression expression, std::size_t operands);

}  // namespace detail

/// `function` of terms and numbers, at least one a term: `of(Function::maximum, x, 0.0)`.
template <class... Arguments>
Term of(Function function, Arguments... arguments) {
  ExpressionBuilder* build = nullptr;
  ((build = detail::builder_of(arguments, build)), ...);
  return build->apply(function, {detail::as_term(arguments, build)...});
}

/// 1 where y is neither infinite nor NaN, else 0.
inline Term is_finite(Term y) {
  return of(Function::less, of(Function::abs, y), std::numeric_limits<double>::infinity());
}

/// All of a layer of `operands` inputs of equal dims but name, fields, and what it computes:
///
///     struct softsign : elementwise<softsign, 1> {
///       static constexpr std::string_view name = "softsign";
///       static constexpr std::string_view summary = "x / (1 + |x|).";
///
///       Term value(Term x) const { return of(Function::softsign, x); }
///     };
///
/// `value` may ask for the type computed in, as a last argument. Its gradient is that of its
/// functions. Chains of such layers become one pass over memory.
template <class Self, int operands>
struct elementwise {
  static constexpr Arity parents{operands, operands}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const {
    return same_as_inputs(context);
  }

  /// `value` of operands 0, 1, ...
  Expression expression(DataType computed_in) const {
    return detail::expression_of(
        [](void const* self, std::span<Term const> terms, DataType type) {
          return value_of(*static_cast<Self const*>(self), terms, type,
                          std::make_index_sequence<std::size_t{operands}>{});
        },
        static_cast<Self const*>(this), operands, computed_in);
  }

  void lower(LoweringContext& lowering) const {
    detail::lower_to_map(lowering, expression(lowering.type()), operands);
  }

 private:
  template <std::size_t... i>
  static Term value_of(Self const& self, std::span<Term const> terms, DataType computed_in,
                       std::index_sequence<i...>) {
    if constexpr (requires { self.value(terms[i]..., computed_in); })
      return self.value(terms[i]..., computed_in);
    else
      return void(computed_in), self.value(terms[i]...);
  }
};

/// The same of one input and a number of the user's; `value` reads it as `constant`.
template <class Self>
struct elementwise_with_constant : elementwise<Self, 1> {
  double constant = 1;

  static constexpr auto fields() {
    return std::tuple{field("constant", &elementwise_with_constant::constant, "The number c.",
                            Presence::required)};
  }
};

}  // namespace lbann::compiler::layers
