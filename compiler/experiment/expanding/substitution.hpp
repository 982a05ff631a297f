// `${...}` in the values of a document.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/expanding/scope.hpp"
#include "compiler/experiment/values/expression.hpp"
#include "compiler/source/budget.hpp"

namespace lbann::compiler {

/// Where an expression stands in a text; `end` is that of its `}`, or npos.
struct FoundExpression {
  std::size_t dollar, end;
};

/// Replaces expressions by their values. Variables are evaluated when first used.
class Substitution {
 public:
  Substitution(Budget& budget, Report& report) : budget_(budget), report_(report) {}

  /// Replaces every `${...}` of a scalar: one that is nothing but an expression takes the type of
  /// its value, and may become a list or a mapping; otherwise it is a text with values in it. `$${`
  /// is a literal `${`. False after a report.
  bool replace_scalar(Node& node, Scope& scope);

  /// The same in all scalars of an node but those under `x-` keys.
  bool replace_all(Node& node, Scope& scope);

  /// Checks syntax and names of the expressions in an node that is not evaluated; false after a
  /// report.
  bool check_names(Node const& node, Scope& scope);

  /// Evaluates all variables, so that those nothing uses are checked too.
  void evaluate_all(Scope& variables);

 private:
  std::optional<Operand> value_of(std::string_view expression, Node const& node, std::size_t offset,
                                  Scope& scope);
  std::optional<Operand> find(std::string_view name, Span place, Scope& scope, Wanted wanted);
  Lookup lookup_in(Node const& node, std::size_t offset, Scope& scope);
  void report(ExpressionProblem const& problem, std::string_view expression, Node const& node,
              std::size_t offset);
  void evaluate(Scope::Binding& binding, Scope& scope);
  std::optional<Operand> environment(std::string_view name, Span place);
  bool take(Node& node, Operand const& value);
  bool closed(FoundExpression found, Node const& node);

  Budget& budget_;
  Report& report_;
  int depth_ = 0;          ///< of variables that are being evaluated, each for the one before
  bool too_deep_ = false;  ///< said once: each variable of a long chain would say it
};

}  // namespace lbann::compiler
