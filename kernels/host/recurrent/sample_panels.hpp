// Samples shared out to threads in panels of rows of the microkernel.
#pragma once

#include "kernels/host/products/packing.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

/// Samples in panels of one height, and how many panels each worker takes through all steps.
/// Results do not depend on how panels are shared out.
struct SamplePanels {
  std::int64_t samples, height, panels, workers;

  explicit SamplePanels(std::int64_t of) : samples(of) {
    auto const threads = workers_for(std::max<std::int64_t>(samples, 1));
    height = panel_height(std::min<std::int64_t>((samples + threads - 1) / threads, tile_rows));
    panels = (samples + height - 1) / height;
    workers = std::max<std::int64_t>(workers_for(panels), 1);
  }

  std::int64_t first(std::int64_t worker) const { return panels * worker / workers; }
  /// Samples of a panel.
  std::int64_t rows(std::int64_t panel) const { return std::min(height, samples - panel * height); }
};

/// Panels of packed columns that `columns` columns take.
template <class T>
constexpr std::int64_t column_panels(std::int64_t columns) {
  return (columns + tile_columns<T> - 1) / tile_columns<T>;
}

/// The kernel `Of<Tensors, T>` for both floating-point types, where its scratch memory suffices.
template <template <template <class> class, class> class Of, template <class> class Tensors>
Implementation recurrence_kernel() {
  return {"host",
          [](Call const& call) {
            auto const type = call.inputs[0].type;
            if (type == DataType::f64) return Of<Tensors, double>::fits(call);
            return type == DataType::f32 && Of<Tensors, float>::fits(call);
          },
          [](Call const& call) -> std::unique_ptr<Kernel> {
            if (call.inputs[0].type == DataType::f64)
              return std::make_unique<Of<Tensors, double>>(call);
            return std::make_unique<Of<Tensors, float>>(call);
          }};
}

}  // namespace lbann::kernels::host
