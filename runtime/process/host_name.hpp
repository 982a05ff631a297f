// The name of the node.
#pragma once

#include <string>

namespace lbann::runtime {

/// The name of this node, as `hostname` prints it.
std::string host_name();

}  // namespace lbann::runtime
