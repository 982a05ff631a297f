// Portable kernels of recurrent operators: launches for each step, a unit of a sample for each
// index. `Tensors` says what a unit computes: `GruTensors`, `LstmTensors` and those of gradients.
#pragma once

#include "kernels/kokkos/functor_kernel.hpp"

namespace lbann::kernels::kokkos {

/// A unit of a sample for each index.
template <template <class> class Tensors, class T>
struct RecurrenceStep {
  Tensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    constexpr int gates = Tensors<T>::gates;
    auto const hidden = tensors.hidden;
    auto const sample = index / hidden, unit = index % hidden;
    T const* const before = tensors.before(sample, step);
    T sums[gates];
    for (int gate = 0; gate < gates; ++gate) {
      T const* const row = tensors.weights + (gate * hidden + unit) * hidden;
      T sum = 0;
      for (std::int64_t k = 0; k < hidden; ++k) sum += row[k] * before[k];
      sums[gate] = sum;
    }
    tensors.finish(sample, step, unit, sums, 1);
  }
};

/// All steps, from the first to the last.
template <template <class> class Tensors, class T>
class Recurrence : public Kernel {
 public:
  explicit Recurrence(Call const& call) : tensors_(call) {}

  void run() override {
    auto const units = tensors_.samples * tensors_.hidden;
    auto const cost = static_cast<double>(Tensors<T>::gates * units * tensors_.hidden);
    for (std::int64_t step = 0; step < tensors_.steps; ++step)
      launch(units, cost, RecurrenceStep<Tensors, T>{tensors_, step});
  }

 private:
  Tensors<T> tensors_;
};

/// Gradients of the products of a unit of a sample for each index.
template <template <class> class Tensors, class T>
struct UnitGradients {
  Tensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    tensors.unit(index / tensors.hidden, step, index % tensors.hidden);
  }
};

/// Adds what the recurrent products pass back to the state before the step.
template <template <class> class Tensors, class T>
struct StateGradients {
  Tensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const hidden = tensors.hidden, gates = Tensors<T>::gates * hidden;
    auto const sample = index / hidden, unit = index % hidden;
    T const* const row = tensors.of_recurrent + (sample * tensors.steps + step) * gates;
    T sum = 0;
    for (std::int64_t k = 0; k < gates; ++k) sum += row[k] * tensors.weights[k * hidden + unit];
    tensors.back[index] += sum;
  }
};

/// All steps, from the last to the first, two launches each.
template <template <class> class Tensors, class T>
class RecurrenceGradient : public Kernel {
 public:
  explicit RecurrenceGradient(Call const& call) : tensors_(call) {}

  void run() override {
    auto const units = tensors_.samples * tensors_.hidden;
    auto const cost = static_cast<double>(Tensors<T>::gates * units * tensors_.hidden);
    for (auto step = tensors_.steps; step-- > 0;) {
      launch(units, cost, UnitGradients<Tensors, T>{tensors_, step});
      launch(units, cost, StateGradients<Tensors, T>{tensors_, step});
    }
  }

 private:
  Tensors<T> tensors_;
};

/// The kernel `Of<Tensors, T>` for both floating-point types.
template <template <template <class> class, class> class Of, template <class> class Tensors>
Implementation recurrence_kernel() {
  return {"kokkos", one_type, [](Call const& call) {
            return with_floating(call.inputs[0].type, [&](auto zero) -> std::unique_ptr<Kernel> {
              return std::make_unique<Of<Tensors, decltype(zero)>>(call);
            });
          }};
}

}  // namespace lbann::kernels::kokkos
