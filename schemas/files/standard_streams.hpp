// Standard input, output and error of a command.
#pragma once

#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

/// To be called first in `main`. Descriptors 0 to 2 that the command was started without are given
/// to /dev/null, so that no file it opens gets one of these numbers; input and output among them
/// refuse to be used. A pipe that nobody reads and a file that may grow no further (`ulimit -f`)
/// make writing fail, which has a message, and not the process end. Programs that it starts find
/// the system's own ways again.
void prepare_standard_streams();

/// Writes `text` to standard output at once. Lost text is a problem; what a reader no longer wants
/// (`| head`) is not.
Result<Success> print(std::string_view text);

}  // namespace lbann
