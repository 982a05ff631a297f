// Portable kernels that are one functor launched over a range.
#pragma once

#include "kernels/element_types.hpp"
#include "kernels/kernel.hpp"
#include "kernels/kokkos/launch.hpp"

namespace lbann::kernels::kokkos {

template <class Functor>
class FunctorKernel : public Kernel {
 public:
  FunctorKernel(std::int64_t count, double cost, Functor functor)
      : count_(count), cost_(cost), functor_(functor) {}
  void run() override { launch(count_, cost_, functor_); }

 private:
  std::int64_t count_;
  double cost_;
  Functor functor_;
};

/// A kernel that calls functor(i) for i in [0, count); `cost` as in `launch`.
template <class Functor>
std::unique_ptr<Kernel> functor_kernel(std::int64_t count, double cost, Functor functor) {
  return std::make_unique<FunctorKernel<Functor>>(count, cost, functor);
}

}  // namespace lbann::kernels::kokkos
