// Order of samples: permutations that are pure functions of a key.
#pragma once

#include <cstdint>
#include <span>

#include "schemas/vocabulary/philox.hpp"

namespace lbann::runtime {

/// Shuffles by Fisher and Yates with random numbers of (`key`, `epoch`); all permutations are
/// equally likely. R. Durstenfeld, "Algorithm 235: Random permutation", CACM 1964.
void shuffle(std::span<std::int64_t> indices, PhiloxKey key, std::int64_t epoch);

}  // namespace lbann::runtime
