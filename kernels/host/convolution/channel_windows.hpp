// Depthwise correlation and its transpose, and how channels are shared out to threads.
#pragma once

#include <algorithm>
#include <variant>

#include "kernels/host/convolution/depthwise_forward.hpp"
#include "kernels/host/convolution/depthwise_input_gradient.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

/// `DepthwiseForward`, or with `gradient` its transpose. The transpose of windows of stride 1 is a
/// forward correlation with reversed weights.
template <class T>
class ChannelWindows {
 public:
  ChannelWindows(WindowGeometry const& g, bool gradient)
      : algorithm_(!gradient      ? Algorithm(DepthwiseForward<T>(g, false))
                   : has_steps(g) ? Algorithm(DepthwiseInputGradient<T>(g))
                                  : Algorithm(DepthwiseForward<T>(reversed(g), true))) {}

  static bool suits(WindowGeometry const& g, bool gradient) {
    if (!gradient) return DepthwiseForward<T>::suits(g);
    return has_steps(g) ? DepthwiseInputGradient<T>::suits(g)
                        : DepthwiseForward<T>::suits(reversed(g));
  }

  /// One channel of a sample with one weight for each tap. Prefetches the next channel if there are
  /// `more`.
  void run(T const* source, T const* weights, T* results, bool more) const {
    std::visit([&](auto const& algorithm) { algorithm.run(source, weights, results, more); },
               algorithm_);
  }

 private:
  using Algorithm = std::variant<DepthwiseForward<T>, DepthwiseInputGradient<T>>;

  static bool has_steps(WindowGeometry const& g) {
    return std::ranges::any_of(g.axes, [](WindowAxis const& axis) { return axis.stride != 1; });
  }
  static WindowGeometry reversed(WindowGeometry g) {
    for (auto& axis : g.axes) {
      std::swap(axis.from, axis.to);
      axis.padding = (axis.taps - 1) * axis.dilation - axis.padding;
    }
    return g;
  }

  Algorithm algorithm_;
};

/// Channels of samples ("planes"), of `elements` each, that are one task; at most `most`. Many,
/// since the first plane of a task is not prefetched; few enough that threads get equal shares.
inline std::int64_t planes_at_once(std::int64_t planes, std::int64_t most, std::int64_t elements) {
  constexpr std::int64_t least = 4096, largest = 65536, enough_tasks = 64;
  auto const size = std::max<std::int64_t>(elements, 1);
  auto const fewest = least / size, most_planes = std::max<std::int64_t>(largest / size, 8);
  return std::clamp<std::int64_t>(std::clamp(planes / enough_tasks, fewest, most_planes), 1,
                                  std::max<std::int64_t>(most, 1));
}

/// Calls body(first, last, worker) for tasks of planes [first, last), `at_once` or fewer.
template <class Body>
void for_each_planes(std::int64_t planes, std::int64_t at_once, Body const& body) {
  for_each_task((planes + at_once - 1) / at_once, [&](std::int64_t task, std::int64_t worker) {
    body(task * at_once, std::min(planes, (task + 1) * at_once), worker);
  });
}

}  // namespace lbann::kernels::host
