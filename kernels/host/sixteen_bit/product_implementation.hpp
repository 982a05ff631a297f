// The CPU implementation of an operator that multiplies two factors, by their type.
#pragma once

#include <memory>

#include "kernels/host/sixteen_bit/dispatch.hpp"

namespace lbann::kernels::host {

/// `K<T>` for factors of f32 and f64, with `static bool K<T>::fits(Call const&)`; for those of 16
/// bits what `sixteen_bit::Dispatch` chooses.
template <template <class> class K, bool (*takes_tiles)(Call const&),
          std::unique_ptr<Kernel> (*make_tiles)(Call const&)>
class ProductImplementation {
 public:
  static Implementation get() { return {"host", accepts, bind}; }

 private:
  static constexpr sixteen_bit::Dispatch of_sixteen_bits() {
    return {takes_tiles, make_tiles, accepts, bind};
  }

  static bool accepts(Call const& call) {
    auto const type = call.inputs[0].type;
    if (is_sixteen_bit(type)) return of_sixteen_bits().accepts(call);
    return type == DataType::f64 ? K<double>::fits(call) : K<float>::fits(call);
  }

  static std::unique_ptr<Kernel> bind(Call const& call) {
    auto const type = call.inputs[0].type;
    if (is_sixteen_bit(type)) return of_sixteen_bits().bind(call);
    if (type == DataType::f64) return std::make_unique<K<double>>(call);
    return std::make_unique<K<float>>(call);
  }
};

}  // namespace lbann::kernels::host
