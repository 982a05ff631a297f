// The name of the node.
#include "runtime/process/host_name.hpp"

#include <unistd.h>

#include <array>

namespace lbann::runtime {

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace lbann::runtime
