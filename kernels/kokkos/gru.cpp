// Portable kernel of gru: a launch for each step.
#include "kernels/kokkos/gru_tensors.hpp"
#include "kernels/kokkos/recurrence.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

Implementation gru_kernel() { return recurrence_kernel<Recurrence, GruTensors>(); }

}  // namespace lbann::kernels::kokkos
