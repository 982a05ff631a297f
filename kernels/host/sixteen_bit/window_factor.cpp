// Lines of images, copied as windows see them, with zeros in the padding.
#include "kernels/host/sixteen_bit/window_factor.hpp"

#include <algorithm>
#include <cstring>

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// a / b, rounded down or up, for b > 0.
std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return (a - (a < 0 ? b - 1 : 0)) / b; }
std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return -floor_divide(-a, b); }

void copy(std::uint16_t const* from, std::int64_t count, std::uint16_t* to) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof *from);
}

}  // namespace

std::uint16_t const* ImagesFactor::read(std::int64_t row, std::int64_t begin, std::int64_t count,
                                        std::uint16_t* buffer) const {
  auto const* const channel = data_ + row * entries_;
  auto sample = begin / entries_, entry = begin % entries_;
  if (entry + count <= entries_) return channel + sample * sample_ + entry;
  for (std::int64_t done = 0; done < count; ++sample, entry = 0) {
    auto const some = std::min(entries_ - entry, count - done);
    copy(channel + sample * sample_ + entry, some, buffer + done);
    done += some;
  }
  return buffer;
}

WindowFactor::WindowFactor(WindowGeometry const& geometry, bool gradient,
                           std::uint16_t const* images, std::int64_t channels)
    : geometry_(geometry), gradient_(gradient), images_(images) {
  for (int a = 0; a < 3; ++a) {
    auto const& axis = geometry.axes[a];
    across_[a] = gradient ? axis.from : axis.to;
    seen_[a] = gradient ? axis.to : axis.from;
  }
  columns_ = across_[0] * across_[1] * across_[2];
  entries_ = seen_[0] * seen_[1] * seen_[2];
  sample_ = channels * entries_;
}

bool WindowFactor::is_identity(WindowGeometry const& geometry) {
  return std::ranges::all_of(geometry.axes, [](WindowAxis const& axis) {
    return axis.taps == 1 && axis.stride == 1 && axis.padding == 0;
  });
}

void WindowFactor::read_line(std::uint16_t const* line, std::int64_t tap, std::int64_t begin,
                             std::int64_t count, std::uint16_t* to) const {
  auto const& axis = geometry_.axes[2];
  auto const shift = tap * axis.dilation - axis.padding;
  if (axis.stride == 1) {
    // Index i sees i + shift, or is seen by i - shift.
    auto const from = begin + (gradient_ ? -shift : shift);
    auto const first = std::clamp<std::int64_t>(-from, 0, count);
    auto const last = std::clamp<std::int64_t>(seen_[2] - from, first, count);
    std::fill(to, to + first, std::uint16_t{0});
    copy(line + from + first, last - first, to + first);
    std::fill(to + last, to + count, std::uint16_t{0});
    return;
  }
  if (gradient_) {
    // Position p is seen from entry p stride + shift.
    std::fill(to, to + count, std::uint16_t{0});
    auto const first = std::max<std::int64_t>(ceil_divide(begin - shift, axis.stride), 0);
    auto const last = std::min(floor_divide(begin + count - 1 - shift, axis.stride), seen_[2] - 1);
    for (auto p = first; p <= last; ++p) to[p * axis.stride + shift - begin] = line[p];
    return;
  }
  auto const from = begin * axis.stride + shift;
  auto const first = std::clamp<std::int64_t>(ceil_divide(-from, axis.stride), 0, count);
  auto const last =
      std::clamp<std::int64_t>(ceil_divide(seen_[2] - from, axis.stride), first, count);
  std::fill(to, to + first, std::uint16_t{0});
  for (auto i = first; i < last; ++i) to[i] = line[from + i * axis.stride];
  std::fill(to + last, to + count, std::uint16_t{0});
}

std::uint16_t const* WindowFactor::read(std::int64_t row, std::int64_t begin, std::int64_t count,
                                        std::uint16_t* buffer) const {
  auto const &az = geometry_.axes[0], &ay = geometry_.axes[1], &ax = geometry_.axes[2];
  auto const taps = az.taps * ay.taps * ax.taps;
  auto const channel = row / taps, tap = row % taps;
  auto const tz = tap / (ay.taps * ax.taps), ty = tap / ax.taps % ay.taps, tx = tap % ax.taps;
  auto sample = begin / columns_;
  auto x = begin % across_[2], y = begin / across_[2] % across_[1];
  auto z = begin / (across_[2] * across_[1]) % across_[0];
  for (std::int64_t done = 0; done < count;) {
    auto const some = std::min(across_[2] - x, count - done);
    auto const sz = seen(0, z, tz), sy = seen(1, y, ty);
    if (sz < 0 || sy < 0)
      std::fill_n(buffer + done, some, std::uint16_t{0});
    else
      read_line(images_ + sample * sample_ + channel * entries_ + (sz * seen_[1] + sy) * seen_[2],
                tx, x, some, buffer + done);
    done += some;
    x = 0;
    if (++y < across_[1]) continue;
    y = 0;
    if (++z < across_[0]) continue;
    z = 0;
    ++sample;
  }
  return buffer;
}

std::uint16_t const* TransposedKernelFactor::read(std::int64_t row, std::int64_t begin,
                                                  std::int64_t count, std::uint16_t* buffer) const {
  auto filter = begin / taps_, tap = begin % taps_;
  for (std::int64_t i = 0; i < count; ++i) {
    buffer[i] = kernel_[(filter * depth_ + row) * taps_ + tap];
    if (++tap == taps_) tap = 0, ++filter;
  }
  return buffer;
}

}  // namespace lbann::kernels::host::sixteen_bit
