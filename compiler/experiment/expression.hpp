// Arithmetic inside of `${...}`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lbann::compiler {

/// What an expression or a variable can be.
using Scalar = std::variant<std::int64_t, double, bool, std::string>;

/// The scalar a YAML 1.2 plain text is: integer, real, `true`, `false`, or the text itself.
Scalar scalar_of(std::string_view text);

/// Text that `scalar_of` reads back as the same scalar (texts as they are).
std::string to_text(Scalar const& scalar);

/// What is wrong with an expression; `syntax` or else a value (overflow, division by zero, text in
/// arithmetic). `at` counts bytes from the expression's begin.
struct ExpressionProblem {
  bool syntax = true;
  std::string words;
  std::size_t at = 0, length = 1;
};

/// Value of a variable, or nothing after the problem was dealt with by the one who looked it up.
/// `at` is where the name stands in the expression.
using Lookup = std::function<std::optional<Scalar>(std::string_view name, std::size_t at)>;

/// The value of an expression over numbers, names and + - * / // % ( ). Integers stay integers but
/// under `/`; `//` and `%` round towards minus infinity. Nothing after a problem: either in
/// `problem`, or told by `lookup`.
std::optional<Scalar> evaluate(std::string_view expression, Lookup const& lookup,
                               std::optional<ExpressionProblem>& problem);

}  // namespace lbann::compiler
