// Offsets with which threads write where no other one has worked lately.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "schemas/specialization/allocate.hpp"

namespace lbann {

/// Offsets for which few bytes move from one thread's part of a buffer to another thread's part of
/// the next buffer in the same memory. Only buffers count that died while the last `recent` bytes
/// were born, as caches may still hold them: a line in another core's cache takes many times as
/// long to write where cores share no cache (docs/performance_notes.md, "Lines that another core
/// has read"). Deterministic; none if more than `limit` bytes were needed.
std::optional<Allocation> allocate_for_threads(std::span<Lifetime const> buffers,
                                               std::int64_t threads, std::int64_t recent,
                                               std::int64_t limit);

}  // namespace lbann
