// The environment is the only way to tell libgomp, and exec the only way to tell it in time.
#include "runtime/execution/wait_policy.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace lbann::runtime {

void settle_wait_policy(char** arguments) {
  for (auto const* name : std::array{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
    if (std::getenv(name) != nullptr) return;
  if (::setenv("GOMP_SPINCOUNT", "1000", 0) != 0) return;
  ::execv("/proc/self/exe", arguments);
  // Where that is impossible the run goes on as OpenMP does by itself.
}

}  // namespace lbann::runtime
