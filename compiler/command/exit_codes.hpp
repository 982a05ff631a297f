// How lbann-compile ends, and how it says why.
#pragma once

#include <string>
#include <string_view>

namespace lbann::compiler {

/// Part of what scripts rely on: documented in docs/ci.md.
enum ExitCode {
  good = 0,
  wrong_experiment = 1,
  wrong_command_line = 2,
  file_problem = 3,     ///< a file cannot be read or written
  unknown_outcome = 5,  ///< not wrong as far as can be told here, where data are not
  internal_error = 70   ///< a fault of the compiler
};

/// The code of two experiments together.
int worse(int code, int other);

/// Writes `lbann-compile: message` to standard error; gives `code`.
int fail(ExitCode code, std::string const& message);

/// Prints all that the command was asked for.
int give(std::string_view text);

/// `text` and blanks up to `width`.
std::string padded(std::string_view text, std::size_t width);

}  // namespace lbann::compiler
