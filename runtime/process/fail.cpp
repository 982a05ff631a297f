// On standard error, whatever else is printed.
#include "runtime/process/fail.hpp"

#include <cstdio>

namespace lbann::runtime {

int fail(std::string const& problem, int code) {
  if (!problem.empty()) std::fprintf(stderr, "lbann-run: error: %s\n", problem.c_str());
  return code;
}

}  // namespace lbann::runtime
