// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann {

struct ChildOutcome {
  std::string output, errors;  ///< all it wrote to its standard output and error
  int exit_code = 0;           ///< of one that ended by itself, else 128 + the signal it died of
  bool stopped = false;        ///< it was not waited for, and is gone
};

/// Runs `words[0]`, looked up on PATH, with the other words as arguments and nothing to read, and
/// waits for its end, at most two seconds more once `stop` (asked again and again; null: never)
/// says that the answer is hardly wanted any more. The problem is the system's: there is no such
/// program, no more processes can be made.
Result<ChildOutcome> run_child(std::vector<std::string> const& words, bool (*stop)() = nullptr);

}  // namespace lbann
