// Sums over windows of single channels on a CPU: depthwise convolutions, means of pooling windows,
// and their gradients towards the data.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/kokkos/plane_windows.hpp"
#include "kernels/kokkos/workers.hpp"

namespace lbann::kernels::kokkos {

/// result[n, c, p] = sum over taps of weights[c, tap] * source[n, c] seen from p through the tap.
template <class T>
class PlaneCorrelation {
 public:
  /// As in `PlaneWindows`.
  PlaneCorrelation(WindowGeometry const& g, bool gradient)
      : planes_(g.samples * g.channels),
        windows_(g, gradient),
        at_once_(std::clamp<std::int64_t>(piece / windows_.results(), 1, g.channels)) {}

  PlaneWindows<T> const& windows() const { return windows_; }

  /// For each worker a plane laid out and the results of a task. Declared by
  /// `rules::plane_scratch`.
  std::int64_t scratch_elements() const { return workers_for(tasks()) * slot(); }

  /// source(plane, room) gives a plane where it lies, which may be in `room` for one;
  /// weights(plane) its weights, one for each tap; finish(begin, end, results) takes results
  /// [begin, end), in C order, of whole planes.
  template <class Source, class Weights, class Finish>
  void run(Source const& source, Weights const& weights, T* scratch, Finish const& finish) const {
    std::array<bool, most_workers> has_margins{};
    for_each_task(tasks(), [&](std::int64_t task, std::int64_t worker) {
      T* const plane = scratch + worker * slot();
      T* const results = plane + windows_.elements();
      if (!has_margins[static_cast<std::size_t>(worker)])
        std::fill_n(plane, windows_.elements(), T(0));
      has_margins[static_cast<std::size_t>(worker)] = true;
      auto const first = task * at_once_, last = std::min(planes_, first + at_once_);
      for (auto p = first; p < last; ++p) {
        T* const to = results + (p - first) * windows_.results();
        windows_.lay_out(source(p, to), plane);
        windows_.correlate(plane, weights(p), to);
      }
      finish(first * windows_.results(), last * windows_.results(), results);
    });
  }

 private:
  /// Results of a task, about.
  static constexpr std::int64_t piece = 2048;

  std::int64_t tasks() const { return (planes_ + at_once_ - 1) / at_once_; }
  std::int64_t slot() const {
    auto const last = std::max(windows_.results(), windows_.sources()) + lanes<T>;
    return (windows_.elements() + (at_once_ - 1) * windows_.results() + last + 15) / 16 * 16;
  }

  std::int64_t planes_;
  PlaneWindows<T> windows_;
  std::int64_t at_once_;
};

}  // namespace lbann::kernels::kokkos
