// Which valid name was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lbann {

/// Those of `accepted` that resemble `given` (at most three, nearest first).
std::vector<std::string> nearest(std::string_view given,
                                 std::vector<std::string_view> const& accepted);

}  // namespace lbann
