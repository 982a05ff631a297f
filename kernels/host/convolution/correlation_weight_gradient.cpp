// Blocks of sums in registers, positions in their lanes.
#include "kernels/host/convolution/correlation_weight_gradient.hpp"

#include <algorithm>

#include "kernels/host/vector.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Elements laid out at a time, most parts, and elements of the kernel's gradient in all parts.
constexpr std::int64_t chunk_elements = 1 << 20, most_samples = 64, most_parts = 8,
                       part_elements = 1 << 18;

SourceAxis axis_of(WindowAxis const& axis) {
  SourceAxis source{axis.from, axis.to, axis.stride, {}};
  for (std::int64_t t = 0; t < axis.taps; ++t)
    source.shifts.push_back(t * axis.dilation - axis.padding);
  return source;
}

}  // namespace

template <class T>
CorrelationWeightGradient<T>::CorrelationWeightGradient(WindowGeometry const& g)
    : geometry_(g),
      source_(g.channels, axis_of(g.axes[0]), axis_of(g.axes[1]), axis_of(g.axes[2])) {
  // Blocks that fill the registers, of the form that wastes least.
  bool const many = vector_registers == 32;
  auto const filters = g.group_filters();
  block_filters_ = filters == 1 ? 1 : filters == 2 ? 2 : many && filters % 6 == 0 ? 6 : 4;
  block_taps_ = !many                 ? (block_filters_ == 4 ? 2 : 4)
                : block_filters_ == 6 ? 4
                : block_filters_ == 4 ? 6
                                      : 8;
  padded_ = round_up(source_.positions(), lanes<T>);
  laid_out_ = round_up(source_.elements(), 16);
  gradient_ = padded_ == source_.positions() ? 0 : g.filters * source_.planes() * padded_;
  auto const fitting = chunk_elements / std::max<std::int64_t>(laid_out_ + gradient_, 1);
  chunk_ = std::min({g.samples, most_samples, std::max<std::int64_t>(fitting, 1)});
  auto const kernel = std::max<std::int64_t>(g.filters * g.depth() * g.taps(), 1);
  parts_ = std::clamp<std::int64_t>(std::min(part_elements / kernel, most_parts), 1,
                                    std::max<std::int64_t>(chunk_, 1));
}

template <class T>
std::int64_t CorrelationWeightGradient<T>::scratch_elements() const {
  auto const kernel = geometry_.filters * geometry_.depth() * geometry_.taps();
  return chunk_ * (laid_out_ + gradient_) + parts_ * round_up(kernel, 16);
}

template <class T>
template <int filters, int taps>
void CorrelationWeightGradient<T>::sum_block_of(T const* laid_out, T const* dy, std::int64_t begin,
                                                std::int64_t end, std::int64_t filter,
                                                std::int64_t tap, T* sums, bool add) const {
  using V = Vector<T>;
  auto const& g = geometry_;
  auto const columns = g.depth() * g.taps(), group = filter / g.group_filters();
  auto const last_filter = (group + 1) * g.group_filters() - 1;
  bool const copied = gradient_ != 0;
  auto const plane = copied ? padded_ : source_.positions();
  auto const channel = source_.planes() * plane;
  V blocks[filters][taps];
#pragma GCC unroll 8
  for (int f = 0; f < filters; ++f)
#pragma GCC unroll 8
    for (int t = 0; t < taps; ++t) blocks[f][t] = V{};
  // Blocks at the edge compute their last filter or tap several times.
  std::int64_t left[filters], right[taps];
  for (int f = 0; f < filters; ++f) left[f] = std::min(filter + f, last_filter) * channel;
  for (int t = 0; t < taps; ++t)
    right[t] = source_.offsets()[static_cast<std::size_t>(
        group * columns + std::min<std::int64_t>(tap + t, columns - 1))];
  for (auto n = begin; n < end; ++n)
    for (std::int64_t z = 0; z < source_.planes(); ++z) {
      T const* const a = dy + n * g.filters * channel + z * plane;
      T const* const b = laid_out + n * laid_out_ + z * source_.plane_step();
      for (std::int64_t p = 0; p < padded_; p += lanes<T>) {
        V factors[filters];
#pragma GCC unroll 8
        for (int f = 0; f < filters; ++f) factors[f] = in_register(load_vector(a + left[f] + p));
#pragma GCC unroll 8
        for (int t = 0; t < taps; ++t) {
          V const seen = in_register(load_vector(b + right[t] + p));
#pragma GCC unroll 8
          for (int f = 0; f < filters; ++f)
            blocks[f][t] = multiply_add<T>(factors[f], seen, blocks[f][t]);
        }
      }
    }
#pragma GCC unroll 8
  for (int f = 0; f < filters; ++f)
#pragma GCC unroll 8
    for (int t = 0; t < taps; ++t) {
      if (filter + f > last_filter || tap + t >= columns) continue;
      T& sum = sums[(filter + f) * columns + tap + t];
      sum = (add ? sum : T(0)) + sum_of_lanes<T>(blocks[f][t]);
    }
}

template <class T>
void CorrelationWeightGradient<T>::sum_block(T const* laid_out, T const* dy, std::int64_t begin,
                                             std::int64_t end, std::int64_t filter,
                                             std::int64_t tap, T* sums, bool add) const {
  if constexpr (vector_registers == 32) {
    switch (block_filters_) {
      case 6:
        return sum_block_of<6, 4>(laid_out, dy, begin, end, filter, tap, sums, add);
      case 4:
        return sum_block_of<4, 6>(laid_out, dy, begin, end, filter, tap, sums, add);
      case 2:
        return sum_block_of<2, 8>(laid_out, dy, begin, end, filter, tap, sums, add);
      default:
        return sum_block_of<1, 8>(laid_out, dy, begin, end, filter, tap, sums, add);
    }
  } else {
    switch (block_filters_) {
      case 4:
        return sum_block_of<4, 2>(laid_out, dy, begin, end, filter, tap, sums, add);
      case 2:
        return sum_block_of<2, 4>(laid_out, dy, begin, end, filter, tap, sums, add);
      default:
        return sum_block_of<1, 4>(laid_out, dy, begin, end, filter, tap, sums, add);
    }
  }
}

template <class T>
void CorrelationWeightGradient<T>::run(T const* x, T const* dy, T* dkernel, T* scratch) const {
  auto const& g = geometry_;
  auto const columns = g.depth() * g.taps(), kernel = g.filters * columns;
  if (kernel == 0) return;
  if (g.samples == 0) return static_cast<void>(std::fill_n(dkernel, kernel, T(0)));
  T* const laid_out = scratch;
  T* const copies = laid_out + chunk_ * laid_out_;
  T* const sums = copies + chunk_ * gradient_;
  auto const pitch = round_up(kernel, 16);
  auto const down = ceil_divide(g.group_filters(), block_filters_);
  auto const across = ceil_divide(columns, block_taps_);
  auto const rows = g.filters * source_.planes(), positions = source_.positions();

  for (std::int64_t first = 0; first < g.samples; first += chunk_) {
    auto const chunk = std::min(chunk_, g.samples - first);
    for_each_task(chunk, [&](std::int64_t n, std::int64_t) {
      source_.lay_out(x + (first + n) * g.channels * g.entries(), laid_out + n * laid_out_);
      if (gradient_ == 0) return;
      T const* const from = dy + (first + n) * rows * positions;
      T* const to = copies + n * gradient_;
      for (std::int64_t row = 0; row < rows; ++row) {
        std::copy_n(from + row * positions, positions, to + row * padded_);
        std::fill(to + row * padded_ + positions, to + (row + 1) * padded_, T(0));
      }
    });
    T const* const gradients = gradient_ != 0 ? copies : dy + first * rows * positions;
    for_each_task(parts_ * g.groups * down * across, [&](std::int64_t task, std::int64_t) {
      auto const tap = task % across * block_taps_, rest = task / across;
      auto const filter = rest / down % g.groups * g.group_filters() + rest % down * block_filters_;
      auto const part = rest / down / g.groups;
      sum_block(laid_out, gradients, chunk * part / parts_, chunk * (part + 1) / parts_, filter,
                tap, sums + part * pitch, first != 0);
    });
  }
  for (std::int64_t i = 0; i < kernel; ++i) dkernel[i] = sums[i];
  for (std::int64_t part = 1; part < parts_; ++part)
    for (std::int64_t i = 0; i < kernel; ++i) dkernel[i] += sums[part * pitch + i];
}

template class CorrelationWeightGradient<float>;
template class CorrelationWeightGradient<double>;

}  // namespace lbann::kernels::host
