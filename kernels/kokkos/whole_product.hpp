// A product computed whole by a launch, then finished by its epilogue in another.
#pragma once

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/map_engine.hpp"
#include "kernels/map/epilogue.hpp"

namespace lbann::kernels::kokkos {

/// Where a product of `elements` lies, in an output or in scratch, and its epilogue bound to it.
/// `T`: the type of its factors.
template <class T>
class WholeProduct {
 public:
  using Sum = ComputeType<T>;

  WholeProduct(Expression const& epilogue, Call const& call) {
    auto const type = type_of_product(call);
    auto const holder = holder_of_product(call, type);
    product_ =
        holder ? call.outputs[*holder].as<Sum>() : reinterpret_cast<Sum*>(call.scratch.data());
    if (!epilogue.empty()) epilogue_ = bind_epilogue<MapEngine>(epilogue, call, type, product_);
  }

  static bool fits(Expression const& epilogue, Call const& call) {
    // Kernels of vendors' libraries have f32 and f64 alone, and ask with f32 for 16 bits, too.
    if (is_sixteen_bit(call.inputs[0].type) != (sizeof(T) == 2)) return false;
    if (!stores_product<MapEngine>(epilogue, call)) return false;
    return holder_of_product(call, type_of_product(call)).has_value() ||
           static_cast<std::int64_t>(call.scratch.size()) >=
               call.outputs[0].elements() * static_cast<std::int64_t>(sizeof(Sum));
  }

  Sum* data() const { return product_; }

  /// Launches `elements`, which compute the product, one for each index; `cost` as in `launch`.
  template <class Elements>
  void run(std::int64_t count, double cost, Elements const& elements) const {
    launch(count, cost, elements);
    finish();
  }

  /// Launches the epilogue of a product that was computed at `data`.
  void finish() const {
    if (epilogue_) epilogue_->run_parallel();
  }

 private:
  Sum* product_ = nullptr;
  std::optional<MapEngine> epilogue_;
};

}  // namespace lbann::kernels::kokkos
