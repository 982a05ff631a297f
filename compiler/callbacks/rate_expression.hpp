// Expressions that users write for learning rates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "schemas/expression/expression.hpp"

namespace lbann::callbacks {

/// Operands of the expression of a learning rate.
enum class RateOperand : std::uint8_t { step, steps_per_epoch, first };
inline constexpr std::size_t rate_operands = 3;

/// The expression that `text` says, lowest binding first:
///
///     a if condition else b · or · and · not · == != < <= > >= · + - · * / // % · -a · a ** b ·
///     numbers, names, true, false, (a), function(a, ...)
///
/// `//` rounds towards minus infinity and `%` leaves what it drops, as in Python; what is true is 1
/// and what is false 0, and other numbers than 0 are true. Functions are those of
/// `schemas/functions`, and `min` and `max` of two numbers or more. In place of an expression, what
/// is wrong with the text. `max_epochs` is 0 where training has no number of epochs.
std::variant<Expression, std::string> rate_expression(std::string_view text,
                                                      std::int64_t max_epochs);

}  // namespace lbann::callbacks
