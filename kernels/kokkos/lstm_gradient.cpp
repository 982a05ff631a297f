// Portable kernel of lstm_gradient: two launches for each step, from the last to the first.
#include "kernels/kokkos/lstm_gradient_tensors.hpp"
#include "kernels/kokkos/recurrence.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation lstm_gradient_kernel() {
  return recurrence_kernel<RecurrenceGradient, LstmGradientTensors>();
}

}  // namespace lbann::kernels::kokkos
