// Portable kernel of matmul: register tiles on a CPU, an element for each thread of a device.
#include "kernels/kokkos/host_product.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/product_panels.hpp"
#include "kernels/kokkos/workers.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
class HostMatmul : public Kernel {
 public:
  explicit HostMatmul(Call const& call) {
    auto const& op = operator_of<operators::matmul>(call);
    auto const [rows, inner, columns] = extents_of_product(call);
    auto const type = call.inputs[0].type;
    auto const holder = holder_of_product(call, type);
    product_.tiling = tiling_for<T>(rows, inner, columns);
    product_.a = left_factor<T>(call);
    product_.b = right_factor<T>(call);
    product_.result = holder ? call.outputs[*holder].as<T>() : nullptr;
    product_.scratch = reinterpret_cast<T*>(call.scratch.data());
    if (!op.epilogue.empty()) {
      epilogue_ = bind_epilogue(op.epilogue, call, type, product_.result);
      product_.epilogue = &*epilogue_;
    }
  }
  void run() override { product_.run(); }

  static bool fits(Call const& call) {
    auto const [rows, inner, columns] = extents_of_product(call);
    auto const needed = scratch_elements<T>(tiling_for<T>(rows, inner, columns),
                                            !holder_of_product(call, call.inputs[0].type));
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  HostProduct<T> product_;
  std::optional<MapEngine> epilogue_;
};

/// An element of the product for each index.
template <class T>
struct DeviceElements {
  Strided<T> a, b;
  T* c;
  std::int64_t inner, columns;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const row = index / columns, column = index % columns;
    T sum = 0;
    for (std::int64_t k = 0; k < inner; ++k)
      sum += a.data[row * a.row + k * a.column] * b.data[k * b.row + column * b.column];
    c[index] = sum;
  }
};

template <class T>
class DeviceMatmul : public Kernel {
 public:
  explicit DeviceMatmul(Call const& call)
      : a_(left_factor<T>(call)), b_(right_factor<T>(call)), panels_(call, sizeof(T)) {
    inner_ = extents_of_product(call).inner;
  }

  void run() override {
    panels_.for_each([&](ProductPanel const& panel) {
      auto a = a_;
      a.data += panel.row * a.row;
      using Policy =
          Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_for(
          "matmul", Policy(0, panel.rows * panels_.columns()),
          DeviceElements<T>{a, b_, static_cast<T*>(panel.product), inner_, panels_.columns()});
    });
  }

  static bool fits(Call const& call) { return ProductPanels::fits(call, sizeof(T)); }

 private:
  Strided<T> a_, b_;
  ProductPanels panels_;
  std::int64_t inner_ = 0;
};

template <class T>
using Matmul = std::conditional_t<on_host, HostMatmul<T>, DeviceMatmul<T>>;

bool accepts(Call const& call) {
  auto const& op = operator_of<operators::matmul>(call);
  auto const type = call.inputs[0].type;
  if (type != DataType::f32 && type != DataType::f64) return false;
  if (op.epilogue.empty() ? call.outputs[0].type != type
                          : !bind_epilogue(op.epilogue, call, type, nullptr))
    return false;
  return type == DataType::f64 ? Matmul<double>::fits(call) : Matmul<float>::fits(call);
}

}  // namespace

Implementation matmul_kernel() {
  return {"kokkos", accepts, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64) return std::make_unique<Matmul<double>>(call);
            return std::make_unique<Matmul<float>>(call);
          }};
}

}  // namespace lbann::kernels::kokkos
