// Passes on programs checked by pairs of files: the program before, the program after.
#pragma once

#include <string>

#include "schemas/program/program.hpp"

namespace lbann::tests {

/// Runs `pass` on every `tests/compiler/passes/<name>/*.before` and compares the text with the
/// file `.after` beside it; every program must be sound before and after. Fails if there is none.
/// tests/support/expected.hpp says how the latter are accepted.
void check_cases(std::string const& name, void (*pass)(Program&));

/// The program in a text, which must be one.
Program program_of(std::string const& text);

}  // namespace lbann::tests
