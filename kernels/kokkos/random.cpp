// Portable kernel of random: blocks of elements in parallel, each a pure function of its counter.
#include <cmath>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/normal.hpp"
#include "kernels/rows.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::kernels::kokkos {

namespace {

using operators::Distribution;

/// Counters drawn together: enough to fill vector registers on the host, one on a device.
constexpr int counters = on_host ? 16 : 1;
constexpr int block = 4 * counters;

template <class T>
struct Random {
  std::int64_t const *seed, *step, *first_sample;
  T* y;
  std::int64_t name, columns, blocks;  ///< blocks in a row
  double first, second, threshold;
  T below;  ///< the largest number below `second`
  Distribution distribution;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    std::int64_t const row = index / blocks, begin = index % blocks * block;
    auto const key = random_key(*seed, name);
    std::uint32_t words[block];
    auto const now = *step, sample = *first_sample + row;
    for (int j = 0; j < counters; ++j) {
      auto const four = philox(random_counter(now, sample, begin / 4 + j), key);
      for (int k = 0; k < 4; ++k) words[4 * j + k] = four[k];
    }
    int const count = static_cast<int>(columns - begin < block ? columns - begin : block);
    T* const to = y + row * columns + begin;
    switch (distribution) {
      case Distribution::uniform:
        for (int i = 0; i < count; ++i) {
          double const unit = sizeof(T) == 8 ? unit_double(words[i]) : double(unit_float(words[i]));
          T const value = static_cast<T>(first + (second - first) * unit);
          to[i] = first < second && value >= static_cast<T>(second) ? below : value;
        }
        return;
      case Distribution::normal:
        for (int i = 0; i < count; ++i)
          to[i] = static_cast<T>(first + second * normal_quantile((words[i] + 0.5) * 0x1p-32));
        return;
      case Distribution::bernoulli:
        for (int i = 0; i < count; ++i)
          to[i] = static_cast<double>(words[i]) < threshold ? static_cast<T>(second) : T(0);
        return;
    }
  }
};

}  // namespace

Implementation random_kernel() {
  return {"kokkos",
          [](Call const& call) {
            return call.outputs[0].type == DataType::f32 || call.outputs[0].type == DataType::f64;
          },
          [](Call const& call) {
            auto const& op = operator_of<operators::random>(call);
            auto const& y = call.outputs[0];
            // A tensor without mini-batch is drawn as one sample.
            auto const rows = op.shape.has_batch() ? rows_of(y) : Rows{1, y.elements()};
            auto const blocks = (rows.columns + block - 1) / block;
            return with_floating(y.type, [&](auto zero) {
              using T = decltype(zero);
              return functor_kernel(
                  rows.rows * blocks, 2.0 * static_cast<double>(rows.rows * rows.columns),
                  Random<T>{call.inputs[0].as<std::int64_t>(), call.inputs[1].as<std::int64_t>(),
                            call.inputs[2].as<std::int64_t>(), y.as<T>(), op.key, rows.columns,
                            blocks, op.first, op.second, op.first * 0x1p32,
                            std::nextafter(static_cast<T>(op.second), static_cast<T>(op.first)),
                            op.distribution});
            });
          }};
}

}  // namespace lbann::kernels::kokkos
