// Copies rows with their margins of zeros.
#include "kernels/host/convolution/correlation_source.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/host/vector.hpp"

namespace lbann::kernels::host {

CorrelationSource::Kept CorrelationSource::keep(SourceAxis const& axis) {
  auto const taps = static_cast<std::int64_t>(axis.shifts.size());
  if (taps == 0 || axis.to == 0) return {};
  auto const [low, high] = std::minmax_element(axis.shifts.begin(), axis.shifts.end());
  auto const span = axis.to - 1 + *high - *low + 1;
  if (axis.stride == 1 && span <= taps * axis.to) return {true, *low, span};
  return {false, 0, taps * axis.to};
}

std::int64_t CorrelationSource::entry(SourceAxis const& axis, Kept const& kept,
                                      std::int64_t index) {
  if (kept.shared) return kept.first + index;
  return index % axis.to * axis.stride + axis.shifts[static_cast<std::size_t>(index / axis.to)];
}

CorrelationSource::CorrelationSource(std::int64_t channels, SourceAxis planes, SourceAxis rows,
                                     SourceAxis columns)
    : channels_(channels),
      planes_(std::move(planes)),
      rows_(std::move(rows)),
      columns_(std::move(columns)),
      kept_planes_(keep(planes_)),
      kept_rows_(keep(rows_)) {
  // Kept as [channel][plane][column tap][row][column].
  auto const block = kept_rows_.count * columns_.to;
  plane_step_ = static_cast<std::int64_t>(columns_.shifts.size()) * block;
  auto const channel = kept_planes_.count * plane_step_;
  elements_ = channels_ * channel + slack;
  auto start = [](SourceAxis const& axis, Kept const& kept, std::size_t tap) {
    return kept.shared ? axis.shifts[tap] - kept.first : static_cast<std::int64_t>(tap) * axis.to;
  };
  for (std::int64_t c = 0; c < channels_; ++c)
    for (std::size_t z = 0; z < planes_.shifts.size(); ++z)
      for (std::size_t y = 0; y < rows_.shifts.size(); ++y)
        for (std::size_t x = 0; x < columns_.shifts.size(); ++x)
          offsets_.push_back(c * channel + start(planes_, kept_planes_, z) * plane_step_ +
                             static_cast<std::int64_t>(x) * block +
                             start(rows_, kept_rows_, y) * columns_.to);
}

bool CorrelationSource::as_it_is() const {
  auto const same = [](SourceAxis const& axis) {
    return axis.from == axis.to && axis.stride == 1 && axis.shifts == std::vector<std::int64_t>{0};
  };
  return same(planes_) && same(rows_) && same(columns_);
}

namespace {

/// A row of `width` entries, [first, last) of them from `line`, the others zero.
template <class T>
struct RowCopy {
  static constexpr int most_vectors = 4;  ///< writes at most so many per row: within the slack
  std::int64_t width, first, last, step;
  LaneRange<T> ranges[most_vectors];

  RowCopy(std::int64_t w, std::int64_t f, std::int64_t l, std::int64_t s)
      : width(w), first(f), last(l), step(s) {
    for (int v = 0; v < most_vectors; ++v)
      ranges[v] = LaneRange<T>(first - v * lanes<T>, last - v * lanes<T>);
  }

  /// `rows` rows, their lines `pitch` apart; writes up to a register beyond the last.
  void run(std::int64_t rows, T const* line, std::int64_t pitch, T* to) const {
    auto const vectors = (width + lanes<T> - 1) / lanes<T>;
    bool const no_margins = step == 1 && first == 0 && last == width;
    if (no_margins && width == half_line) {
      copy_half_lines<1>(rows, line, pitch, to);
    } else if (no_margins && width == 3 * half_line) {
      copy_half_lines<3>(rows, line, pitch, to);
    } else if (step != 1 || vectors > most_vectors) {
      for (std::int64_t r = 0; r < rows; ++r) copy_row(line + r * pitch, to + r * width);
    } else if (vectors == 1) {
      copy_vectors<1>(rows, line, pitch, to);
    } else if (vectors == 2) {
      copy_vectors<2>(rows, line, pitch, to);
    } else {
      copy_vectors<most_vectors>(rows, line, pitch, to);
    }
  }

 private:
  /// Elements in half a cache line.
  static constexpr std::int64_t half_line = 32 / sizeof(T);

  /// Rows of `count` half cache lines, one right after the other: whole registers would cross
  /// lines.
  template <int count>
  void copy_half_lines(std::int64_t rows, T const* line, std::int64_t pitch, T* to) const {
    for (std::int64_t r = 0; r < rows; ++r, line += pitch, to += width)
#pragma GCC unroll 4
      for (int i = 0; i < count; ++i)
        std::memcpy(to + i * half_line, line + i * half_line, half_line * sizeof(T));
  }

  template <int vectors>
  void copy_vectors(std::int64_t rows, T const* line, std::int64_t pitch, T* to) const {
    LaneRange<T> mine[vectors];
    for (int v = 0; v < vectors; ++v) mine[v] = ranges[v];
    for (std::int64_t r = 0; r < rows; ++r, line += pitch, to += width)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        store_vector(to + v * lanes<T>, mine[v].load(line + v * lanes<T>));
  }

  void copy_row(T const* line, T* to) const {
    std::fill_n(to, first, T(0));
    if (step == 1)
      std::copy(line + first, line + last, to + first);
    else
      for (auto i = first; i < last; ++i) to[i] = line[i * step];
    std::fill(to + last, to + width, T(0));
  }
};

}  // namespace

template <class T>
void CorrelationSource::lay_out(T const* from, T* to) const {
  auto const width = columns_.to, step = columns_.stride;
  auto const rows = kept_rows_.count;
  T* const end = to + elements_;
  for (std::int64_t c = 0; c < channels_; ++c)
    for (std::int64_t p = 0; p < kept_planes_.count; ++p) {
      auto const plane = entry(planes_, kept_planes_, p);
      bool const plane_inside = plane >= 0 && plane < planes_.from;
      T const* const plane_begin = from + (c * planes_.from + plane) * rows_.from * columns_.from;
      for (auto const shift : columns_.shifts) {
        // Positions [first, last) of a row fall on entries, the others on its margins.
        auto const first =
            std::clamp<std::int64_t>(shift < 0 ? (-shift + step - 1) / step : 0, 0, width);
        auto const last = std::clamp<std::int64_t>(
            shift < columns_.from ? (columns_.from - 1 - shift) / step + 1 : 0, first, width);
        RowCopy<T> const copy(width, first, last, step);
        // Rows in order may write beyond their ends: the next ones, or the slack, come after.
        auto zeros = [&](std::int64_t count) {
          std::fill_n(to, count * width, T(0));
          to += count * width;
        };
        auto lines = [&](std::int64_t count, std::int64_t row, std::int64_t distance) {
          copy.run(count, plane_begin + row * columns_.from + shift, distance * columns_.from, to);
          to += count * width;
        };
        if (!plane_inside) {
          zeros(rows);
        } else if (kept_rows_.shared) {
          auto const begin = std::clamp<std::int64_t>(-kept_rows_.first, 0, rows);
          auto const inside = std::clamp<std::int64_t>(rows_.from - kept_rows_.first, begin, rows);
          zeros(begin);
          if (inside > begin) lines(inside - begin, kept_rows_.first + begin, 1);
          zeros(rows - inside);
        } else {
          for (std::int64_t r = 0; r < rows; ++r) {
            auto const row = entry(rows_, kept_rows_, r);
            if (row < 0 || row >= rows_.from)
              zeros(1);
            else
              lines(1, row, 1);
          }
        }
      }
    }
  std::fill(to, end, T(0));
}

template void CorrelationSource::lay_out(float const*, float*) const;
template void CorrelationSource::lay_out(double const*, double*) const;

}  // namespace lbann::kernels::host
