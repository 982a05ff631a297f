// Cache of samples in memory.
#pragma once

#include "schemas/samples/samples.hpp"

namespace lbann::runtime {

/// Maximum size of a cache in bytes, all values as f64; larger sets are read again every epoch.
inline constexpr std::int64_t most_kept_bytes = std::int64_t{128} << 20;

/// The same samples, cached in memory when they are first read; `samples` themselves if they exceed
/// `most_kept_bytes` or allocation fails. Fields that have no dims of their own, of which a plan
/// may read none, are not cached.
std::shared_ptr<Samples const> keep(std::shared_ptr<Samples const> samples);

}  // namespace lbann::runtime
