// How many partial results a parallel reduction keeps in scratch memory.
#pragma once

#include <algorithm>

#include "schemas/operators/rules.hpp"

namespace lbann::operators::rules {

/// Partial results of a reduction to `outputs` numbers: of up to 256 pieces of the input for each,
/// and where there are many no more than keep 32 threads busy with 512 of them each.
inline std::int64_t most_partials(std::int64_t outputs) {
  return std::min(times(outputs, 256), plus(outputs, 32 * 512));
}

}  // namespace lbann::operators::rules
