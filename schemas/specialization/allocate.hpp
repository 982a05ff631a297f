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
  /// Whether each thread works on its own part of it, of equal size and in their order; else any
  /// may work on all of it, as on scratch.
  bool divided = true;
};

struct Allocation {
  std::vector<std::int64_t> offsets;  ///< per buffer, multiples of `buffer_alignment`
  std::int64_t bytes = 0;
};

/// Offsets such that no two buffers overlap while both live. Deterministic; the better of two
/// heuristics for few buffers, otherwise the one of n log n. For several threads those of
/// `allocate_for_threads`, where buffers are larger than caches and these need no more than `spare`
/// bytes beyond that.
Allocation allocate(std::span<Lifetime const> buffers, std::int64_t threads = 1,
                    std::int64_t spare = 0);

/// The largest sum of bytes that live at one step: what no placement can undercut.
std::int64_t largest_live(std::span<Lifetime const> buffers);

}  // namespace lbann
