// Kernels that are one functor launched over a range.
#pragma once

#include "kernels/conversion.hpp"
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

/// Whether all floating-point views of `call` have the type of its first input, f32 or f64.
inline bool one_type(Call const& call) {
  auto const type = call.inputs[0].type;
  auto fits = [&](View const& view) { return !is_floating(view.type) || view.type == type; };
  if (type != DataType::f32 && type != DataType::f64) return false;
  for (auto const& view : call.inputs)
    if (!fits(view)) return false;
  for (auto const& view : call.outputs)
    if (!fits(view)) return false;
  return true;
}

/// Calls f with a zero of `type`, f32 or f64.
template <class F>
decltype(auto) with_floating(DataType type, F&& f) {
  return type == DataType::f64 ? f(double{}) : f(float{});
}

}  // namespace lbann::kernels::kokkos
