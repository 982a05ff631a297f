// Portable kernel of lstm: a launch for each step.
#include "kernels/kokkos/lstm_tensors.hpp"
#include "kernels/kokkos/recurrence.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation lstm_kernel() { return recurrence_kernel<Recurrence, LstmTensors>(); }

}  // namespace lbann::kernels::kokkos
