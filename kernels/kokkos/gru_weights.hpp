// Recurrent weights in the order of register tiles, and samples dealt to threads in strips.
#pragma once

#include "kernels/kokkos/strips.hpp"
#include "kernels/kokkos/workers.hpp"

namespace lbann::kernels::kokkos {

/// Strips of samples of one height, so many for each of the threads that take part. A thread goes
/// through all steps of its strips by itself; no bit depends on how they are dealt.
struct SampleStrips {
  std::int64_t samples, height, strips, workers;

  explicit SampleStrips(std::int64_t of) : samples(of) {
    auto const threads = workers_for(std::max<std::int64_t>(samples, 1));
    height = strip_height(std::min<std::int64_t>((samples + threads - 1) / threads, tile_rows));
    strips = (samples + height - 1) / height;
    workers = std::max<std::int64_t>(workers_for(strips), 1);
  }

  std::int64_t first(std::int64_t worker) const { return strips * worker / workers; }
  /// Samples of a strip.
  std::int64_t rows(std::int64_t strip) const { return std::min(height, samples - strip * height); }
};

/// Panels of `columns` columns.
template <class T>
constexpr std::int64_t panels_of(std::int64_t columns) {
  return (columns + tile_columns<T> - 1) / tile_columns<T>;
}

}  // namespace lbann::kernels::kokkos
