// cuDNN, opened once on the device's stream.
#pragma once

#include <cudnn.h>

#if CUDNN_VERSION < 90800
#error "cuDNN 9.8 or later is needed; configure with -Dcudnn=disabled to do without"
#endif

namespace lbann::kernels::cudnn {

/// Ends the process where `status` is a failure of `call`.
void check(cudnnStatus_t status, char const* call);

/// The library on the device's stream.
cudnnHandle_t handle();

}  // namespace lbann::kernels::cudnn
