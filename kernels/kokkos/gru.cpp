// Portable kernel of gru. On a CPU each thread takes some samples through all steps: products of
// register tiles, whose gates are computed while they are hot. On a device a step after the other.
#include "kernels/kokkos/gru_weights.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/selection/list.hpp"
#include "schemas/functions/sigmoid.hpp"
#include "schemas/functions/tanh.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Tensors of a call.
template <class T>
struct GruTensors {
  std::int64_t samples, steps, hidden;
  T const *products, *first, *weights, *bias;
  T *states, *gates;

  explicit GruTensors(Call const& call)
      : samples(call.outputs[0].extents[0]),
        steps(call.outputs[0].extents[1]),
        hidden(call.outputs[0].extents[2]),
        products(call.inputs[0].as<T>()),
        first(call.inputs[1].as<T>()),
        weights(call.inputs[2].as<T>()),
        bias(call.inputs[3].as<T>()),
        states(call.outputs[0].as<T>()),
        gates(call.outputs[1].as<T>()) {}

  /// The state of a sample before a step.
  KOKKOS_FUNCTION T const* before(std::int64_t sample, std::int64_t step) const {
    return step == 0 ? first + sample * hidden : states + (sample * steps + step - 1) * hidden;
  }

  /// A unit of a sample's step, given its recurrent products without bias; gives its new state.
  KOKKOS_FUNCTION T finish(std::int64_t at, std::int64_t unit, T before, T of_reset, T of_update,
                           T of_fresh) const {
    T const* const p = products + at * 3 * hidden + unit;
    T* const kept = gates + at * 4 * hidden + unit;
    T const reset = functions::sigmoid::value(p[0] + (of_reset + bias[unit]));
    T const update = functions::sigmoid::value(p[hidden] + (of_update + bias[hidden + unit]));
    T const product = of_fresh + bias[2 * hidden + unit];
    T const fresh = functions::tanh::value(p[2 * hidden] + reset * product);
    kept[0] = reset;
    kept[hidden] = update;
    kept[2 * hidden] = fresh;
    kept[3 * hidden] = product;
    T const state = fresh + update * (before - fresh);
    states[at * hidden + unit] = state;
    return state;
  }
};

template <class T>
class HostGru : public Kernel {
 public:
  explicit HostGru(Call const& call)
      : tensors_(call),
        strips_(tensors_.samples),
        packed_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override {
    auto const hidden = tensors_.hidden;
    if (tensors_.samples == 0 || hidden == 0) return;
    // The columns of a gate are the rows of its weights.
    auto const panels = panels_of<T>(hidden);
    for_each_task(3 * panels, [&](std::int64_t task, std::int64_t) {
      auto const gate = task / panels;
      Strided<T> const of_gate{tensors_.weights + gate * hidden * hidden, 1, hidden};
      pack_panel(of_gate, hidden, hidden, task % panels, panel(gate, 0));
    });
    for_each_task(strips_.workers, [&](std::int64_t task, std::int64_t) { go(task); });
  }

  static bool fits(Call const& call) {
    GruTensors<T> const tensors(call);
    SampleStrips const strips(tensors.samples);
    auto const needed = panels_of<T>(tensors.hidden) * tile_columns<T> * 3 * tensors.hidden +
                        strips.strips * 2 * strips.height * tensors.hidden +
                        strips.workers * strips.height * 3 * tile_width(tensors.hidden);
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  /// Widest tile of a gate's product.
  static std::int64_t tile_width(std::int64_t hidden) {
    return std::min<std::int64_t>(tile_columns<T>, hidden);
  }

  T* panel(std::int64_t gate, std::int64_t unit) const {
    auto const width = panels_of<T>(tensors_.hidden) * tile_columns<T>;
    return packed_ + (gate * width + unit) * tensors_.hidden;
  }

  /// All steps of a worker's strips.
  void go(std::int64_t worker) const {
    auto const hidden = tensors_.hidden, strip_size = strips_.height * hidden;
    auto const begin = strips_.first(worker), end = strips_.first(worker + 1);
    // States before and after a step, transposed as register tiles read them.
    T* before = panel(3, 0) + begin * 2 * strip_size;
    T* after = before + (end - begin) * strip_size;
    T* const tiles = panel(3, 0) + strips_.strips * 2 * strip_size +
                     worker * strips_.height * 3 * tile_width(hidden);
    Strided<T> const first{tensors_.first, hidden, 1};
    for (auto strip = begin; strip < end; ++strip)
      pack_strip(static_cast<int>(strips_.height), first, strip * strips_.height,
                 strips_.rows(strip), 0, hidden, before + (strip - begin) * strip_size);
    for (std::int64_t step = 0; step < tensors_.steps; ++step) {
      for (std::int64_t unit = 0; unit < hidden; unit += tile_columns<T>)
        for (auto strip = begin; strip < end; ++strip)
          advance(strip, step, unit, before + (strip - begin) * strip_size,
                  after + (strip - begin) * strip_size, tiles);
      std::swap(before, after);
    }
  }

  /// Up to `tile_columns` units of a strip from `unit`.
  void advance(std::int64_t strip, std::int64_t step, std::int64_t unit, T const* before, T* after,
               T* tiles) const {
    auto const hidden = tensors_.hidden, height = strips_.height, width = tile_width(hidden);
    auto const units = std::min<std::int64_t>(tile_columns<T>, hidden - unit);
    auto const rows = strips_.rows(strip);
    for (std::int64_t gate = 0; gate < 3; ++gate)
      multiply_tile_of(height, before, panel(gate, unit), PackedRows{tile_columns<T>}, hidden,
                       TileTarget<T>{tiles + gate * height * width, width, static_cast<int>(rows),
                                     static_cast<int>(units), false});
    for (std::int64_t row = 0; row < rows; ++row) {
      auto const sample = strip * height + row;
      auto const at = sample * tensors_.steps + step;
      T const* const state = tensors_.before(sample, step) + unit;
      T const* const tile = tiles + row * width;
      auto const tensors = tensors_;
#pragma omp simd
      for (std::int64_t i = 0; i < units; ++i)
        tensors.finish(at, unit + i, state[i], tile[i], tile[height * width + i],
                       tile[2 * height * width + i]);
      T const* const states = tensors.states + at * hidden;
      for (auto i = unit; i < unit + units; ++i) after[i * height + row] = states[i];
    }
    // Rows that are not there stay zeros.
    for (auto row = rows; row < height; ++row)
      for (auto i = unit; i < unit + units; ++i) after[i * height + row] = T(0);
  }

  GruTensors<T> tensors_;
  SampleStrips strips_;
  T* packed_;
};

/// A unit of a sample for each index.
template <class T>
struct DeviceGruStep {
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
class DeviceGru : public Kernel {
 public:
  explicit DeviceGru(Call const& call) : tensors_(call) {}

  void run() override {
    using Policy =
        Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    for (std::int64_t step = 0; step < tensors_.steps; ++step)
      Kokkos::parallel_for("gru", Policy(0, tensors_.samples * tensors_.hidden),
                           DeviceGruStep<T>{tensors_, step});
  }

  static bool fits(Call const&) { return true; }

 private:
  GruTensors<T> tensors_;
};

template <class T>
using Gru = std::conditional_t<on_host, HostGru<T>, DeviceGru<T>>;

bool accepts_gru(Call const& call) {
  auto const type = call.inputs[0].type;
  if (type == DataType::f64) return Gru<double>::fits(call);
  return type == DataType::f32 && Gru<float>::fits(call);
}

}  // namespace

Implementation gru_kernel() {
  return {"kokkos", accepts_gru, [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64) return std::make_unique<Gru<double>>(call);
            return std::make_unique<Gru<float>>(call);
          }};
}

}  // namespace lbann::kernels::kokkos
