// Random numbers, a block of counters for each index; each number is a pure function of its
// counter.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <limits>

#include "kernels/element_types.hpp"
#include "kernels/kernel.hpp"
#include "kernels/normal.hpp"
#include "kernels/shapes/sample_lines.hpp"
#include "schemas/vocabulary/philox.hpp"

namespace lbann::kernels {

using operators::Distribution;

/// Words of `count` counters from `first` on, the philox of each, round by round.
template <int counters>
KOKKOS_FUNCTION void draw(std::int64_t step, std::int64_t sample, std::int64_t first, int count,
                          PhiloxKey key, std::uint32_t* words) {
  std::uint64_t c[4][counters];
  for (int j = 0; j < count; ++j) {
    auto const counter = random_counter(step, sample, first + j);
    for (int k = 0; k < 4; ++k) c[k][j] = counter[k];
  }
  for (int round = 0; round < philox_rounds; ++round, key = next_philox_key(key))
    for (int j = 0; j < count; ++j) philox_round(c[0][j], c[1][j], c[2][j], c[3][j], key);
  for (int j = 0; j < count; ++j)
    for (int k = 0; k < 4; ++k) words[4 * j + k] = static_cast<std::uint32_t>(c[k][j]);
}

/// Blocks of `counters` counters: as many as fill the vector registers of a CPU, one on a device.
/// Each gives four numbers.
template <class T, int counters>
struct RandomBlocks {
  static constexpr int block = 4 * counters;

  std::int64_t const *seed, *step, *first_sample;
  T* y;
  std::int64_t name, blocks;  ///< blocks that a line lies in at most
  SampleLines lines;
  double first, second, threshold;
  T below;  ///< the largest number below `second`
  Distribution distribution;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    // Blocks begin at multiples of four entries of the whole sample, lines anywhere.
    std::int64_t const line = index / blocks, start = lines.start(line);
    std::int64_t const first_entry = start / 4 * 4 + index % blocks * block;
    std::int64_t const begin = first_entry < start ? start : first_entry;
    std::int64_t const last = start + lines.length;
    std::int64_t const end = first_entry + block < last ? first_entry + block : last;
    if (begin >= end) return;
    std::uint32_t words[block];
    draw<counters>(*step, *first_sample + lines.first_sample + lines.sample(line), first_entry / 4,
                   static_cast<int>((end - first_entry + 3) / 4), random_key(*seed, name), words);
    int const skipped = static_cast<int>(begin - first_entry);
    int const count = static_cast<int>(end - first_entry);
    T* const to = y + (line * lines.length + first_entry - start);
    // In variables of its own, so that no write to y can change them.
    double const low = first, range = second - first, scale = second, limit = threshold;
    if (distribution == Distribution::bernoulli) {
      T const value = static_cast<T>(scale);
      for (int i = skipped; i < count; ++i) to[i] = double(words[i]) < limit ? value : T(0);
    } else if constexpr (std::is_floating_point_v<T>) {
      if (distribution == Distribution::normal) {
        T const mean = static_cast<T>(low), deviation = static_cast<T>(scale);
        for (int i = skipped; i < count; ++i) to[i] = mean + deviation * normal_number<T>(words[i]);
        return;
      }
      T const end = low < scale ? static_cast<T>(scale) : infinity, last = below;
      for (int i = skipped; i < count; ++i) {
        double const unit = sizeof(T) == 8 ? unit_double(words[i]) : double(unit_float(words[i]));
        T const value = static_cast<T>(low + range * unit);
        to[i] = value >= end ? last : value;
      }
    }
  }

  static constexpr T infinity = std::numeric_limits<T>::infinity();
};

inline bool accepts_random(Call const& call) {
  auto const type = call.outputs[0].type;
  return type == DataType::f32 || type == DataType::f64 || type == DataType::u8;
}

/// Calls f with a zero of `type`, f32, f64 or u8.
template <class F>
decltype(auto) with_random_type(DataType type, F&& f) {
  return type == DataType::u8 ? f(std::uint8_t{}) : with_floating(type, f);
}

/// The largest number below `second` that a uniform law gives; bytes have no such law.
template <class T>
T largest_uniform(operators::random const& op) {
  if constexpr (std::is_floating_point_v<T>)
    return std::nextafter(static_cast<T>(op.second), static_cast<T>(op.first));
  else
    return T(0);
}

/// Calls f(blocks, their number, nanoseconds of all) for a call of random.
template <int counters, class T, class F>
decltype(auto) with_random_blocks(Call const& call, F const& f) {
  using Blocks = RandomBlocks<T, counters>;
  auto const& op = operator_of<operators::random>(call);
  auto const& y = call.outputs[0];
  auto const lines = sample_lines(y, call.begin, call.whole, op.shape.has_batch());
  bool const aligned = lines.lines == 1 && lines.start(0) == 0;
  auto const blocks = (lines.length + (aligned ? 0 : 3) + Blocks::block - 1) / Blocks::block;
  return f(Blocks{call.inputs[0].as<std::int64_t>(), call.inputs[1].as<std::int64_t>(),
                  call.inputs[2].as<std::int64_t>(), y.as<T>(), op.key, blocks, lines, op.first,
                  op.second, op.first * 0x1p32, largest_uniform<T>(op), op.distribution},
           lines.count * blocks, 2.0 * static_cast<double>(y.elements()));
}

}  // namespace lbann::kernels
