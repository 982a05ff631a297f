// Portable kernel of gru: a launch for each step, a unit of a sample for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/gru_tensors.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// A unit of a sample for each index.
template <class T>
struct GruStep {
  GruTensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const hidden = tensors.hidden;
    auto const sample = index / hidden, unit = index % hidden;
    T const* const before = tensors.before(sample, step);
    T sums[3];
    for (int gate = 0; gate < 3; ++gate) {
      T const* const row = tensors.weights + (gate * hidden + unit) * hidden;
      T sum = 0;
      for (std::int64_t k = 0; k < hidden; ++k) sum += row[k] * before[k];
      sums[gate] = sum;
    }
    tensors.finish(sample * tensors.steps + step, unit, before[unit], sums[0], sums[1], sums[2]);
  }
};

template <class T>
class Gru : public Kernel {
 public:
  explicit Gru(Call const& call) : tensors_(call) {}

  void run() override {
    auto const units = tensors_.samples * tensors_.hidden;
    auto const cost = static_cast<double>(3 * units * tensors_.hidden);
    for (std::int64_t step = 0; step < tensors_.steps; ++step)
      launch(units, cost, GruStep<T>{tensors_, step});
  }

 private:
  GruTensors<T> tensors_;
};

}  // namespace

Implementation gru_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Gru<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
