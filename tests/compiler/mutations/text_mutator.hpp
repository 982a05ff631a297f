// Texts changed at random, in ways that keep them near to what they were.
#pragma once

#include <span>
#include <string>

#include "tests/support/mutated_case.hpp"

namespace lbann::testing {

/// `text` after a few changes of bytes, tokens, lines, values and nesting; pieces of `others` come
/// into it too.
std::string mutated(std::string text, std::span<std::string const> others, Choices& choices);

}  // namespace lbann::testing
