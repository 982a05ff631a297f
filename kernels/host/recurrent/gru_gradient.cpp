// CPU kernel of gru_gradient.
#include "kernels/host/recurrent/recurrence_gradient.hpp"
#include "kernels/kokkos/gru_gradient_tensors.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

Implementation gru_gradient_kernel() {
  return recurrence_kernel<RecurrenceGradient, kokkos::GruGradientTensors>();
}

}  // namespace lbann::kernels::host
