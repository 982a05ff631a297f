// Convolutions and their gradients towards the data on a CPU, of many channels or of single ones.
#pragma once

#include <optional>

#include "kernels/kokkos/correlation.hpp"
#include "kernels/kokkos/plane_correlation.hpp"
#include "kernels/kokkos/streams.hpp"

namespace lbann::kernels::kokkos {

/// Whether each channel has one filter of its own.
inline bool is_depthwise(WindowGeometry const& g) {
  return g.depth() == 1 && g.group_filters() == 1;
}

/// As `Correlation`; depthwise ones, which memory bounds, by `PlaneCorrelation` where `scratch`, of
/// so many elements, holds their planes.
template <class T>
class HostCorrelation {
 public:
  HostCorrelation(WindowGeometry const& g, bool gradient, std::int64_t scratch)
      : taps_(g.taps()), channels_(g.channels) {
    if (is_depthwise(g) && PlaneWindows<T>::suits(g)) planes_.emplace(g, gradient);
    if (planes_ && planes_->scratch_elements() > scratch) planes_.reset();
    if (!planes_) tiles_.emplace(g, gradient);
    elements_ = g.samples * g.channels * (gradient ? g.entries() : g.positions());
  }

  std::int64_t scratch_elements(bool separate) const {
    return planes_ ? planes_->scratch_elements() : tiles_->scratch_elements(separate);
  }

  /// `result` may be null: then parts of it lie in scratch for `epilogue`.
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const {
    if (tiles_) return tiles_->run(source, kernel, result, scratch, epilogue);
    auto const& windows = planes_->windows();
    bool const streams = is_streamed(result, elements_, lanes<T>, streamed_in_order());
    planes_->run([&](std::int64_t plane, T*) { return source + plane * windows.sources(); },
                 [&](std::int64_t plane) { return kernel + plane % channels_ * taps_; }, scratch,
                 [&](std::int64_t begin, std::int64_t end, T const* results) {
                   if (epilogue != nullptr) return epilogue->run(begin, end, results);
                   put(result + begin, results, end - begin, streams);
                   if (streams) finish_streams();
                 });
  }

 private:
  std::int64_t taps_ = 1, channels_ = 1, elements_ = 0;
  std::optional<Correlation<T>> tiles_;
  std::optional<PlaneCorrelation<T>> planes_;
};

}  // namespace lbann::kernels::kokkos
