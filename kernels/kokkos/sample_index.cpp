// Portable kernel of sample_index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

struct SampleIndex {
  std::int64_t const* first;
  std::int64_t* to;
  std::int64_t begin;  ///< of this rank's samples in the mini-batch
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = *first + begin + i; }
};

}  // namespace

Implementation sample_index_kernel() {
  return {"kokkos", [](Call const&) { return true; },
          [](Call const& call) {
            return functor_kernel(call.samples, static_cast<double>(call.samples),
                                  SampleIndex{call.inputs[0].as<std::int64_t>(),
                                              call.outputs[0].as<std::int64_t>(), call.begin[0]});
          }};
}

}  // namespace lbann::kernels::kokkos
