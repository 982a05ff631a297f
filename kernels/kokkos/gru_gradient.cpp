// Portable kernel of gru_gradient: two launches for each step, from the last to the first, a unit
// of a sample for each index.
#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/gru_gradient_tensors.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Gradients of the products of a unit of a sample for each index.
template <class T>
struct UnitGradients {
  GruGradientTensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    tensors.unit(index / tensors.hidden, step, index % tensors.hidden);
  }
};

/// Adds what the recurrent products pass back to the state before the step.
template <class T>
struct StateGradients {
  GruGradientTensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const hidden = tensors.hidden;
    auto const sample = index / hidden, unit = index % hidden;
    T const* const row = tensors.of_recurrent + (sample * tensors.steps + step) * 3 * hidden;
    T sum = 0;
    for (std::int64_t k = 0; k < 3 * hidden; ++k)
      sum += row[k] * tensors.weights[k * hidden + unit];
    tensors.back[index] += sum;
  }
};

template <class T>
class GruGradient : public Kernel {
 public:
  explicit GruGradient(Call const& call) : tensors_(call) {}

  void run() override {
    auto const units = tensors_.samples * tensors_.hidden;
    auto const cost = static_cast<double>(3 * units * tensors_.hidden);
    for (auto step = tensors_.steps; step-- > 0;) {
      launch(units, cost, UnitGradients<T>{tensors_, step});
      launch(units, cost, StateGradients<T>{tensors_, step});
    }
  }

 private:
  GruGradientTensors<T> tensors_;
};

}  // namespace

Implementation gru_gradient_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<GruGradient<decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
