// Portable kernel of pooling: a window for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/windows.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::PoolMode;

template <class T, class Index>
struct Pooling {
  T const* x;
  T* y;
  WindowGeometry g;
  PoolMode mode;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    auto const [channel, p] = place_of(index, a.to, b.to, c.to);
    T const* const from = x + channel * g.entries();
    double sum = 0;
    T largest = lowest<T>();
    Index count = 0;
    for_each_entry(g, static_cast<Index>(p[0]), static_cast<Index>(p[1]), static_cast<Index>(p[2]),
                   [&](Index entry) {
                     auto const value = from[entry];
                     if (mode != PoolMode::max)
                       sum += static_cast<double>(value);
                     else if (count == 0 || value > largest)
                       largest = value;
                     ++count;
                   });
    if (mode == PoolMode::average) count = static_cast<Index>(g.taps());
    if (mode == PoolMode::max)
      y[index] = largest;
    else
      y[index] = count == 0 ? T(0) : static_cast<T>(sum / static_cast<double>(count));
  }
};

/// Windows of one entry, numbers of any type of a size.
template <class Unit>
struct PickEntry {
  Unit const* x;
  Unit* y;
  WindowGeometry g;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const &a = g.axes[0], &b = g.axes[1], &c = g.axes[2];
    auto const [channel, p] = place_of(index, a.to, b.to, c.to);
    auto const row = (channel * a.from + p[0] * a.stride) * b.from + p[1] * b.stride;
    y[index] = x[row * c.from + p[2] * c.stride];
  }
};

WindowGeometry geometry_of_call(Call const& call) {
  return pooling_geometry(operator_of<operators::pooling>(call), call.inputs[0], call.outputs[0]);
}

bool accepts(Call const& call) {
  return one_type(call) || (call.inputs[0].type == call.outputs[0].type &&
                            are_single_entries(geometry_of_call(call)));
}

}  // namespace

Implementation pooling_kernel() {
  return {"kokkos", accepts, [](Call const& call) {
            auto const& op = operator_of<operators::pooling>(call);
            auto const &x = call.inputs[0], &y = call.outputs[0];
            auto const g = geometry_of_call(call);
            if (are_single_entries(g))
              return with_unit(bytes_of(x.type), [&](auto unit) -> std::unique_ptr<Kernel> {
                using Unit = decltype(unit);
                return functor_kernel(y.elements(), static_cast<double>(y.elements()),
                                      PickEntry<Unit>{x.as<Unit>(), y.as<Unit>(), g});
              });
            return with_floating(x.type, [&](auto zero) -> std::unique_ptr<Kernel> {
              using T = decltype(zero);
              auto const cost = static_cast<double>(y.elements() * g.taps());
              if (is_short(g.entries()))
                return functor_kernel(y.elements(), cost,
                                      Pooling<T, std::int32_t>{x.as<T>(), y.as<T>(), g, op.mode});
              return functor_kernel(y.elements(), cost,
                                    Pooling<T, std::int64_t>{x.as<T>(), y.as<T>(), g, op.mode});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
