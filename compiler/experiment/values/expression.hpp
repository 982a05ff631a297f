// Arithmetic, comparisons and choices inside of `${...}`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// A single value of an expression.
using Scalar = std::variant<std::int64_t, double, bool, std::string>;

/// What a name or an expression is: a single value, or a list, a mapping or nothing in a document.
struct Operand {
  Scalar scalar;
  Node const* node = nullptr;  ///< not owned; null for a single value

  Operand(Scalar value) : scalar(std::move(value)) {}
  explicit Operand(Node const* list) : node(list) {}
  friend bool operator==(Operand const& a, Scalar const& b) {
    return a.node == nullptr && a.scalar == b;
  }
};

/// The scalar a YAML 1.2 plain text is: integer, real, `true`, `false`, or the text itself.
Scalar scalar_of(std::string_view text);

/// What an node is in an expression; `node` must outlive it.
Operand operand_of(Node const& node);

/// Text that `scalar_of` reads back as the same scalar (texts as they are).
std::string to_text(Scalar const& scalar);

/// `is a list, not one value`, where one value is wanted.
std::string describe(Operand const& operand);

/// What is wrong with an expression; `syntax` or else a value (overflow, division by zero, text in
/// arithmetic). `at` counts bytes from the expression's begin.
struct ExpressionProblem {
  bool syntax = true;
  std::string words;
  std::size_t at = 0, length = 1;
};

/// What a name is looked up for: its value, or only whether there is such a name.
enum class Wanted : std::uint8_t { value, existence };

/// Value of a name (also `env:NAME`), or nothing after the problem was dealt with by the one who
/// looked it up; where only existence is wanted, any value says that the name exists. `at` is where
/// the name stands in the expression.
using Lookup =
    std::function<std::optional<Operand>(std::string_view name, std::size_t at, Wanted wanted)>;

/// The value of an expression, lowest binding first:
///
///     a if condition else b · or · and · not · == != < <= > >= · + - · * / // % · -a · list[i],
///     mapping[key] · numbers, 'text', true, false, names, (a), min(a, ...), max(a, ...), len(list)
///
/// Integers stay integers but under `/`; `//` and `%` round towards minus infinity. What is not
/// chosen is not evaluated, but its names must exist. Nothing after a problem: either in `problem`,
/// or told by `lookup`.
std::optional<Operand> evaluate(std::string_view expression, Lookup const& lookup,
                                std::optional<ExpressionProblem>& problem);

/// Checks syntax and names of an expression whose values are not known; false after a problem.
bool check_expression(std::string_view expression, Lookup const& lookup,
                      std::optional<ExpressionProblem>& problem);

}  // namespace lbann::compiler
