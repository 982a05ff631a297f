// A part of a reader's samples.
#pragma once

#include "schemas/samples/samples.hpp"

namespace lbann {

/// Number of samples of `range`, of `count` that there are; -1 if `count` is. An empty range is all
/// of them.
Result<std::int64_t> count_in_range(std::vector<std::int64_t> const& range, std::int64_t count);

/// The samples of `range`.
OpenedSamples in_range(std::unique_ptr<Samples> samples, std::vector<std::int64_t> const& range);

}  // namespace lbann
