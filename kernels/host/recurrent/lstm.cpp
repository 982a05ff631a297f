// CPU kernel of lstm.
#include "kernels/host/recurrent/recurrence.hpp"
#include "kernels/kokkos/lstm_tensors.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::host {

Implementation lstm_kernel() { return recurrence_kernel<Recurrence, kokkos::LstmTensors>(); }

}  // namespace lbann::kernels::host
