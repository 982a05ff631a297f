// Depthwise convolutions and their input gradients on a CPU.
#pragma once

#include "kernels/host/convolution/channel_windows.hpp"
#include "kernels/host/map/engine.hpp"

namespace lbann::kernels::host {

/// Whether each channel has one filter of its own.
inline bool is_depthwise(WindowGeometry const& g) {
  return g.depth() == 1 && g.group_filters() == 1;
}

/// Used as `Correlation`; computes one channel of a sample (a plane) after the other.
template <class T>
class Depthwise {
 public:
  Depthwise(WindowGeometry const& geometry, bool gradient);

  static bool suits(WindowGeometry const& geometry, bool gradient) {
    return is_depthwise(geometry) && ChannelWindows<T>::suits(geometry, gradient);
  }

  std::int64_t scratch_elements(bool separate) const;
  void run(T const* source, T const* kernel, T* result, T* scratch,
           MapEngine const* epilogue) const;

 private:
  std::int64_t planes_, channels_, taps_;
  std::int64_t source_, result_;  ///< elements of a plane
  std::int64_t at_once_ = 1;
  ChannelWindows<T> windows_;
};

}  // namespace lbann::kernels::host
