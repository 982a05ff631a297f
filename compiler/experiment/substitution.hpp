// `${...}` in the values of a document.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/expression.hpp"
#include "compiler/experiment/scope.hpp"

namespace lbann::compiler {

/// Replaces expressions by their values. Variables are evaluated when first used.
class Substitution {
 public:
  explicit Substitution(Report& report) : report_(report) {}

  /// Replaces every `${...}` of a scalar: one that is nothing but an expression takes the type of
  /// its value, and may become a list or a mapping; otherwise it is a text with values in it. `$${`
  /// is a literal `${`. False after a report.
  bool replace_scalar(Item& item, Scope& scope);

  /// The same in all scalars of an item but those under `x-` keys.
  bool replace_all(Item& item, Scope& scope);

  /// Evaluates all variables, so that those nothing uses are checked too.
  void evaluate_all(Scope& variables);

 private:
  std::optional<Operand> value_of(std::string_view expression, Item const& item, std::size_t offset,
                                  Scope& scope);
  std::optional<Operand> find(std::string_view name, Span place, Scope& scope);
  void evaluate(Scope::Binding& binding, Scope& scope);
  std::optional<Operand> environment(std::string_view name, Span place);
  bool take(Item& item, Operand const& value);

  Report& report_;
  std::size_t copied_ = 0;
};

}  // namespace lbann::compiler
