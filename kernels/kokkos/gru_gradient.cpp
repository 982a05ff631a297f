// Portable kernel of gru_gradient: from the last step to the first, on a CPU each thread with some
// samples; what goes back to a state is a product of register tiles with all three gates.
#include "kernels/kokkos/gru_weights.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Tensors of a call.
template <class T>
struct GruGradientTensors {
  std::int64_t samples, steps, hidden;
  T const *given, *states, *first, *weights, *gates;
  T *of_products, *of_recurrent;
  T* back;  ///< what goes back to the state before the current step, in the end to the first

  explicit GruGradientTensors(Call const& call)
      : samples(call.inputs[0].extents[0]),
        steps(call.inputs[0].extents[1]),
        hidden(call.inputs[0].extents[2]),
        given(call.inputs[0].as<T>()),
        states(call.inputs[1].as<T>()),
        first(call.inputs[2].as<T>()),
        weights(call.inputs[3].as<T>()),
        gates(call.inputs[4].as<T>()),
        of_products(call.outputs[0].as<T>()),
        of_recurrent(call.outputs[1].as<T>()),
        back(call.outputs[2].as<T>()) {}

  /// Gradients of a unit's products in a step; leaves in `back` what its state passes on by itself.
  KOKKOS_FUNCTION void unit(std::int64_t sample, std::int64_t step, std::int64_t i) const {
    auto const at = sample * steps + step;
    T const* const gate = gates + at * 4 * hidden + i;
    T const reset = gate[0], update = gate[hidden], fresh = gate[2 * hidden];
    T const product = gate[3 * hidden];
    T const before = step == 0 ? first[sample * hidden + i] : states[(at - 1) * hidden + i];
    T const later = step == steps - 1 ? T(0) : back[sample * hidden + i];
    T const gradient = given[at * hidden + i] + later;
    T const rest = T(1) - update;
    T const of_fresh = gradient * rest * (T(1) - fresh * fresh);
    T const of_update = gradient * (before - fresh) * update * rest;
    T const of_reset = of_fresh * product * reset * (T(1) - reset);
    T* const p = of_products + at * 3 * hidden + i;
    T* const q = of_recurrent + at * 3 * hidden + i;
    p[0] = q[0] = of_reset;
    p[hidden] = q[hidden] = of_update;
    p[2 * hidden] = of_fresh;
    q[2 * hidden] = of_fresh * reset;
    back[sample * hidden + i] = gradient * update;
  }
};

template <class T>
class HostGruGradient : public Kernel {
 public:
  explicit HostGruGradient(Call const& call)
      : tensors_(call),
        strips_(tensors_.samples),
        panels_(reinterpret_cast<T*>(call.scratch.data())),
        packed_(panels_ + panels_of<T>(tensors_.hidden) * tile_columns<T> * 3 * tensors_.hidden) {}

  void run() override {
    auto const hidden = tensors_.hidden;
    if (tensors_.samples == 0 || hidden == 0) return;
    Strided<T> const weights{tensors_.weights, hidden, 1};
    for_each_task(panels_of<T>(hidden), [&](std::int64_t task, std::int64_t) {
      pack_panel(weights, 3 * hidden, hidden, task, panels_);
    });
    for_each_task(strips_.workers, [&](std::int64_t task, std::int64_t) {
      for (auto step = tensors_.steps; step-- > 0;) go_back(task, step);
    });
  }

  static bool fits(Call const& call) {
    GruGradientTensors<T> const tensors(call);
    SampleStrips const strips(tensors.samples);
    auto const needed = panels_of<T>(tensors.hidden) * tile_columns<T> * 3 * tensors.hidden +
                        strips.strips * strips.height * 3 * tensors.hidden;
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  /// One step of a worker's strips.
  void go_back(std::int64_t worker, std::int64_t step) const {
    auto const hidden = tensors_.hidden, three = 3 * hidden, height = strips_.height;
    auto const begin = strips_.first(worker), end = strips_.first(worker + 1);
    for (auto strip = begin; strip < end; ++strip) {
      auto const tensors = tensors_;
      auto const first = strip * height;
      for (auto sample = first; sample < first + strips_.rows(strip); ++sample)
#pragma omp simd
        for (std::int64_t i = 0; i < hidden; ++i) tensors.unit(sample, step, i);
      Strided<T> const gradients{tensors_.of_recurrent + step * three, tensors_.steps * three, 1};
      pack_strip(static_cast<int>(height), gradients, first, strips_.rows(strip), 0, three,
                 packed_ + first * three);
    }
    for (std::int64_t unit = 0; unit < hidden; unit += tile_columns<T>) {
      auto const units = std::min<std::int64_t>(tile_columns<T>, hidden - unit);
      for (auto strip = begin; strip < end; ++strip)
        multiply_tile_of(
            height, packed_ + strip * height * three, panels_ + unit * three,
            PackedRows{tile_columns<T>}, three,
            TileTarget<T>{tensors_.back + strip * height * hidden + unit, hidden,
                          static_cast<int>(strips_.rows(strip)), static_cast<int>(units), true});
    }
  }

  GruGradientTensors<T> tensors_;
  SampleStrips strips_;
  T *panels_, *packed_;
};

template <class T>
struct DeviceUnits {
  GruGradientTensors<T> tensors;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    tensors.unit(index / tensors.hidden, step, index % tensors.hidden);
  }
};

template <class T>
struct DeviceBack {
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
class DeviceGruGradient : public Kernel {
 public:
  explicit DeviceGruGradient(Call const& call) : tensors_(call) {}

  void run() override {
    using Policy =
        Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    Policy const all(0, tensors_.samples * tensors_.hidden);
    for (auto step = tensors_.steps; step-- > 0;) {
      Kokkos::parallel_for("gru_gradient of units", all, DeviceUnits<T>{tensors_, step});
      Kokkos::parallel_for("gru_gradient of states", all, DeviceBack<T>{tensors_, step});
    }
  }

  static bool fits(Call const&) { return true; }

 private:
  GruGradientTensors<T> tensors_;
};

template <class T>
using GruGradient = std::conditional_t<on_host, HostGruGradient<T>, DeviceGruGradient<T>>;

bool accepts_gru_gradient(Call const& call) {
  auto const type = call.inputs[0].type;
  if (type == DataType::f64) return GruGradient<double>::fits(call);
  return type == DataType::f32 && GruGradient<float>::fits(call);
}

}  // namespace

Implementation gru_gradient_kernel() {
  return {"kokkos", accepts_gru_gradient, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64)
              return std::make_unique<GruGradient<double>>(call);
            return std::make_unique<GruGradient<float>>(call);
          }};
}

}  // namespace lbann::kernels::kokkos
