// What was allowed of the precision of products, for the process.
#include "kernels/device/device.hpp"

namespace lbann::device {

namespace {

bool allowed_tf32 = false;

}  // namespace

void allow_tf32(bool allowed) { allowed_tf32 = allowed; }
bool tf32_is_allowed() { return allowed_tf32; }

}  // namespace lbann::device
