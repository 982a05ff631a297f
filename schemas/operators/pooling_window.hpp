// A window that moves over spatial axes: what pooling and its gradient are told alike.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

enum class PoolMode : std::uint8_t { max, average, average_no_pad };

/// Base of `pooling` and its gradient; one number per spatial axis.
struct PoolingWindow {
  PoolMode mode = PoolMode::max;
  std::vector<std::int64_t> window;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;

  static constexpr auto fields() {
    return std::tuple{
        field("mode", &PoolingWindow::mode, "How a window becomes one value."),
        field("window", &PoolingWindow::window, "Extents of the window.", Presence::required),
        field("stride", &PoolingWindow::stride, "Step along each spatial axis.",
              Presence::required),
        field("padding", &PoolingWindow::padding, "Margin on both sides of each spatial axis.",
              Presence::required)};
  }

  friend bool operator==(PoolingWindow const&, PoolingWindow const&) = default;
};

}  // namespace lbann::operators

template <>
inline constexpr auto lbann::enum_names<lbann::operators::PoolMode> =
    std::array<std::string_view, 3>{"max", "average", "average_no_pad"};
