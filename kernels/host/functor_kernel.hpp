// CPU kernels that are one functor called for a range of indices.
#pragma once

#include "kernels/element_types.hpp"
#include "kernels/kernel.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

template <class Functor>
class FunctorKernel : public Kernel {
 public:
  FunctorKernel(std::int64_t count, double cost, Functor functor)
      : count_(count), cost_(cost), functor_(functor) {}
  void run() override { launch_on_threads(count_, cost_, functor_); }

 private:
  std::int64_t count_;
  double cost_;
  Functor functor_;
};

/// A kernel that calls functor(i) for i in [0, count); `cost` as in `launch_on_threads`.
template <class Functor>
std::unique_ptr<Kernel> functor_kernel(std::int64_t count, double cost, Functor functor) {
  return std::make_unique<FunctorKernel<Functor>>(count, cost, functor);
}

}  // namespace lbann::kernels::host
