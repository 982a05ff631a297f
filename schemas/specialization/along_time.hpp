// The order in which buffers are born and die.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "schemas/specialization/allocate.hpp"

namespace lbann {

/// Calls take(buffer) for each buffer that has bytes, in the order of their births, the largest
/// first, and before it give(buffer) for those that have died by then. Ends where take returns
/// false; returns whether none did.
template <class Take, class Give>
bool along_time(std::span<Lifetime const> buffers, Take const& take, Give const& give) {
  std::vector<std::size_t> births(buffers.size());
  std::iota(births.begin(), births.end(), std::size_t{0});
  std::erase_if(births, [&](std::size_t i) { return buffers[i].bytes <= 0; });
  auto deaths = births;
  std::ranges::sort(births, {}, [&](std::size_t i) {
    return std::tuple(buffers[i].first, -buffers[i].bytes, i);
  });
  std::ranges::sort(deaths, {}, [&](std::size_t i) { return std::pair(buffers[i].last, i); });
  auto death = deaths.begin();
  for (auto const birth : births) {
    for (; buffers[*death].last < buffers[birth].first; ++death) give(*death);
    if (!take(birth)) return false;
  }
  return true;
}

}  // namespace lbann
