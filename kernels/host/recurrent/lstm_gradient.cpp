// CPU kernel of lstm_gradient.
#include "kernels/host/recurrent/recurrence_gradient.hpp"
#include "kernels/kokkos/lstm_gradient_tensors.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

Implementation lstm_gradient_kernel() {
  return recurrence_kernel<RecurrenceGradient, kokkos::LstmGradientTensors>();
}

}  // namespace lbann::kernels::host
