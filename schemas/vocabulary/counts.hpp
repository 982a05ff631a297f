// Ranges of fields that count things.
#pragma once

#include "schemas/vocabulary/field.hpp"

namespace lbann {

/// More than any run has of steps, epochs or samples, and little enough that sums of some such
/// numbers fit 64 bits and doubles.
inline constexpr double most_counted = 1e12;
inline constexpr Range counted_from_zero{.least = 0, .most = most_counted};
inline constexpr Range counted_from_one{.least = 1, .most = most_counted};
/// -1 stands for the last one.
inline constexpr Range counted_or_last{.least = -1, .most = most_counted};

}  // namespace lbann
