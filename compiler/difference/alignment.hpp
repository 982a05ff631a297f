// Which elements of two lists belong together.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lbann::compiler {

/// Indices of the elements of a longest common subsequence, in order. Lists of which neither a
/// common beginning nor end leaves few enough to compare share these alone.
std::vector<std::pair<std::size_t, std::size_t>> common_elements(
    std::vector<std::string> const& before, std::vector<std::string> const& after);

}  // namespace lbann::compiler
