// What the values of fields must keep, checked where a text is compiled and where a plan is read.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "schemas/vocabulary/field.hpp"

namespace lbann {

/// What a range holds, in words: `at least 1 and below 10`; empty if all numbers.
std::string describe(Range range);

/// A field with a value that it must not have, and what is wrong with it.
struct FieldProblem {
  std::string_view field;
  std::string words;
};

/// The first field that holds a number outside of its range or one that is not finite, unless it is
/// the default; nothing if there is none. `defaults`: the same fields of an object of its own.
std::optional<FieldProblem> verify(std::span<FieldView const> fields,
                                   std::span<FieldView const> defaults);

/// The first field that asks for what is not supported yet; nothing if there is none.
std::optional<FieldProblem> find_unimplemented(std::span<FieldView const> fields,
                                               std::span<FieldView const> defaults);

}  // namespace lbann
