// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

struct ChildOutcome {
  std::string output, errors;  ///< all it wrote to its standard output and error
  int exit_code = 0;           ///< of one that ended by itself, else 128 + the signal it died of
};

/// Runs `words[0]`, looked up on PATH, with the other words as arguments and nothing to read, and
/// waits for its end. The problem is the system's: there is no such program, no more processes can
/// be made.
Result<ChildOutcome> run_child(std::vector<std::string> const& words);

}  // namespace lbann::runtime
