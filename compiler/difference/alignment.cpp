// Dynamic programming over what lies between the common beginning and the common end.
#include "compiler/difference/alignment.hpp"

#include <algorithm>
#include <cstdint>

namespace lbann::compiler {

std::vector<std::pair<std::size_t, std::size_t>> common_elements(
    std::vector<std::string> const& before, std::vector<std::string> const& after) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t begin = 0;
  auto const shorter = std::min(before.size(), after.size());
  while (begin < shorter && before[begin] == after[begin])
    pairs.emplace_back(begin, begin), ++begin;
  std::size_t end = 0;
  while (end < shorter - begin && before[before.size() - 1 - end] == after[after.size() - 1 - end])
    ++end;

  constexpr std::size_t most_cells = 25'000'000;
  auto const rows = before.size() - begin - end, columns = after.size() - begin - end;
  if (rows > 0 && columns > 0 && rows <= most_cells / columns) {
    // length[i][j]: of what elements from i and from j on share.
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
    auto const at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
      return length[i * (columns + 1) + j];
    };
    for (auto i = rows; i-- > 0;)
      for (auto j = columns; j-- > 0;)
        at(i, j) = before[begin + i] == after[begin + j] ? at(i + 1, j + 1) + 1
                                                         : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
      if (before[begin + i] == after[begin + j])
        pairs.emplace_back(begin + i++, begin + j++);
      else
        at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
    }
  }
  for (auto i = end; i > 0; --i) pairs.emplace_back(before.size() - i, after.size() - i);
  return pairs;
}

}  // namespace lbann::compiler
