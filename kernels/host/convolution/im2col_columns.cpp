// Lists what registers of columns see, and loads it.
#include "kernels/host/convolution/im2col_columns.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "kernels/host/products/microkernel.hpp"
#include "kernels/shapes/division.hpp"

namespace lbann::kernels::host {

namespace {

/// Positions of a sample that make the lanes missing in its last register negligible.
constexpr std::int64_t many_positions = 512;

}  // namespace

template <class T>
Im2colColumns<T>::Im2colColumns(std::array<SourceAxis, 3> const& axes, std::int64_t samples,
                                std::int64_t sample_step) {
  auto const positions = axes[0].to * axes[1].to * axes[2].to;
  taps_ = 1;
  step_ = axes[2].stride;
  for (auto const& axis : axes) taps_ *= static_cast<std::int64_t>(axis.shifts.size());
  separate_ = positions >= many_positions || samples == 1;
  columns_ = separate_ ? positions : samples * positions;
  registers_ = ceil_divide(columns_, lanes<T>);
  auto const together =
      separate_ ? std::int64_t{1} : lanes<T> / std::gcd<std::int64_t>(lanes<T>, positions);
  period_ = separate_ ? registers_ : std::min(together * positions / lanes<T>, registers_);
  period_step_ = together * sample_step;
  list_runs(axes, separate_ ? 1 : std::min(samples, together), sample_step);
}

template <class T>
void Im2colColumns<T>::list_runs(std::array<SourceAxis, 3> const& axes, std::int64_t samples,
                                 std::int64_t sample_step) {
  auto const& [planes, rows, columns] = axes;
  auto const plane = rows.to * columns.to, positions = planes.to * plane;
  auto const inside = [](SourceAxis const& axis, std::int64_t at) {
    return at >= 0 && at < axis.from;
  };
  for (std::int64_t r = 0; r < period_; ++r)
    for (auto const z : planes.shifts)
      for (auto const y : rows.shifts)
        for (auto const x : columns.shifts) {
          auto const begin = runs_.size();
          begins_.push_back(static_cast<std::uint32_t>(begin));
          for (int lane = 0; lane < lanes<T>; ++lane) {
            auto const column = r * lanes<T> + lane, sample = column / positions;
            if (sample >= samples) break;
            auto const p = column % positions;
            auto const i = p / plane * planes.stride + z;
            auto const j = p % plane / columns.to * rows.stride + y;
            auto const k = p % columns.to * columns.stride + x;
            if (!inside(planes, i) || !inside(rows, j) || !inside(columns, k)) continue;
            auto const seen = sample * sample_step + (i * rows.from + j) * columns.from + k;
            auto const offset = seen - lane * columns.stride;
            if (runs_.size() == begin || runs_.back().offset != offset) runs_.push_back({offset});
            runs_.back().lanes |= 1u << lane;
            runs_.back().halves[2 * lane / lanes<T>] |= 1u << 2 * lane % lanes<T>;
          }
        }
  begins_.push_back(static_cast<std::uint32_t>(runs_.size()));
}

template <class T>
void Im2colColumns<T>::pack(T const* source, std::int64_t channel_step, std::int64_t channels,
                            std::int64_t first, std::int64_t count, T* to) const {
  constexpr unsigned all = (1u << lanes<T>)-1;
  auto const pitch = taps_ * tile_columns<T>;
  for (std::int64_t i = 0; i < count; ++i) {
    auto const number = first + i;
    T const* const base = source + number / period_ * period_step_;
    // The last samples may be fewer than those of a period.
    auto const existing =
        static_cast<int>(std::min<std::int64_t>(columns_ - number * lanes<T>, lanes<T>));
    auto const* begin = begins_.data() + number % period_ * taps_;
    for (std::int64_t tap = 0; tap < taps_; ++tap, ++begin) {
      T* out = to + tap * tile_columns<T> + i * lanes<T>;
      T* const end = out + channels * pitch;
      auto const runs = std::span(runs_).subspan(begin[0], begin[1] - begin[0]);
      if (runs.size() == 1 && step_ == 1) {
        T const* from = base + runs[0].offset;
        auto const mask = runs[0].lanes & ((1u << existing) - 1);
        if (mask == all) {
          for (; out != end; out += pitch, from += channel_step) {
            __builtin_prefetch(from + tile_columns<T>);  // what the next tile reads
            store_vector(out, load_vector(from));
          }
        } else {
          LaneMask<T> const some(mask);
          for (; out != end; out += pitch, from += channel_step) store_vector(out, some.load(from));
        }
        continue;
      }
      T const* from = base;
      for (; out != end; out += pitch, from += channel_step) {
        Lanes<T> seen{};
        for (auto const& run : runs) seen |= (Lanes<T>)load_run(run, from, existing);
        store_vector(out, (Vector<T>)seen);
      }
    }
  }
}

template <class T>
Vector<T> Im2colColumns<T>::load_run(Run const& run, T const* from, int existing) const {
  auto const first = [](int bits) { return bits < lanes<T> ? (1u << std::max(bits, 0)) - 1 : ~0u; };
  auto const seen = run.lanes & first(existing);
  from += run.offset;
  if (step_ == 1) return LaneMask<T>(seen).load(from);
  if (step_ == 2)
    return shuffle<EvenLanes, T>(
        LaneMask<T>(run.halves[0] & first(2 * existing)).load(from),
        LaneMask<T>(run.halves[1] & first(2 * existing - lanes<T>)).load(from + lanes<T>));
  T values[lanes<T>] = {};
  for (int lane = 0; lane < lanes<T>; ++lane)
    if (seen >> lane & 1) values[lane] = from[lane * step_];
  return load_vector(values);
}

template class Im2colColumns<float>;
template class Im2colColumns<double>;

}  // namespace lbann::kernels::host
