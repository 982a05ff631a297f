// CPU kernel of gru.
#include "kernels/host/recurrent/recurrence.hpp"
#include "kernels/kokkos/gru_tensors.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

Implementation gru_kernel() { return recurrence_kernel<Recurrence, kokkos::GruTensors>(); }

}  // namespace lbann::kernels::host
