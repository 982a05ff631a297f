// CPU kernel of the gradients of recurrent operators: each thread takes some samples from the last
// step to the first. What goes back to a state is a product of register tiles with the weights of
// all gates.
#pragma once

#include "kernels/host/recurrent/sample_panels.hpp"

namespace lbann::kernels::host {

/// `Tensors` says what goes back to a unit's products: `GruGradientTensors`, `LstmGradientTensors`.
template <template <class> class Tensors, class T>
class RecurrenceGradient : public Kernel {
 public:
  explicit RecurrenceGradient(Call const& call)
      : tensors_(call),
        panels_(tensors_.samples),
        weight_panels_(reinterpret_cast<T*>(call.scratch.data())),
        packed_(weight_panels_ +
                column_panels<T>(tensors_.hidden) * tile_columns<T> * gates * tensors_.hidden) {}

  void run() override {
    auto const hidden = tensors_.hidden;
    if (tensors_.samples == 0 || hidden == 0) return;
    StridedMatrix<T> const weights{tensors_.weights, hidden, 1};
    for_each_task(column_panels<T>(hidden), [&](std::int64_t task, std::int64_t) {
      pack_right_panel(weights, gates * hidden, hidden, task, weight_panels_);
    });
    for_each_task(panels_.workers, [&](std::int64_t task, std::int64_t) {
      for (auto step = tensors_.steps; step-- > 0;) go_back(task, step);
    });
  }

  static bool fits(Call const& call) {
    Tensors<T> const tensors(call);
    SamplePanels const panels(tensors.samples);
    auto const needed =
        column_panels<T>(tensors.hidden) * tile_columns<T> * gates * tensors.hidden +
        panels.panels * panels.height * gates * tensors.hidden;
    return static_cast<std::int64_t>(call.scratch.size()) >=
           needed * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  static constexpr std::int64_t gates = Tensors<T>::gates;

  /// One step of a worker's panels.
  void go_back(std::int64_t worker, std::int64_t step) const {
    auto const hidden = tensors_.hidden, rows = gates * hidden, height = panels_.height;
    auto const begin = panels_.first(worker), end = panels_.first(worker + 1);
    for (auto panel = begin; panel < end; ++panel) {
      auto const tensors = tensors_;
      auto const first = panel * height;
      for (auto sample = first; sample < first + panels_.rows(panel); ++sample)
#pragma omp simd
        for (std::int64_t i = 0; i < hidden; ++i) tensors.unit(sample, step, i);
      StridedMatrix<T> const gradients{tensors_.of_recurrent + step * rows, tensors_.steps * rows,
                                       1};
      pack_left_panel(static_cast<int>(height), gradients, first, panels_.rows(panel), 0, rows,
                      packed_ + first * rows);
    }
    for (std::int64_t unit = 0; unit < hidden; unit += tile_columns<T>) {
      auto const units = std::min<std::int64_t>(tile_columns<T>, hidden - unit);
      for (auto panel = begin; panel < end; ++panel)
        run_microkernel(
            height, packed_ + panel * height * rows, weight_panels_ + unit * rows,
            PackedRows{tile_columns<T>}, rows,
            TileTarget<T>{tensors_.back + panel * height * hidden + unit, hidden,
                          static_cast<int>(panels_.rows(panel)), static_cast<int>(units), true});
    }
  }

  Tensors<T> tensors_;
  SamplePanels panels_;
  T *weight_panels_, *packed_;
};

}  // namespace lbann::kernels::host
