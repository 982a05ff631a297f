// The device of a process.
#pragma once

#include <string>

#include "schemas/vocabulary/result.hpp"

namespace lbann::runtime {

/// Takes a device for the process that is number `rank_on_node` of its node. From then on a failure
/// of the device ends the whole job with one message, which names the instruction.
Result<Success> start_device(std::int64_t rank_on_node);

/// `device : NVIDIA H100 80GB HBM3, ...`; empty where kernels run on the host.
std::string device_line();

}  // namespace lbann::runtime
