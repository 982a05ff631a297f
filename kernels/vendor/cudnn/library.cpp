// cuDNN's handle and the messages of its failures.
#include "kernels/vendor/cudnn/library.hpp"

#include <string>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"

namespace lbann::kernels::cudnn {

namespace {

/// Which library the program finds is decided on the machine that it runs on.
void check_version() {
  constexpr std::size_t oldest = 90800;
  auto const found = cudnnGetVersion();
  if (found < oldest)
    device::fail("the cuDNN found here is " + std::to_string(found / 10000) + '.' +
                 std::to_string(found / 100 % 100) +
                 ", 9.8 or later is needed: put one before it in LD_LIBRARY_PATH");
}

}  // namespace

void check(cudnnStatus_t status, char const* call) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  char details[512] = {};
  cudnnGetLastErrorString(details, sizeof details);
  device::fail("the CUDA device failed in " + std::string(call) + ": " +
               cudnnGetErrorString(status) + (details[0] == '\0' ? "" : ", ") + details);
}

cudnnHandle_t handle() {
  static cudnnHandle_t const opened = [] {
    check_version();
    cudnnHandle_t fresh = nullptr;
    check(cudnnCreate(&fresh), "cudnnCreate");
    check(cudnnSetStream(fresh, device::stream()), "cudnnSetStream");
    return fresh;
  }();
  return opened;
}

}  // namespace lbann::kernels::cudnn
