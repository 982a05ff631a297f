// Samples that are drawn once and then copied.
#pragma once

#include "schemas/samples/samples.hpp"

namespace lbann::runtime {

/// Most bytes that drawn samples may be kept in, in f64; larger sets are drawn again every epoch.
inline constexpr std::int64_t most_kept_bytes = std::int64_t{128} << 20;

/// The same samples, kept in memory after they were read for the first time; `samples` themselves
/// if they are more than `most_kept_bytes`, there is no memory for them, or a field has no dims of
/// its own.
std::shared_ptr<Samples const> keep(std::shared_ptr<Samples const> samples);

}  // namespace lbann::runtime
