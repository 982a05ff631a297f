// Position of a process, kept where signal handlers can read it.
#include "runtime/process/position.hpp"

#include <cstdio>

namespace lbann::runtime {

void keep_position() {
  static char kept[1000];
  auto const* const description = position().load();
  if (description == nullptr || description == kept) return;
  std::snprintf(kept, sizeof kept, "%s", description);
  position().store(kept);
}

}  // namespace lbann::runtime
