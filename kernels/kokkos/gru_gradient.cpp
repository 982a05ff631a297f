// Portable kernel of gru_gradient: two launches for each step, from the last to the first.
#include "kernels/kokkos/gru_gradient_tensors.hpp"
#include "kernels/kokkos/recurrence.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation gru_gradient_kernel() {
  return recurrence_kernel<RecurrenceGradient, GruGradientTensors>();
}

}  // namespace lbann::kernels::kokkos
