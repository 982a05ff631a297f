// Which valid name was probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lbann {

/// Those of `accepted` that resemble `given` (at most three, nearest first).
std::vector<std::string> nearest(std::string_view given,
                                 std::vector<std::string_view> const& accepted);

/// Letters inserted, left out, replaced or swapped between two names; case and separators do not
/// count.
std::size_t typing_errors(std::string_view a, std::string_view b);

/// Whether the first of `candidates`, nearest first, is `given` but for at most two typing errors,
/// and no other is as near.
bool is_misspelt(std::string_view given, std::vector<std::string> const& candidates);

}  // namespace lbann
