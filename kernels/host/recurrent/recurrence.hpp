// CPU kernel of recurrent operators: each thread takes some samples through all steps. A step is
// products of register tiles, whose gates are computed while the tiles are in the first-level
// cache.
#pragma once

#include "kernels/host/recurrent/sample_panels.hpp"

namespace lbann::kernels::host {

/// `Tensors` says what a unit computes of its products: `GruTensors`, `LstmTensors`.
template <template <class> class Tensors, class T>
class Recurrence : public Kernel {
 public:
  explicit Recurrence(Call const& call)
      : tensors_(call),
        panels_(tensors_.samples),
        packed_(reinterpret_cast<T*>(call.scratch.data())) {}

  void run() override {
    auto const hidden = tensors_.hidden;
    if (tensors_.samples == 0 || hidden == 0) return;
    // The columns of a gate are the rows of its weights.
    auto const panels = column_panels<T>(hidden);
    for_each_task(gates * panels, [&](std::int64_t task, std::int64_t) {
      auto const gate = task / panels;
      StridedMatrix<T> const of_gate{tensors_.weights + gate * hidden * hidden, 1, hidden};
      pack_right_panel(of_gate, hidden, hidden, task % panels, packed_weights(gate, 0));
    });
    for_each_task(panels_.workers, [&](std::int64_t task, std::int64_t) { go(task); });
  }

  static bool fits(Call const& call) {
    Tensors<T> const tensors(call);
    SamplePanels const panels(tensors.samples);
    auto const needed =
        column_panels<T>(tensors.hidden) * tile_columns<T> * gates * tensors.hidden +
        panels.panels * 2 * panels.height * tensors.hidden +
        panels.workers * panels.height * gates * tile_width(tensors.hidden);
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  static constexpr std::int64_t gates = Tensors<T>::gates;

  /// Widest tile of a gate's product.
  static std::int64_t tile_width(std::int64_t hidden) {
    return std::min<std::int64_t>(tile_columns<T>, hidden);
  }

  T* packed_weights(std::int64_t gate, std::int64_t unit) const {
    auto const width = column_panels<T>(tensors_.hidden) * tile_columns<T>;
    return packed_ + (gate * width + unit) * tensors_.hidden;
  }

  /// All steps of a worker's panels.
  void go(std::int64_t worker) const {
    auto const hidden = tensors_.hidden, panel_size = panels_.height * hidden;
    auto const begin = panels_.first(worker), end = panels_.first(worker + 1);
    // States before and after a step, transposed as register tiles read them.
    T* before = packed_weights(gates, 0) + begin * 2 * panel_size;
    T* after = before + (end - begin) * panel_size;
    T* const tiles = packed_weights(gates, 0) + panels_.panels * 2 * panel_size +
                     worker * panels_.height * gates * tile_width(hidden);
    StridedMatrix<T> const first{tensors_.first, hidden, 1};
    for (auto panel = begin; panel < end; ++panel)
      pack_left_panel(static_cast<int>(panels_.height), first, panel * panels_.height,
                      panels_.rows(panel), 0, hidden, before + (panel - begin) * panel_size);
    for (std::int64_t step = 0; step < tensors_.steps; ++step) {
      for (std::int64_t unit = 0; unit < hidden; unit += tile_columns<T>)
        for (auto panel = begin; panel < end; ++panel)
          advance(panel, step, unit, before + (panel - begin) * panel_size,
                  after + (panel - begin) * panel_size, tiles);
      std::swap(before, after);
    }
  }

  /// Up to `tile_columns` units of a panel from `unit`.
  void advance(std::int64_t panel, std::int64_t step, std::int64_t unit, T const* before, T* after,
               T* tiles) const {
    auto const hidden = tensors_.hidden, height = panels_.height, width = tile_width(hidden);
    auto const units = std::min<std::int64_t>(tile_columns<T>, hidden - unit);
    auto const rows = panels_.rows(panel);
    for (std::int64_t gate = 0; gate < gates; ++gate)
      run_microkernel(height, before, packed_weights(gate, unit), PackedRows{tile_columns<T>},
                      hidden,
                      TileTarget<T>{tiles + gate * height * width, width, static_cast<int>(rows),
                                    static_cast<int>(units), false});
    for (std::int64_t row = 0; row < rows; ++row) {
      auto const sample = panel * height + row;
      T const* const tile = tiles + row * width;
      auto const tensors = tensors_;
#pragma omp simd
      for (std::int64_t i = 0; i < units; ++i)
        tensors.finish(sample, step, unit + i, tile + i, height * width);
      T const* const states = tensors.states + (sample * tensors.steps + step) * hidden;
      for (auto i = unit; i < unit + units; ++i) after[i * height + row] = states[i];
    }
    // Rows that are not there stay zeros.
    for (auto row = rows; row < height; ++row)
      for (auto i = unit; i < unit + units; ++i) after[i * height + row] = T(0);
  }

  Tensors<T> tensors_;
  SamplePanels panels_;
  T* packed_;
};

}  // namespace lbann::kernels::host
