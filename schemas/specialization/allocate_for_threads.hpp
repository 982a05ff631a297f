// Offsets with which threads write where no other one has worked lately.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "schemas/specialization/allocate.hpp"

namespace lbann {

/// Offsets such that few bytes of a buffer that is born were last in the part of another of
/// `threads` threads, of buffers that have died since `recent` bytes were born. A line that another
/// core's cache still holds takes many times as long to write where cores share no cache
/// (docs/performance_notes.md, "Lines that another core has read"). Deterministic; none if more
/// than `limit` bytes were needed.
std::optional<Allocation> allocate_for_threads(std::span<Lifetime const> buffers,
                                               std::int64_t threads, std::int64_t recent,
                                               std::int64_t limit);

}  // namespace lbann
