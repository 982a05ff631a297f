// Building expressions with the operators of C++, folding constants and merging equal nodes.
#pragma once

#include <initializer_list>
#include <span>

#include "schemas/expression/expression.hpp"

namespace lbann {

class ExpressionBuilder;

/// A value in the expression being built. `a + b`, `a * 2.0`, ... add nodes to its builder.
struct Term {
  ExpressionBuilder* builder = nullptr;
  std::uint32_t node = 0;
};

/// Whether a builder folds constants and drops neutral elements (x + 0, x * 1, x * 0), which is
/// algebra and may change the last bit, an infinity or the sign of a zero, or takes functions as
/// they come, as fusion must.
enum class Algebra : std::uint8_t { simplify, verbatim };

/// Builds one expression. Equal nodes are merged. Terms point to their builder: it must not move.
class ExpressionBuilder {
 public:
  explicit ExpressionBuilder(Algebra algebra = Algebra::simplify) : algebra_(algebra) {}
  ExpressionBuilder(ExpressionBuilder const&) = delete;
  ExpressionBuilder& operator=(ExpressionBuilder const&) = delete;

  Term operand(std::size_t number);
  Term constant(double value);
  /// `arguments` are as many as `function` takes.
  Term apply(Function function, std::initializer_list<Term> arguments);
  Term apply(Function function, std::span<Term const> arguments);
  /// Adds the nodes of `expression` with its operands replaced by `operands`; gives its outputs.
  std::vector<Term> inlined(Expression const& expression, std::vector<Term> const& operands);
  /// The same, and gives the terms of all nodes.
  std::vector<Term> inlined_nodes(Expression const& expression, std::vector<Term> const& operands);
  /// The finished expression: only what the outputs need, in order of evaluation (depth first from
  /// the first output, arguments from left to right: equal graphs give equal expressions).
  Expression finish(std::vector<Term> const& outputs) const;
  bool is_constant(Term term, double value) const;
  /// Whether `rounding`, to a type of 16 bits, leaves each of its values as it is.
  bool is_rounded(Term term, Function rounding) const;

 private:
  Term add(Node const& node);
  std::optional<Term> simplified(Function function, std::span<Term const> arguments);
  void grow_table();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;  ///< open addressing: node + 1 by hash, 0 for free
  Algebra algebra_;
};

Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator-(Term a);
Term operator+(Term a, double b);
Term operator-(Term a, double b);
Term operator*(Term a, double b);
Term operator/(Term a, double b);
Term operator+(double a, Term b);
Term operator-(double a, Term b);
Term operator*(double a, Term b);
Term operator/(double a, Term b);

/// For outputs o and operand k of `expression`: sum over o of gradient_o * d o / d operand_k, as an
/// expression whose operands are those of `expression`, then its outputs (values), then the output
/// gradients. An output without gradient is told by `has_gradient[o] == false`; nothing comes back
/// when the derivative is identically zero.
std::optional<Expression> gradient_of(Expression const& expression, std::size_t operand,
                                      std::vector<bool> const& has_gradient);

/// `consumer` with its operand `at` replaced by output `output` of `producer`; operands of the
/// result: those of `producer`, then those of `consumer` without `at`. Outputs: those of consumer,
/// then those of producer listed in `keep`. No function is folded or reordered.
Expression compose(Expression const& producer, std::size_t output, Expression const& consumer,
                   std::size_t at, std::vector<std::size_t> const& keep);

/// `expression` with operand i numbered `numbers[i]`; equal numbers merge operands.
Expression renumbered(Expression const& expression, std::vector<std::size_t> const& numbers);

/// The operands `expression` reads, ascending.
std::vector<std::size_t> used_operands(Expression const& expression);

}  // namespace lbann
