// Offsets for buffers that live at different times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lbann {

/// A buffer that lives from step `first` to step `last`, both included.
struct Lifetime {
  std::int64_t bytes = 0;
  std::size_t first = 0, last = 0;
};

struct Allocation {
  std::vector<std::int64_t> offsets;  ///< per buffer, multiples of `buffer_alignment`
  std::int64_t bytes = 0;
};

/// Offsets such that no two buffers overlap while both live. Deterministic; the better of two
/// heuristics for few buffers, otherwise the one of n log n.
Allocation allocate(std::span<Lifetime const> buffers);

/// The largest sum of bytes that live at one step: what no placement can undercut.
std::int64_t largest_live(std::span<Lifetime const> buffers);

}  // namespace lbann
