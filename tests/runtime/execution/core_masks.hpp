// Masks of cores for tests.
#pragma once

#include "runtime/execution/affinity.hpp"

namespace lbann::runtime {

/// Cores [begin, end), of 128.
inline CoreMask cores(std::size_t begin, std::size_t end) {
  CoreMask mask(2, 0);
  for (auto core = begin; core < end; ++core) mask[core / 64] |= std::uint64_t{1} << (core % 64);
  return mask;
}

}  // namespace lbann::runtime
