// Multiplies a gradient by what windows see of its plane, all taps of a round in registers.
#include "kernels/kokkos/plane_gradient.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "kernels/kokkos/workers.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Taps whose sums are in registers at once.
constexpr std::size_t round_taps = 9;
/// Tasks that are enough for any machine; blocks added in T before they go on in double.
constexpr std::int64_t enough_tasks = 32, blocks_at_once = 512;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

template <class T>
using Bits = Vector<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

/// All bits of the first `count` numbers.
template <class T>
Bits<T> bits_of_first(std::int64_t count) {
  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t> values[lanes<T>];
  for (int i = 0; i < lanes<T>; ++i) values[i] = i < count ? -1 : 0;
  return load_vector(values);
}

}  // namespace

template <class T>
PlaneGradient<T>::PlaneGradient(WindowGeometry const& g)
    : windows_(g, false),
      taps_(windows_.taps()),
      samples_(g.samples),
      channels_(g.channels),
      real_taps_(g.taps()) {
  taps_.resize((taps_.size() + round_taps - 1) / round_taps * round_taps, taps_.back());
  block_ = divide_up(channels_, enough_tasks);
  blocks_ = divide_up(channels_, block_);
  parts_ = std::clamp<std::int64_t>(divide_up(enough_tasks, blocks_), 1,
                                    std::max<std::int64_t>(samples_, 1));
}

template <class T>
std::int64_t PlaneGradient<T>::scratch_elements() const {
  auto const of_sum = static_cast<std::int64_t>(sizeof(double) / sizeof(T));
  return sums() * of_sum + workers_for(tasks()) * windows_.elements();
}

template <class T>
void PlaneGradient<T>::add_taps(T const* plane, T const* dy, std::size_t tap, double* sums) const {
  auto const* const blocks = windows_.blocks().data();
  auto const count = static_cast<std::int64_t>(windows_.blocks().size());
  auto const row = windows_.row_blocks();
  auto const inside = bits_of_first<T>(windows_.last_lanes());
  LaneLoader<T> const load_last(0, windows_.last_lanes());
  std::int32_t const* const offsets = taps_.data() + tap;
  auto const at_once = divide_up(blocks_at_once, row) * row;
  for (std::int64_t begin = 0; begin < count; begin += at_once) {
    auto const end = std::min(count, begin + at_once);
    Vector<T> parts[round_taps] = {};
    for (auto first = begin; first < end; first += row) {
      auto i = first;
      for (; i + 1 < first + row; ++i) {
        auto const gradient = load_vector(dy + blocks[i].result);
        T const* const seen = plane + blocks[i].seen;
#pragma GCC unroll 9
        for (std::size_t t = 0; t < round_taps; ++t)
          parts[t] = multiply_add<T>(load_vector(seen + offsets[t]), gradient, parts[t]);
      }
      // What lies behind the row counts for nothing, whatever it is.
      auto const gradient = load_last(dy + blocks[i].result);
      T const* const seen = plane + blocks[i].seen;
#pragma GCC unroll 9
      for (std::size_t t = 0; t < round_taps; ++t) {
        auto const some = (Vector<T>)((Bits<T>)load_vector(seen + offsets[t]) & inside);
        parts[t] = multiply_add<T>(some, gradient, parts[t]);
      }
    }
    for (std::size_t t = 0; t < round_taps; ++t)
      sums[tap + t] += static_cast<double>(sum_of_lanes<T>(parts[t]));
  }
}

template <class T>
void PlaneGradient<T>::run(T const* x, T const* dy, T* dkernel, T* scratch) const {
  auto const taps = static_cast<std::int64_t>(taps_.size());
  auto* const sums = reinterpret_cast<double*>(scratch);
  T* const planes = reinterpret_cast<T*>(sums + this->sums());
  std::array<bool, most_workers> has_margins{};
  for_each_task(tasks(), [&](std::int64_t task, std::int64_t worker) {
    auto const part = task / blocks_, first = task % blocks_ * block_;
    auto const last = std::min(channels_, first + block_);
    double* const mine = sums + part * channels_ * taps;
    std::fill(mine + first * taps, mine + last * taps, 0.0);
    T* const plane = planes + worker * windows_.elements();
    if (!has_margins[static_cast<std::size_t>(worker)])
      std::fill_n(plane, windows_.elements(), T(0));
    has_margins[static_cast<std::size_t>(worker)] = true;
    for (auto n = samples_ * part / parts_; n < samples_ * (part + 1) / parts_; ++n)
      for (auto c = first; c < last; ++c) {
        auto const index = n * channels_ + c;
        windows_.lay_out(x + index * windows_.sources(), plane);
        for (std::size_t tap = 0; tap < taps_.size(); tap += round_taps)
          add_taps(plane, dy + index * windows_.results(), tap, mine + c * taps);
      }
  });
  for (std::int64_t c = 0; c < channels_; ++c)
    for (std::int64_t t = 0; t < real_taps_; ++t) {
      double sum = 0;
      for (std::int64_t part = 0; part < parts_; ++part)
        sum += sums[(part * channels_ + c) * taps + t];
      dkernel[c * real_taps_ + t] = static_cast<T>(sum);
    }
}

template class PlaneGradient<float>;
template class PlaneGradient<double>;

}  // namespace lbann::kernels::kokkos
